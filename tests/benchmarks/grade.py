"""What grading the reference costs beside the student's own `main.py`: `make bench-grade`.

In turns, `--runs` times: the grading as a user starts it, `python main.py` of the reference on the same data, a grading
of one check that runs nothing, and `grader --help`. Medians are printed and written to out/bench/bench-grade.json:

    grade_s, main_py_s    wall time; `ratio` is their quotient
    ratio_one_thread      the same with one thread for BLAS, which is what a grading gives its workers
    cpu_ratio             the same of CPU time: all that this machine spent meanwhile, so let it do nothing else
    training_ratio        how long the training took inside the grading, by that of `main.py` with one thread
    sandbox_ratio         the grading, by one at the weakest level of the sandbox
    student_s             how long checks waited for student code, as the evidence of the grading has it
    fixed_s, help_s       the grading of one check, and the list of commands
    peak_pss_bytes        the most memory that all processes of a grading of its own had, what they share counted once

With `--against COMMIT`, that commit of this repository takes its turns in between, with the same packages, and the
table in docs/generated/performance.md is written.
"""

import contextlib
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
from tables import DATA, parse_options, write_figures, write_tables
from versions import checked_out

from grader.machine import count_cores

ROOT = Path(__file__).parents[2]
REFERENCE = Path("reference/hw1")
LOOK_S = 0.05
WORKERS = {"plain": "training", "observed": "slices", "": "whole files and report"}
"""What a worker is told of slices -> what it does."""
ROWS = {
    "ratio": "a grading ÷ `main.py`",
    "ratio_one_thread": "a grading ÷ `main.py` with one thread for BLAS",
    "cpu_ratio": "CPU time of a grading ÷ that of `main.py`",
    "training_ratio": "training inside a grading ÷ in `main.py` with one thread",
    "grade_s": "a grading, seconds",
    "main_py_s": "`main.py`, seconds",
    "fixed_s": "a grading of one check that runs nothing, seconds",
    "help_s": "`grader --help`, seconds",
    "peak_pss_bytes": "the most memory of a grading, all its processes, MB",
}


