import json
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.slow  # compiling every rung takes longer than any other test of the reference

ROOT = Path(__file__).parents[3]
MATMUL = ("multiply_from_global", "multiply_by_tiles", "multiply_without_conflicts")
MATMUL += ("matmul_kernel", "multiply_in_registers")
MAX = ("max_by_columns", "max_by_rows", "max_kernel", "max_of_host_arrays", "max_gpu")
COUNT = """
import json, sys
sys.path.insert(0, sys.argv[1])
import kernel_ladder
print(json.dumps(kernel_ladder.count_ladders(factors=(256, 32), entries=(64, 96))))
"""


@pytest.fixture(scope="module")
def differences():
    command = [sys.executable, "-m", "grader.cuda_cpu", str(Path(__file__).with_name("run_ladder.py"))]
    done = subprocess.run([*command, str(ROOT / "reference/hw1")], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("rung", [*MATMUL, *MAX])
def test_a_rung_does_what_the_one_below_does(differences, rung):
    assert differences[rung] < 1e-11 if rung in MATMUL else differences[rung] == 0


def test_every_rung_was_held_against_another(differences):
    assert set(differences) == {*MATMUL, *MAX}


@pytest.fixture(scope="module")
def counted():
    command = [sys.executable, "-c", COUNT, str(ROOT / "tests/benchmarks")]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_every_rung_repairs_what_it_says(counted):
    steps = 256 * 256 * 32 / 32
    by_global, by_tiles, padded, half, best = (counted[name] for name in MATMUL)
    assert by_global["shared_passes"] == 0
    assert by_tiles["sectors"] < by_global["sectors"] / 10
    assert by_tiles["shared_passes"] / steps > 34
    assert by_tiles["conflict_passes"] > 0 == padded["conflict_passes"]
    assert 4 <= padded["shared_passes"] / steps < 4.3
    assert half["shared_passes"] < 0.6 * padded["shared_passes"]
    assert best["shared_passes"] < 0.4 * half["shared_passes"]
    assert best["conflict_passes"] == 0
    columns, rows, top = (counted[name]["sectors"] for name in MAX[:3])
    assert columns > 2 * rows > 2 * top
    assert top == counted["max_kernel"]["least_sectors"] == 3 * 64 * 96 / 4


@pytest.fixture(scope="module")
def program():
    return SimpleNamespace(**runpy.run_path(str(ROOT / "tests/benchmarks/kernel_ladder.py")))


def test_the_tables_claim_no_time_without_a_gpu_and_hold_copies_against_both_floors(program):
    steps = 784 * 784 * 128 / 32
    costs = {"sectors": 2 * steps, "shared_passes": steps, "conflict_passes": 0}
    without = list(program.matmul_rows(["matmul_kernel"], {"matmul_kernel": costs}, {}, {}))[-1]
    assert without.count("needs a GPU") == 2
    assert "| 2 | 1 | 0 | 50% |" in without
    timed = {"seconds": {"matmul_kernel": 1e-3}, "peak_flops_per_s": 2 * 784 * 784 * 128 * 2e3}
    with_gpu = list(program.matmul_rows(["matmul_kernel"], {"matmul_kernel": costs}, {"matmul_kernel": (64, 0)}, timed))
    assert with_gpu[-1].endswith("| 64, 0 | 1 ms | 50% |")
    timed = {"seconds": {"max_gpu": 2.4e-3, "max_of_host_arrays": 6e-3, "pinned_floor": 1e-3, "pageable_floor": 2e-3}}
    *_, last = program.copy_rows({**timed, "peak_flops_per_s": None})
    assert last == "| `max_gpu` | 3 | 2.4 ms | 2.40 | 1.20 |"
    assert list(program.copy_rows({}))[-1].count("needs a GPU") == 3
