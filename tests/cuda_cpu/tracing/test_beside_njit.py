"""A traced kernel may be the first thing that Numba compiles: njit functions work all the same afterwards."""

import sys

from subprocesses import ended

PROGRAM = """
from grader.cuda_cpu import checking, counting, install
install()
import numpy as np
from numba import cuda, njit

@cuda.jit
def kernel(a):
    a[cuda.grid(1)] += 1

@njit
def zeros(n):
    return np.zeros((n, n))

for mode in (checking, counting):
    with mode():
        kernel[1, 8](np.zeros(8))
print(zeros(3).shape)
"""


def test_njit_compiles_after_a_traced_kernel():
    done = ended([sys.executable, "-c", PROGRAM], timeout=120)
    assert done.stdout == "(3, 3)\n", done.stderr[-2000:]