@dataclass(frozen=True, slots=True)
class Tree:
    folder: Path
    python: str = sys.executable

    def grade(self, data: str, out: Path, *more: str) -> tuple[str, ...]:
        return self.python, "-m", "grader", "grade", str(REFERENCE), "--data", data, "--out", str(out), *more

    def measure(self, name: str, *command: str, **environment: str) -> dict[str, float]:
        """Run a command to its end; return its wall time, the machine's CPU time meanwhile, and a time it printed."""
        before, began = _busy_s(), time.perf_counter()
        more = {**os.environ, **environment}
        done = subprocess.run(command, check=True, capture_output=True, cwd=self.folder, env=more)
        figures = {f"{name}_s": time.perf_counter() - began, f"{name}_cpu_s": _busy_s() - before}
        told = re.search(rb"^Time: ([\d.]+) seconds", done.stdout, re.MULTILINE)
        return figures | ({f"{name}_told_s": float(told[1])} if told else {})

    def run_once(self, data: str, out: Path) -> dict[str, float]:
        figures = self.measure("limits", *self.grade(data, out, "--sandbox", "limits"))
        figures |= self.measure("grade", *self.grade(data, out))
        evidence = json.loads((out / REFERENCE.name / "evidence.json").read_text())
        figures["student_s"] = sum(observation["student_s"] for observation in evidence["observations"])
        facts = {name: value for seen in evidence["observations"] for name, value in seen["facts"].items()}
        figures["training_s"] = facts.get("fit_s", math.nan)  # older versions do not tell
        main_py = self.python, str(REFERENCE / "main.py"), data
        figures |= self.measure("main_py", *main_py) | self.measure("one_thread", *main_py, OPENBLAS_NUM_THREADS="1")
        figures |= self.measure("fixed", *self.grade(data, out, "--only", "submission.files"))
        return figures | self.measure("help", self.python, "-m", "grader", "--help")

    def watch(self, data: str, out: Path) -> tuple[int, dict[str, float]]:
        """Return the most memory of a grading and all that it started, in bytes, and the CPU seconds of each kind."""
        most, spent = 0, {}
        with subprocess.Popen(
            self.grade(data, out), cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as running:
            grading = psutil.Process(running.pid)
            while running.poll() is None:
                with contextlib.suppress(psutil.Error):
                    seen = [grading, *grading.children(recursive=True)]
                    most = max(most, sum(map(_pss_bytes, seen)))
                    for process in seen:
                        _note_time(process, spent)
                time.sleep(LOOK_S)
        kinds = sorted({kind for kind, _ in spent.values()})
        return most, {kind: sum(s for other, s in spent.values() if other == kind) for kind in kinds}


def _note_time(process: psutil.Process, spent: dict[int, tuple[str, float]]) -> None:
    """Keep which kind a process is of, as its command line says, and how long it has computed."""
    with contextlib.suppress(psutil.Error):
        worker = re.search(r'slices\\*":\\*"(\w*)', " ".join(process.cmdline()))
        kind = WORKERS[worker[1]] if worker else spent.get(process.pid, ("grader", 0.0))[0]
        times = process.cpu_times()
        spent[process.pid] = kind, times.user + times.system


def _pss_bytes(process: psutil.Process) -> int:
    try:
        return int(process.memory_full_info().pss)
    except psutil.Error:  # it has just ended
        return 0


def _busy_s() -> float:
    """Return how long all cores together have been busy since the machine was started."""
    times = psutil.cpu_times()
    return float(times.user + times.nice + times.system)


def summarise(runs: list[dict[str, float]]) -> dict[str, float]:
    middle = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    quotients = {
        "ratio": middle["grade_s"] / middle["main_py_s"],
        "ratio_one_thread": middle["grade_s"] / middle["one_thread_s"],
        "cpu_ratio": middle["grade_cpu_s"] / middle["main_py_cpu_s"],
        "sandbox_ratio": middle["grade_s"] / middle["limits_s"],
        "training_ratio": middle["training_s"] / middle["one_thread_told_s"],
    }
    return quotients | middle


def as_table(names: list[str], figures: list[dict[str, float]]) -> Iterator[str]:
    yield f"| | {' | '.join(names)} |"
    yield f"|---|{'---|' * len(names)}"
    for key, words in ROWS.items():
        cells = (_cell(key, found[key]) for found in figures)
        yield f"| {words} | {' | '.join(cells)} |"


def _cell(key: str, figure: float) -> str:
    if math.isnan(figure):
        return "not told"
    return f"{figure / 1e6:.0f}" if key.endswith("_bytes") else f"{figure:.2f}"


def main() -> None:
    options = parse_options(__doc__, data=DATA, runs=3, against=("", "a commit, measured in turns with this version"))
    data = str(options.data.resolve())
    with contextlib.ExitStack() as stack:
        out = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        trees = {"now": Tree(ROOT)}
        if options.against:
            trees = {options.against: Tree(*stack.enter_context(checked_out(options.against))), **trees}
        turns = [{name: tree.run_once(data, out) for name, tree in trees.items()} for _ in range(options.runs)]
        figures = {name: summarise([turn[name] for turn in turns]) for name in trees}
        for name, tree in trees.items():
            figures[name]["peak_pss_bytes"], spent = tree.watch(data, out)
    table = list(as_table(list(trees), list(figures.values())))
    processes = ["| process | CPU, s |", "|---|---|", *(f"| {kind} | {cpu_s:.1f} |" for kind, cpu_s in spent.items())]
    sandbox = f"a grading ÷ one at the weakest level of the sandbox: {figures['now']['sandbox_ratio']:.2f}"
    print("\n".join([*table, "", sandbox, "", *processes]))
    write_figures("bench-grade", figures["now"] | {"cores": count_cores()})
    if options.against:
        write_tables(ROOT / "docs/generated/performance.md", {"grading": table, "processes": processes})


if __name__ == "__main__":
    main()
