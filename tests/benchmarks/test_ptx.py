import pytest
from benchmarks.ptx import MODELS, compute_occupancy, count_resident_blocks, read_log
from rows import each

BY_ARCHITECTURE = {"sm_{}{}".format(*model.compute_capability): model for model in MODELS}
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


@each(
    "architecture, threads, registers, shared_bytes, blocks, limit",
    *(("sm_90", 256, 32, 0, 8, "threads"), ("sm_100", 256, 64, 0, 4, "registers")),
    *(("sm_90", 32, 16, 0, 32, "blocks"), ("sm_90", 64, 16, 47 * 1024, 4, "shared memory")),
    *(("sm_75", 64, 16, 32 * 1024, 2, "shared memory"), ("sm_120", 1024, 32, 0, 1, "threads")),
    ("sm_86", 1024, 80, 0, 0, "registers"),
)
def test_the_scarcest_resource_limits_the_blocks(architecture, threads, registers, shared_bytes, blocks, limit):
    assert count_resident_blocks(BY_ARCHITECTURE[architecture], threads, registers, shared_bytes) == (blocks, limit)


def test_occupancy_is_the_part_of_the_threads_in_use():
    assert compute_occupancy(BY_ARCHITECTURE["sm_86"], 1024, 32, 0) == pytest.approx(2 / 3)
    assert compute_occupancy(BY_ARCHITECTURE["sm_90"], 1000, 32, 0) == 1.0


def test_the_log_is_read_and_static_shared_memory_is_counted():
    spills = {"spill_stores": 12, "spill_loads": 16}
    assert read_log(PTX, LOG) == spills | {"registers": 24, "shared_bytes": 2148}
