"""The next step after an exception, for texts that Python, NumPy, Numba and the executor really say."""

import numpy as np
import pytest
from numba import njit

from grader.cuda_cpu import install

install()
from numba import cuda  # noqa: E402 - the executor's

from grader.worker.advice import advise  # noqa: E402 - after the above


def unfinished(a):
    a[0] = absent  # noqa: F821 - that is the mistake


def plain(x):
    return x


def calls_plain(a):
    return plain(a[0])


@cuda.jit
def right(a):
    a[0] = 1


@cuda.jit
def without_x(a):
    i = cuda.threadIdx
    if i < a.size:
        a[i] = 1


@cuda.jit
def misspelt(a):
    a[cuda.threadidx.x] = 1


@cuda.jit
def returns(a):
    return a[0]


@cuda.jit
def greedy(a):
    tile = cuda.shared.array((784, 128), "float64")
    tile[0, 0] = a[0]
    a[0] = tile[0, 0]


@cuda.jit
def sized_late(a):
    tile = cuda.shared.array(a.size, "float64")
    a[0] = tile[0]


CASES = {
    "a name that is nowhere, in compiled code": (lambda: njit(unfinished)(np.zeros(3)), "is it misspelt"),
    "a name that is nowhere": (lambda: unfinished(np.zeros(3)), "is it misspelt"),
    "a plain function in compiled code": (lambda: njit(calls_plain)(np.zeros(3)), "put @njit in front"),
    "no .x": (lambda: without_x[1, 3](np.zeros(3)), "write cuda.threadIdx.x"),
    "a wrong letter": (lambda: misspelt[1, 3](np.zeros(3)), "capital letters included"),
    "a kernel with a result": (lambda: returns[1, 3](np.zeros(3)), "write the answer into an array"),
    "a matrix in shared memory": (lambda: greedy[1, 3](np.zeros(3)), "keep one tile"),
    "a shape that is no constant": (lambda: sized_late[1, 3](np.zeros(3)), "is a constant"),
    "too many threads": (lambda: right[1, 2000](np.zeros(3)), "at most 1024"),
    "no counts": (lambda: right(np.zeros(3)), "kernel[blocks, threads per block]"),
    "two pairs of brackets": (lambda: right[1][3](np.zeros(3)), "one pair of brackets"),
    "an argument short": (right[1, 3], "one argument for each"),
    "no @cuda.jit": (lambda: plain[1, 3](np.zeros(3)), "put @cuda.jit in front"),
    "a shape in two arguments": (lambda: np.zeros(3, 4), "two pairs of parentheses"),
    "a row as a condition": (lambda: 1 if np.zeros(3) > 1 else 2, "Compare single entries"),
    "shapes that differ": (lambda: np.zeros(3) + np.zeros(4), "print both shapes"),
    "a division for a count": (lambda: range(10 / 2), "`//` a whole number"),
    "nothing returned": (lambda: [*None], "is a return statement missing"),
    "an argument missing": (plain, "keep the parameters"),
    "a caret for a power": (lambda: np.e ^ np.zeros(3), "write ** or np.exp"),
    "beyond the end": (lambda: np.zeros(3)[3], "take the loops' ends from the shape"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_a_beginner_runs_into_has_a_next_step(name):
    run, words = CASES[name]
    with pytest.raises(Exception) as raised:  # noqa: PT011 - which one is what libraries decide
        run()
    assert words in advise(type(raised.value).__name__, str(raised.value)), str(raised.value)


def test_what_nobody_knows_has_none():
    assert advise("ZeroDivisionError", "division by zero") == ""
