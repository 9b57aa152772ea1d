"""A new assignment whose checks only compare values: who did not do the work as declared gets nothing for it."""

import textwrap

import pytest

from grader.assignment import load_assignment
from grader.errors import StaffError
from grader.grading import Options, grade

pytestmark = pytest.mark.wide

SHEET = """
files = ["axpy.py"]

[graded.axpy]
python = ["axpy_cpu"]
compiled = ["axpy_numba"]
gpu = ["axpy_gpu"]
kernels = ["axpy_kernel"]
"""
RUBRIC = """
assignment = "axpy"
title = "a·x + y"
total = 10
check = [
    { id = "axpy.cpu", part = "All", points = 3 },
    { id = "axpy.numba", part = "All", points = 3 },
    { id = "axpy.gpu", part = "All", points = 4 },
]
"""
CHECKS = """
from grader.authoring import check, expect

def expect_sum(rng, function):
    x, y = rng.uniform(size=(2, 500))
    expect("a·x + y", function(3.0, x, y), 3 * x + y, atol=1e-9)

@check("axpy.cpu")
def test_cpu(student, rng):
    expect_sum(rng, student.axpy.axpy_cpu)

@check("axpy.numba")
def test_numba(student, rng):
    expect_sum(rng, student.axpy.axpy_numba)

@check("axpy.gpu")
def test_gpu(student, rng):
    expect_sum(rng, student.axpy.axpy_gpu)
"""
HONEST = """
import numpy as np
from numba import cuda, njit

def axpy_cpu(a, x, y):
    out = np.empty(len(x))
    for i in range(len(x)):
        out[i] = a * x[i] + y[i]
    return out

@njit
def axpy_numba(a, x, y):
    out = np.empty(len(x))
    for i in range(len(x)):
        out[i] = a * x[i] + y[i]
    return out

@cuda.jit
def axpy_kernel(a, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a * x[i] + y[i]

def axpy_gpu(a, x, y):
    out = cuda.device_array(len(x))
    axpy_kernel[4, 128](a, cuda.to_device(x), cuda.to_device(y), out)
    return out.copy_to_host()
"""
EMPTY = """
@cuda.jit
def axpy_kernel(a, x, y, out):
    pass

def axpy_gpu(a, x, y):
    out = MEMORY
    axpy_kernel[4, 128](a, cuda.to_device(x), cuda.to_device(y), out)
    return ANSWER
"""


def with_empty_kernel(answer, memory="cuda.device_array(len(x))"):
    return EMPTY.replace("MEMORY", memory).replace("ANSWER", answer)


CHEATS = {
    "cpu by NumPy": ("axpy.cpu", "failed", "def axpy_cpu(a, x, y):\n    return a * x + y\n"),
    "compiled NumPy": ("axpy.numba", "failed", "@njit\ndef axpy_numba(a, x, y):\n    return a * x + y\n"),
    "not compiled": ("axpy.numba", "failed", "def axpy_numba(a, x, y):\n    return axpy_cpu(a, x, y)\n"),
    "NumPy's numbers, stored by compiled code": (
        *("axpy.numba", "inconclusive"),
        """
@njit
def store(out, i, value):
    out[i] = value

def axpy_numba(a, x, y):
    out, sums = np.empty(len(x)), a * x + y
    for i in range(len(x)):
        store(out, i, float(sums[i]))
    return out
""",
    ),
    "compiled NumPy, known by a function's type": (
        *("axpy.numba", "failed"),
        """
def whole(a, x, y): return a * x + y
def other(a, x, y): return y

compiled = njit("float64[::1](float64, float64[::1], float64[::1])")
WAYS = (compiled(whole), compiled(other))

@njit
def axpy_numba(a, x, y):
    return WAYS[int(a > 1e9)](a, x, y)
""",
    ),
    "no launch": ("axpy.gpu", "failed", "def axpy_gpu(a, x, y):\n    return a * x + y\n"),
    "NumPy, and an empty kernel": ("axpy.gpu", "failed", with_empty_kernel("a * x + y")),
    "a loop, and an empty kernel": ("axpy.gpu", "inconclusive", with_empty_kernel("axpy_cpu(a, x, y)")),
    "the kernel gets the answer": (
        *("axpy.gpu", "inconclusive"),
        with_empty_kernel("out.copy_to_host()", "cuda.to_device(a * x + y)"),
    ),
}


@pytest.fixture
def outcomes(tmp_path):
    """Return a function that grades a file: check -> outcome."""

    def run(source, checks=CHECKS, sheet=SHEET):
        folder = tmp_path / "courses/axpy"
        (folder / "checks").mkdir(parents=True)
        # a name of its own: pytest keeps imported test modules, and all these gradings share one process
        (folder / f"checks/test_{tmp_path.name}.py").write_text(checks)
        (folder / "assignment.toml").write_text(sheet)
        (folder / "rubric.toml").write_text(RUBRIC)
        submission = tmp_path / "handed-in"
        submission.mkdir()
        (submission / "axpy.py").write_text(textwrap.dedent(source))
        report = grade(submission, load_assignment("axpy", root=folder.parent), Options(seed=1, device="cpu"))
        return {result.criterion.id: result.outcome.value for result in report.results}

    return run


def test_an_honest_solution_passes(outcomes):
    assert outcomes(HONEST) == {"axpy.cpu": "passed", "axpy.numba": "passed", "axpy.gpu": "passed"}


@pytest.mark.parametrize(
    "cheats",
    [
        ("cpu by NumPy", "compiled NumPy", "no launch"),
        ("not compiled", "NumPy, and an empty kernel"),
        ("a loop, and an empty kernel", "NumPy's numbers, stored by compiled code"),
        ("the kernel gets the answer", "compiled NumPy, known by a function's type"),
    ],
)
def test_an_answer_that_was_made_in_another_way_gets_no_points(outcomes, cheats):
    expected = dict.fromkeys(("axpy.cpu", "axpy.numba", "axpy.gpu"), "passed")
    text = ""
    for cheat in cheats:
        check, expected[check], changed = CHEATS[cheat]
        text += changed
    assert outcomes(HONEST + text) == expected


def test_a_check_may_leave_the_question_to_another(outcomes):
    checks = CHECKS.replace('@check("axpy.gpu")', '@check("axpy.gpu", values_only=True)')
    assert outcomes(HONEST + CHEATS["no launch"][2], checks)["axpy.gpu"] == "passed"


def test_work_of_the_host_after_the_kernels_is_a_persons_to_judge(outcomes):
    """The last sum of a reduction is the usual thing to do; where no check says so, it costs no point."""
    text = """
def axpy_gpu(a, x, y):
    first, second = cuda.device_array(len(x)), cuda.device_array(len(x))
    axpy_kernel[4, 128](a, cuda.to_device(x), cuda.to_device(np.zeros(len(x))), first)
    axpy_kernel[4, 128](1.0, cuda.to_device(y), cuda.to_device(np.zeros(len(x))), second)
    return first.copy_to_host() + second.copy_to_host()
"""
    assert outcomes(HONEST + text)["axpy.gpu"] == "inconclusive"


def test_a_function_has_to_be_declared_as_something(tmp_path):
    (tmp_path / "axpy").mkdir()
    (tmp_path / "axpy/assignment.toml").write_text('files = ["axpy.py"]\n[graded]\naxpy = ["axpy_cpu"]\n')
    with pytest.raises(StaffError, match="has lists called values, python, compiled, gpu, kernels"):
        load_assignment("axpy", root=tmp_path)
