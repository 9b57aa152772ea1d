from pathlib import Path

import pytest
from benchmarks import ptx
from benchmarks.ptx import (
    MODELS,
    KernelRequest,
    compute_occupancy,
    count_resident_blocks,
    is_installed,
    measure_kernels,
    read_log,
)
from rows import each

BY_ARCHITECTURE = {model.architecture: model for model in MODELS}
LOG = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'kernel' for 'sm_90'
ptxas         .     8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 24 registers, used 1 barriers
"""
PTX = """\
.visible .shared .align 8 .b8 _cudapy_smem_1[2048];
\t.shared .align 4 .b8 other[100];
\tst.shared.f64 \t[%rd32], %fd1;
"""
KERNELS = """\
from numba import cuda, float64

@cuda.jit("void(float64[:])")
def small(x):
    tile = cuda.shared.array(32, float64)
    tile[cuda.threadIdx.x] = x[cuda.threadIdx.x]
    cuda.syncthreads()
    x[cuda.threadIdx.x] = tile[0]

@cuda.jit
def large(x):
    tile = cuda.shared.array((100, 100), float64)
    tile[0, 0] = x[0]
    x[1] = tile[1, 1]
"""


@each(
    "architecture, threads, registers, shared_bytes, blocks, limit",
    ("sm_90", 256, 32, 0, 8, "threads"),
    ("sm_90", 256, 64, 0, 4, "registers"),
    ("sm_90", 32, 16, 0, 32, "blocks"),
    ("sm_90", 64, 16, 47 * 1024, 4, "shared memory"),
    ("sm_75", 64, 16, 32 * 1024, 2, "shared memory"),
    ("sm_86", 1024, 32, 0, 1, "threads"),
    ("sm_86", 1024, 80, 0, 0, "registers"),
)
def test_the_scarcest_resource_limits_the_blocks(architecture, threads, registers, shared_bytes, blocks, limit):
    assert count_resident_blocks(BY_ARCHITECTURE[architecture], threads, registers, shared_bytes) == (blocks, limit)


def test_occupancy_is_the_part_of_the_threads_in_use():
    assert compute_occupancy(BY_ARCHITECTURE["sm_86"], 1024, 32, 0)[0] == pytest.approx(2 / 3)
    assert compute_occupancy(BY_ARCHITECTURE["sm_90"], 1000, 32, 0) == (1.0, "threads")


def test_the_log_is_read_and_static_shared_memory_is_counted():
    spills = {"spill_store_bytes": 12, "spill_load_bytes": 16}
    assert read_log(PTX, LOG) == spills | {"registers": 24, "barriers": 1, "stack_bytes": 8, "shared_bytes": 2148}


def test_without_the_extra_the_next_step_is_named(monkeypatch):
    monkeypatch.setattr(ptx, "is_installed", lambda: False)
    with pytest.raises(RuntimeError, match=r"pip install --editable '\.\[ptx\]'"):
        measure_kernels(Path("kernels.py"), [])


@pytest.mark.slow
@pytest.mark.skipif(not is_installed(), reason="needs the extra ptx")
def test_a_kernel_is_assembled_for_each_gpu(tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text(KERNELS)
    names = ("small", "large", "missing")
    found = measure_kernels(path, [KernelRequest(name, "(float64[::1],)", 32) for name in names])
    assert len(found) == 3 * len(MODELS)
    by_name = {name: [entry for entry in found if entry.kernel == name] for name in names}
    assert all(entry.registers > 0 and entry.shared_bytes == 256 for entry in by_name["small"])
    assert all("too much shared data" in entry.error for entry in by_name["large"])
    assert all("no kernel missing" in entry.error for entry in by_name["missing"])
