"""A matrix times its own transpose, X @ X.T: in plain Python, with Numba and on the GPU. Yours to fill in.

`python matmul_functions.py` checks the three functions and compares the times of NumPy, Numba and CUDA.
"""

import sys
import timeit

import numpy as np
from numba import cuda, njit  # noqa: F401 (njit is for your matmul_transpose_numba)

CALLS = 100
REPEATS = 3


def matmul_transpose_trivial(X):
    """Return a new matrix C with C_ij = sum over k of X_ik X_jk, in the trivial way: three nested loops.

    Args:
        X: matrix of 784 x 128 float64 numbers; C has 784 x 784.
    """
    raise NotImplementedError("matmul_functions.py: fill in matmul_transpose_trivial(X) with three nested loops")


def matmul_transpose_numba(X):
    """Return the same, compiled by Numba: put @njit in front of this function."""
    raise NotImplementedError("matmul_functions.py: fill in matmul_transpose_numba(X), the three loops with @njit")


@cuda.jit
def matmul_kernel(X, C):
    """Write X @ X.T into C with one block of 1024 threads, which share all the entries of C among them."""
    raise NotImplementedError("matmul_functions.py: fill in matmul_kernel(X, C), what one of the 1024 threads does")


def matmul_transpose_gpu(X):
    """Return the same, computed on the GPU: call `matmul_kernel` with 1 block of 1024 threads."""
    raise NotImplementedError("matmul_functions.py: fill in matmul_transpose_gpu(X), which launches matmul_kernel")


def matmul_comparisons():
    """Check the functions and print the seconds of 100 calls of NumPy, Numba and CUDA: the best of 3.

    Returns:
        The exit code: 0, or 1 when a result is wrong or there is no GPU.
    """
    X = np.random.randn(784, 128)  # noqa: NPY002 (the generator that the lectures use)
    few_rows = X[:10]
    if not np.allclose(matmul_transpose_trivial(few_rows), np.matmul(few_rows, few_rows.T)):
        print("[-] Trivial: wrong result")
        return 1
    for name, function in (("Numpy", _multiply), ("Numba", matmul_transpose_numba), ("CUDA", matmul_transpose_gpu)):
        if function is matmul_transpose_gpu and not cuda.is_available():
            print("[-] CUDA: not measured, this machine has no GPU")
            return 1
        if not np.allclose(function(X), _multiply(X)):
            print(f"[-] {name}: wrong result")
            return 1
        seconds = min(timeit.repeat(lambda run=function: run(X), number=CALLS, repeat=REPEATS))
        print(f"{name}: {seconds:.4f}", flush=True)
    return 0


def _multiply(X):
    """Let NumPy compute X @ X.T: the measure for the three others. Shape (n, n)."""
    return np.matmul(X, X.T)


if __name__ == "__main__":
    try:
        sys.exit(matmul_comparisons())
    except NotImplementedError as missing:
        sys.exit(f"Not there yet. Next: {missing}")
