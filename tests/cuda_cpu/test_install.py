import importlib
import sys

import numba
import pytest
from numba import cuda
from subprocesses import ended

import grader.cuda_cpu

pytestmark = pytest.mark.wide

SCRIPT = """
import sys
import numpy as np
from numba import cuda, float32
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float64

@cuda.jit
def kernel(states, out):
    i = cuda.grid(1)
    out[i] = xoroshiro128p_uniform_float64(states, i)
    if i == 0:
        print("thread", i, 1.5, True)

out = np.zeros(64)
kernel[2, 32](create_xoroshiro128p_states(64, seed=1), out)
assert 0.3 < out.mean() < 0.7 and len(set(out)) == 64
total = cuda.reduce(lambda a, b: a + b)
assert total(np.arange(1000)) == 499500
print("arguments", sys.argv[1:], __name__)
"""
SUMS = """
import numpy as np

def add_to(out, i, value):
    out[i] += value

add_to = cuda.jit(device=True)(add_to)

@cuda.jit
def kernel(out):
    shared = cuda.shared.array(8, "float64")
    shared[cuda.threadIdx.x] = cuda.threadIdx.x
    cuda.syncthreads()
    add_to(out, cuda.threadIdx.x, shared[7 - cuda.threadIdx.x])

out = np.ones(8)
kernel[1, 8](out)
print(out.sum())
"""
REAL, STAND_IN = "import numba.cuda", "import grader.cuda_cpu.cuda_module"
INSTALL = "import grader.cuda_cpu; grader.cuda_cpu.install(); from numba import cuda"


def run(*arguments):
    return ended([sys.executable, "-m", "grader.cuda_cpu", *map(str, arguments)], timeout=120)


def test_installing_twice_changes_nothing():
    before = sys.modules["numba.cuda"]
    grader.cuda_cpu.install()
    assert sys.modules["numba.cuda"] is before is numba.cuda is cuda


ORDERS = [
    pytest.param([REAL], id="real", marks=pytest.mark.wide),
    pytest.param([REAL, STAND_IN], id="real-own"),
    pytest.param([STAND_IN, REAL], id="own-real"),
]


@pytest.mark.parametrize("imports", ORDERS)
def test_it_takes_the_place_of_the_real_one_in_any_order(imports):
    done = ended([sys.executable, "-c", "\n".join([*imports, INSTALL, SUMS])], timeout=120)
    assert done.stdout == "36.0\n", done.stderr


@pytest.mark.parametrize("imports", [[], [REAL]], ids=["alone", "real"])
def test_without_being_installed_it_compiles_nothing_and_says_so(imports):
    code = "\n".join([*imports, "from grader.cuda_cpu.cuda_module import cuda", SUMS])
    done = ended([sys.executable, "-c", code], timeout=120)
    assert done.stderr.endswith("is not installed in this process: call grader.cuda_cpu.install() first\n")


def test_submodules_can_be_imported_and_others_are_refused_by_name():
    assert importlib.import_module("numba.cuda.random").init_xoroshiro128p_states
    with pytest.raises(ModuleNotFoundError, match=r"numba\.cuda\.codegen is not part of the CUDA executor"):
        importlib.import_module("numba.cuda.codegen")


def test_a_script_runs_with_its_arguments_and_a_missing_one_is_one_clear_sentence(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = run(script, "one", "--two")
    assert done.returncode == 0, done.stderr
    assert "arguments ['one', '--two'] __main__" in done.stdout
    assert "thread 0 1.500000 True" in done.stdout
    done = run(tmp_path / "missing.py")
    assert done.returncode == 2
    assert "is no file" in done.stderr
    assert run().returncode == 2


def test_the_package_stands_alone():
    code = (
        "import sys; import grader.cuda_cpu as c; c.install(); import grader.cuda_cpu.kernel\n"
        "print([m for m in sys.modules if m.startswith('grader.') and not m.startswith('grader.cuda_cpu')])"
    )
    done = ended([sys.executable, "-c", code], timeout=120)
    assert done.stdout.strip() == "[]", done.stderr
