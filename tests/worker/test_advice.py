"""The next step after an exception, for texts that Python, NumPy, Numba and the executor really say."""

import textwrap

import numpy as np
import pytest
from numba import njit
from rows import each

from grader.cuda_cpu import install

install()
from numba import cuda  # noqa: E402 - the executor's

from grader.worker.advice import advise  # noqa: E402 - after the above


def unfinished(a):
    a[0] = absent  # noqa: F821 - that is the mistake


def uses_prange(a):
    for i in prange(len(a)):  # noqa: F821 - that is the mistake, here and below
        a[i] = 1


def uses_zeros(n):
    return np.zeros(n, dtype=int) + maximum(n, 2)  # noqa: F821


def uses_math(x):
    return math.sqrt(x)  # noqa: F821


def plain(x):
    return x


def calls_plain(a):
    return plain(a[0])


@cuda.jit
def right(a):
    a[0] = 1


@cuda.jit("void(float32[:])")
def of_one_type(a):
    a[0] = 1


def fills_a_list(n):
    rows = [[0] * n] * n
    rows[0, 1] = n


class Work:
    kernel = right


@njit
def launches(a):
    right[1, 3](a)


ROW, GRID = np.zeros(3), np.zeros((4, 4))
NAMES = {"cuda": cuda, "np": np, "SETTINGS": {"size": 3}}
BODIES = {
    "a fraction as an index": ("i = cuda.grid(1)\na[i / 2] = 1", ROW, "write // instead of /"),
    "np.maximum of rows": ("a[2] = np.maximum(a[0], a[1])", GRID, "makes no new arrays"),
    "arithmetic of rows": ("a[0] = a[0] * a[1]", GRID, "makes no new arrays"),
    "a comparison of rows": ("if a[0] > a[1]:\n    a[0, 0] = 1", GRID, "Compare single entries"),
    "np.zeros in a kernel": ("row = np.zeros(a.shape[0])\na[0] = row[0]", ROW, "makes no new arrays"),
    "np.dot in a kernel": ("a[0, 0] = np.dot(a[0], a[1])", GRID, "write the loops"),
    "a list in a kernel": ("found = []\nfound.append(a[0])", ROW, "makes no lists"),
    "a generator in a kernel": ("a[0] = sum(x * x for x in a)", ROW, "write the loop"),
    "try in a kernel": ("try:\n    a[cuda.grid(1)] = 1\nexcept IndexError:\n    a[0] = 1", ROW, "no try and except"),
    "grid(1) as two numbers": ("i, j = cuda.grid(1)\na[i] = j", ROW, "cuda.grid(1) is one number"),
    "grid(2) as one number": ("i = cuda.grid(2)\nif i < a.shape[0]:\n    a[i] = 1", GRID, "cuda.grid(2) two"),
    "an f-string in a kernel": ("print(f'{cuda.grid(1)}')\na[0] = 1", ROW, "without f-strings"),
    "a number that is called": ("a[cuda.threadIdx.x()] = 1", ROW, "leave out the parentheses"),
    "threadIdx without cuda": ("a[threadIdx.x] = 1", ROW, "Write cuda. in front"),
    "a loop over a number": ("for i in a.shape[0]:\n    a[i] = 1", ROW, "range(n)"),
    "a shared array without a type": ("tile = cuda.shared.array(32)\na[0] = tile[0]", ROW, "needs a shape and a type"),
    "Python's float": ("tile = cuda.local.array(32, float)\na[0] = tile[0]", ROW, "from numba import float64"),
    "a dict in a kernel": ("a[0] = SETTINGS['size']", ROW, "no other objects"),
    "a type of Numba's, not imported": ("a[0] = float32(1)", ROW, "add `from numba import float32`."),
    "sqrt, not imported": ("a[0] = sqrt(a[1])", ROW, "write math.sqrt for single numbers"),
    "no .x": ("i = cuda.threadIdx\nif i < a.size:\n    a[i] = 1", ROW, "write cuda.threadIdx.x"),
    "a wrong letter": ("a[cuda.threadidx.x] = 1", ROW, "capital letters included"),
    "a kernel with a result": ("return a[0]", ROW, "write the answer into an array"),
    "an index beyond the end": ("a[cuda.threadIdx.x + 1] = 1", ROW, "`a` has 3 entries, and the index is 3"),
    "two indices exchanged": ("a[cuda.threadIdx.x, 1] = 1", np.zeros((2, 5)), "`a` has 2 rows, and the index is 2"),
    "a matrix in shared memory": (
        "tile = cuda.shared.array((784, 128), 'float64')\ntile[0, 0] = a[0]\na[0] = tile[0, 0]",
        ROW,
        "keep one tile",
    ),
    "a shape of no constant": ("tile = cuda.shared.array(a.size, 'float64')\na[0] = tile[0]", ROW, "a constant: WIDE"),
}
"""What stands in a kernel, and the array that it is launched with."""
PRANGE = "`prange` is not imported: add `from numba import prange`."
MAXIMUM = "`maximum` is not defined: write np.maximum for arrays (`import numpy as np`)."
CASES = {
    "a shape in two arguments, compiled": (lambda: njit(lambda n: np.zeros(n, n))(3), "two pairs of parentheses"),
    "a shape in a list, compiled": (lambda: njit(lambda n: np.zeros([n, n]))(3), "two pairs of parentheses"),
    "a list of lists, compiled": (lambda: njit(fills_a_list)(3), "make an array"),
    "a format, compiled": (lambda: njit(lambda n: print(f"{n:3d}"))(3), "without a format"),
    "a kernel of a class": (lambda: Work().kernel[1, 3](ROW), "Work.kernel[blocks, threads]"),
    "a fraction of blocks": (lambda: right[1000 / 10, 3](np.zeros(3)), "write // instead of /"),
    "no blocks": (lambda: right[3 // 10, 3](np.zeros(3)), "rounds up"),
    "a local array outside a kernel": (lambda: cuda.local.array(3, float), "are for kernels"),
    "a list for an array": (lambda: right[1, 3]([0, 0, 0]), "it was given a list"),
    "an array of objects": (lambda: right[1, 3](np.array([None])), "give it a type of numbers"),
    "names of arguments": (lambda: right[1, 3](a=np.zeros(3)), "in order, without names"),
    "types that are not the arguments'": (lambda: of_one_type[1, 3](np.zeros(3)), "write it without types"),
    "njit for a kernel": (lambda: njit(plain)[1, 3](np.zeros(3)), "a kernel needs @cuda.jit"),
    "njit around a launch": (lambda: launches(np.zeros(3)), "take @njit away"),
    "arithmetic on the device": (lambda: cuda.to_device(GRID) * 2, "copy_to_host() gives one"),
    "a method that is gone": (lambda: cuda.to_device(GRID).to_host(), "copy_to_host() gives one"),
    "what a launch returns": (lambda: right[1, 3](np.zeros(3)).copy_to_host(), "A launch gives nothing back"),
    "a part of an array": (lambda: cuda.to_device(GRID[::2, ::2]), "np.ascontiguousarray"),
    "np.float": (lambda: np.zeros(3, np.float), "np.float64"),  # noqa: NPY001 - that is the mistake
    "a function without its argument": (lambda: 1 + np.exp, "call it, as in np.exp(x)"),
    "nowhere, in compiled code": (lambda: njit(unfinished)(np.zeros(3)), "`absent` is not defined: is it misspelt"),
    "a name that is nowhere": (lambda: unfinished(np.zeros(3)), "is it misspelt"),
    "prange, not imported": (lambda: njit(uses_prange)(np.zeros(3)), PRANGE),
    "prange in a kernel": (lambda: cuda.jit(uses_prange)[1, 3](np.zeros(3)), PRANGE),
    "NumPy's maximum, without np": (lambda: uses_zeros(3), MAXIMUM),
    "math, not imported": (lambda: uses_math(3), "`math` is not imported: add `import math`."),
    "a plain function in compiled code": (lambda: njit(calls_plain)(np.zeros(3)), "put @njit in front"),
    "too many threads": (lambda: right[1, 2000](np.zeros(3)), "at most 1024"),
    "no counts": (lambda: right(np.zeros(3)), "kernel[blocks, threads per block]"),
    "two pairs of brackets": (lambda: right[1][3](np.zeros(3)), "one pair of brackets"),
    "an argument short": (right[1, 3], "one argument for each"),
    "no @cuda.jit": (lambda: plain[1, 3](np.zeros(3)), "put @cuda.jit in front"),
    "a shape in two arguments": (lambda: np.zeros(3, 4), "two pairs of parentheses"),
    "a row as a condition": (lambda: 1 if np.zeros(3) > 1 else 2, "Compare single entries"),
    "shapes that differ": (lambda: np.zeros(3) + np.zeros(4), "print both shapes"),
    "parts that are not equal": (lambda: np.split(np.zeros(5), 2), "np.array_split"),
    "a division for a count": (lambda: range(10 / 2), "`//` a whole number"),
    "floats as indices": (lambda: np.zeros(3)[np.zeros(2)], "by .astype(int)"),
    "a fraction as an index, in Python": (lambda: np.zeros(3)[4 / 2], "make it one by int(...)"),
    "nothing returned": (lambda: [*None], "is a return statement missing"),
    "an argument missing": (plain, "keep the parameters"),
    "a caret for a power": (lambda: np.e ^ np.zeros(3), "write ** or np.exp"),
    "a path of Windows": (lambda: compile(r"open('C:\Users\me')", "utils.py", "exec"), "write / instead of \\"),
    "a file in UTF-16": (lambda: compile("x = 1".encode("utf-16"), "utils.py", "exec"), "Save the file as UTF-8"),
    "beyond the end": (lambda: np.zeros(3)[3], "check where the loop ends"),
}


def expect_advice(run, words):
    with pytest.raises(Exception) as raised:  # noqa: PT011 - which one is what libraries decide
        run()
    assert words.lower() in advise(type(raised.value).__name__, str(raised.value)).lower(), str(raised.value)


@each("run, words", CASES)
def test_what_a_beginner_runs_into_has_a_next_step(run, words):
    expect_advice(run, words)


@each("body, array, words", BODIES)
def test_what_a_beginner_writes_in_a_kernel_has_a_next_step(body, array, words):
    names = {**NAMES}
    exec(f"def kernel(a):\n{textwrap.indent(body, '    ')}\n", names)
    expect_advice(lambda: cuda.jit(names["kernel"])[1, 3](array.copy()), words)


RANDOM = "Unknown attribute 'rand' of type Module(<module 'numpy.random' from '/numpy/random/__init__.py'>)"
TOLD = {
    "random numbers in a kernel": ("TypingError", RANDOM, "no np.random"),
    "None for a Matrix": ("AttributeError", "'NoneType' object has no attribute 'copy_to_host'", "a return statement"),
    "one array twice": ("Exception", "internal_Iallreduce_c(261): Buffers must not be aliased", "MPI.IN_PLACE"),
    "a rank that is none": ("Exception", "Invalid rank", "Ranks are 0 to P - 1"),
    "what Numba refuses": ("UnsupportedError", "something new", "with loops, numbers and single entries"),
}
"""Texts: Numba's tables of functions grow with what a process has compiled."""


@each("kind, text, words", TOLD)
def test_what_is_not_made_here_has_a_next_step_and_what_nobody_knows_has_none(kind, text, words):
    assert words in advise(kind, text)
    assert advise("ZeroDivisionError", "division by zero") == ""
