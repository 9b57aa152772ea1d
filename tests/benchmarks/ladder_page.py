"""What both ladders need: the GPU's own clock, a process for it, and the tables in docs/generated/kernels.md."""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from tables import parse_options, write_figures, write_tables

from grader.machine import choose_device

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/generated/kernels.md"
NEEDS_GPU = "needs a GPU"


def time_on_stream(cuda, call, rounds):
    """Return the median seconds between two events around what `call` launches; a first round is not counted."""
    samples_s = []
    for _ in range(1 + rounds):
        began, ended = cuda.event(), cuda.event()
        began.record()
        call()
        ended.record()
        ended.synchronize()
        samples_s.append(cuda.event_elapsed_time(began, ended) / 1000)
    return statistics.median(samples_s[1:])


def ask_gpu(program):
    """Return what `program --time` measured in a process of its own; empty without a GPU."""
    if choose_device("auto")[0] != "gpu":
        return {}
    done = subprocess.run([sys.executable, program, "--time"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def ask_registers(file, signatures, threads, names):
    """Return what NVIDIA's assembler says of kernels on GPU models of these names; nothing without the extra `ptx`."""
    from ptx import KernelRequest, is_installed, measure_kernels  # noqa: PLC0415 - slow to import

    if not is_installed():
        return []
    asked = [KernelRequest(name, signature, threads) for name, signature in signatures.items()]
    return measure_kernels(file, asked, {*names})


def run(description, time_on_gpu, make_page):
    """Be the program of a ladder: print what a GPU takes with `--time`; without it, `make_page`."""
    if parse_options(description, time=(False, "time on the GPU and print JSON; nothing else")).time:
        json.dump(time_on_gpu(), sys.stdout)
    else:
        os.chdir(ROOT)
        make_page()


def publish(tables, figures, name):
    """Print tables (name -> lines), write them between their marks in the page, and the figures as JSON."""
    print("\n\n".join("\n".join(lines) for lines in tables.values()))
    write_tables(PAGE, tables)
    write_figures(name, figures)
