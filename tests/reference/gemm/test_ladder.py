"""The rungs of the ladder of products: right, and loading as little as predicted."""

import json
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
COUNT = """
import json, sys
sys.path.insert(0, sys.argv[1])
import gemm_ladder
print(json.dumps(gemm_ladder.count_rungs(sizes=(128, 64, 128))))
"""
RUNGS = ("naive_kernel", "tiled_kernel", "blocked_kernel", "wide_kernel", "buffered_kernel", "paired_kernel")


@pytest.fixture(scope="module")
def counted():
    command = [sys.executable, "-c", COUNT, str(BENCHMARKS)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.fixture(scope="module")
def program():
    return SimpleNamespace(**runpy.run_path(str(BENCHMARKS / "gemm_ladder.py")))


@pytest.mark.slow
def test_every_rung_is_right_and_loads_what_is_predicted(counted):
    assert tuple(counted) == RUNGS
    for costs in counted.values():
        assert costs["error"] < 1e-4
        assert [costs["global_loads"], costs["shared_loads"]] == pytest.approx(costs["predicted"])


@pytest.mark.slow
def test_every_rung_needs_fewer_passes_than_the_one_below(counted):
    tiled, blocked, wide, buffered, paired = (counted[name]["passes"] for name in RUNGS[1:])
    assert tiled > 3 * blocked > 5 * wide
    assert [buffered, paired] == pytest.approx([wide, wide], rel=0.2)
    assert counted["wide_kernel"]["conflicts"] == counted["paired_kernel"]["conflicts"] == 0


def test_the_tables_claim_no_time_without_a_gpu_a_share_of_cublas_with_one_and_known_registers(program):
    costs = {"predicted": (2, 0), "global_loads": 2, "shared_loads": 0, "passes": 0.5, "conflicts": 0}
    assert list(program.load_rows({"wide_kernel": costs}, {}))[-1].endswith("| 50% | needs a GPU | needs a GPU |")
    with_gpu = list(program.load_rows({"wide_kernel": costs}, {"wide_kernel": 4e-3, "cuBLAS": 3e-3}))[-1]
    assert with_gpu.endswith("| 4 ms | 75% |")
    rows = list(program.register_rows(["wide_kernel"], {"wide_kernel": {"A100": (128, 0, 0.25)}}))
    assert rows[-1] == "| `wide_kernel` | needs the extra `ptx` | 128, 0, 25% | needs the extra `ptx` |"
