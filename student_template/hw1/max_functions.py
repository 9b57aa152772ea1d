"""Element-wise maximum of two matrices: in plain Python, with Numba and on the GPU. Yours to fill in.

`python max_functions.py` checks the three functions and compares their times.
"""

import sys
import timeit

import numpy as np
from numba import cuda, njit  # noqa: F401 (njit is for your max_numba)

CALLS = 20
REPEATS = 3


def max_cpu(A, B):
    """Return a new matrix C with C_ij = max(A_ij, B_ij), in the trivial way: loops over rows and columns.

    Args:
        A: matrix of 1000 x 1000 integers from 0 to 255.
        B: such a matrix.
    """
    raise NotImplementedError("max_functions.py: fill in max_cpu(A, B) with two loops, no NumPy function for the work")


def max_numba(A, B):
    """Return the same, compiled by Numba: put @njit in front of this function."""
    raise NotImplementedError("max_functions.py: fill in max_numba(A, B), the loops of max_cpu with @njit")


@cuda.jit
def max_kernel(A, B, C):
    """Write max(A_ij, B_ij) into C_ij. Each thread finds its own entry from its block's and its own number."""
    raise NotImplementedError("max_functions.py: fill in max_kernel(A, B, C), what one thread does")


def max_gpu(A, B):
    """Return the same, computed on the GPU: call `max_kernel` with 1000 blocks of 1000 threads."""
    raise NotImplementedError("max_functions.py: fill in max_gpu(A, B), which copies, launches max_kernel, copies back")


def max_comparisons():
    """Check the three functions and print the seconds of 20 calls of each: the best of 3.

    Returns:
        The exit code: 0, or 1 when a result is wrong or there is no GPU.
    """
    A = np.random.randint(0, 256, (1000, 1000))  # noqa: NPY002 (NumPy's default integers, as the sheet has them)
    B = np.random.randint(0, 256, (1000, 1000))  # noqa: NPY002 (the same)
    for name, function in (("CPU", max_cpu), ("Numba", max_numba), ("CUDA", max_gpu)):
        if function is max_gpu and not cuda.is_available():
            print("[-] CUDA: not measured, this machine has no GPU")
            return 1
        if not np.array_equal(function(A, B), np.maximum(A, B)):
            print(f"[-] {name}: wrong result")
            return 1
        seconds = min(timeit.repeat(lambda run=function: run(A, B), number=CALLS, repeat=REPEATS))
        print(f"[*] {name}: {seconds:.4f}", flush=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(max_comparisons())
    except NotImplementedError as missing:
        sys.exit(f"Not there yet. Next: {missing}")
