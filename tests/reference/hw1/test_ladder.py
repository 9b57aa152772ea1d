import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
MATMUL = (
    "multiply_from_global",
    "multiply_by_tiles",
    "multiply_without_conflicts",
    "multiply_one_half",
    "matmul_kernel",
)
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


@pytest.mark.parametrize("rung", MATMUL)
def test_a_rung_of_the_product_does_what_the_one_below_does(differences, rung):
    assert differences[rung] < 1e-11


@pytest.mark.parametrize("rung", MAX)
def test_a_rung_of_the_maximum_does_what_the_one_below_does(differences, rung):
    assert differences[rung] == 0


def test_every_rung_was_held_against_another(differences):
    assert set(differences) == {*MATMUL, *MAX}


@pytest.fixture(scope="module")
def counted():
    command = [sys.executable, "-c", COUNT, str(ROOT / "tests/benchmarks")]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.slow
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
