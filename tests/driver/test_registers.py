"""Registers and shared memory of the reference's kernels, as NVIDIA's assembler gives them out: each can be launched.

With 94 registers a thread, as an earlier matmul_kernel had on a 2080 Ti, a block of 1024 threads starts on no GPU.
"""

import json

import pytest
from driver.standin import ROOT

PROGRAM = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from benchmarks.ptx import KernelRequest, measure_kernels

models = {"T4, RTX 20", "A100", "H100, H200"}
for name, kernels in json.loads(sys.argv[1]).items():
    kinds = {"matmul": "(float64[:, ::1], float64[:, ::1])", "max": "(int64[:, ::1], int64[:, ::1], int64[:, ::1])"}
    asked = [KernelRequest(kernel, kinds[kind], threads) for kernel, (kind, threads) in kernels.items()]
    for found in measure_kernels(Path(name), asked, models):
        print(json.dumps(asdict(found)))
"""
REFERENCE = {
    "max_functions.py": {"max_kernel": ("max", 1000)},
    "matmul_functions.py": {"matmul_kernel": ("matmul", 1024)},
}
LADDER = {
    **dict.fromkeys(("max_by_columns", "max_by_rows"), ("max", 1000)),
    **dict.fromkeys(("multiply_from_global", "multiply_by_tiles", "multiply_without_conflicts"), ("matmul", 1024)),
    "multiply_in_registers": ("matmul", 1024),
}
REGISTERS, STATIC_SHARED_BYTES = 65536, 48 << 10
"""Of a multiprocessor, and of a block that asks for no more by name: the same for all three kinds of GPU."""


@pytest.fixture(scope="module")
def measured(installation):
    """Each kernel on each kind of GPU, with its number of threads."""
    if installation.name == "numba":
        pytest.skip("Numba's own target brings no assembler")
    files = {str(ROOT / "reference/hw1" / name): kernels for name, kernels in REFERENCE.items()}
    files |= {str(ROOT / "reference/hw1/ladder.py"): LADDER}
    done = installation.run(ROOT, "-c", PROGRAM, json.dumps(files), PYTHONPATH=f"{ROOT}:{ROOT / 'tests'}")
    assert done.returncode == 0, done.stderr
    threads = {name: count for kernels in files.values() for name, (_kind, count) in kernels.items()}
    return [(entry, threads[entry["kernel"]]) for entry in map(json.loads, done.stdout.splitlines())]


def test_every_kernel_of_the_reference_fits_each_kind_of_gpu(measured):
    assert len(measured) == 3 * (len(LADDER) + len(REFERENCE))
    for entry, threads in measured:
        assert 0 < entry["registers"] * 32 * -(-threads // 32) <= REGISTERS, entry
        assert entry["shared_bytes"] <= STATIC_SHARED_BYTES, entry
        assert entry["occupancy"] > 0, entry


def test_the_graded_kernels_keep_all_in_registers(measured):
    graded = [entry for entry, _threads in measured if entry["kernel"] in {"max_kernel", "matmul_kernel"}]
    assert {entry["spill_bytes"] for entry in graded} == {0}


def test_the_top_rung_of_gemm_and_the_peak_leave_the_scheduler_to_multiply_adds(installation):
    program = "import json, runpy; print(json.dumps(list(runpy.run_path('tests/benchmarks/sass.py')['rows']())))"
    done = installation.run(ROOT, "-c", program, PYTHONPATH=f"{ROOT}:{ROOT / 'tests/benchmarks'}")
    if "IndexError" in done.stderr or installation.name == "numba":
        pytest.skip("no nvdisasm here: make gpu-environments brings it for CUDA 13")
    assert done.returncode == 0, done.stderr
    table = {
        line.split("`")[1] if "`" in line else "peak": line.split("|")[-2].split(", ")
        for line in json.loads(done.stdout.splitlines()[-1])[2:]
    }
    assert int(table["peak"][2].strip().rstrip("%")) >= 90
    assert int(table["paired_kernel"][2].strip().rstrip("%")) >= 60
    assert {name: double for name, (_, double, _) in table.items() if int(double)} == {}
