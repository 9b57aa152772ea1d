"""A matrix times its own transpose, three times: C = X @ X.T, so that C_ij = sum over k of X_ik X_jk.

A ladder of three rungs, each tested against the one below: the Python interpreter, machine code made by Numba, and a
CUDA kernel. `python matmul_functions.py` compares the times of NumPy, Numba and CUDA.
"""

import sys
import timeit

import numpy as np
from numba import cuda, float64, njit

BLOCKS = 1
THREADS_PER_BLOCK = 1024
TILE = 32  # a tile has one entry per thread: 32 x 32 = 1024
ROW = TILE + 1  # a row of 33 numbers moves the entries of a column into different banks of the shared memory
CALLS = 100
REPEATS = 3


def matmul_transpose_trivial(X):
    """Compute X @ X.T with three nested loops in the Python interpreter.

    Args:
        X: matrix of shape (n, m).

    Returns:
        A new float64 matrix of shape (n, n).
    """
    C = np.zeros((X.shape[0], X.shape[0]))  # (n, n)
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C  # (n, n)


@njit
def matmul_transpose_numba(X):
    """Do the same in machine code: Numba compiles the three loops when the function is first called.

    The sum stays in a register, because C_ij would be written to memory m times.
    """
    C = np.zeros((X.shape[0], X.shape[0]))  # (n, n)
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            total = 0.0
            for k in range(X.shape[1]):
                total += X[i, k] * X[j, k]
            C[i, j] = total
    return C  # (n, n)


@cuda.jit(device=True)
def carry_number(X, row, column, tile, y, x):
    """Copy one number of X into the shared memory, or a zero, which adds nothing, from beyond the edge of X."""
    if row < X.shape[0] and column < X.shape[1]:
        tile[y, x] = X[row, column]
    else:
        tile[y, x] = 0.0


@cuda.jit
def matmul_kernel(X, C):
    """Write X @ X.T into C, tile by tile, with one block of 1024 threads.

    C is cut into tiles of 32 x 32 entries; thread (y, x) computes entry (y, x) of the tile at hand:

        C_ij = sum over the slices of 32 columns of X (left_y . right_x)
        left:  rows i of X, 32 columns          right: rows j of X, the same columns

    1. All threads carry one number of `left` and one of `right` into the shared memory. Neighbouring threads read
       neighbouring numbers.
    2. After the barrier every number is read 32 times from there, and not from the slow global memory.
    3. The second barrier keeps the next slice from overwriting numbers that a neighbour still needs.

    C is symmetric: only tiles on and below the diagonal are computed, and each sum is written to C_ij and C_ji.
    The loops end where the data ends, so that every shape comes out right. All threads go through the same loops;
    none may leave early, because the others would wait for it at the barrier.
    """
    left = cuda.shared.array((TILE, ROW), float64)
    right = cuda.shared.array((TILE, ROW), float64)
    y = cuda.threadIdx.x // TILE
    x = cuda.threadIdx.x % TILE
    n, m = X.shape
    for top in range(0, n, TILE):
        for side in range(0, top + 1, TILE):
            i = top + y
            j = side + x
            total = 0.0
            for start in range(0, m, TILE):
                carry_number(X, top + y, start + x, left, y, x)
                carry_number(X, side + y, start + x, right, y, x)
                cuda.syncthreads()
                for k in range(TILE):
                    total += left[y, k] * right[x, k]
                cuda.syncthreads()
            if j <= i < n:
                C[i, j] = total
                C[j, i] = total


def matmul_transpose_gpu(X):
    """Compute X @ X.T on the GPU, with one block of 1024 threads.

    Returns:
        A new float64 matrix of shape (n, n) in the memory of the host.
    """
    X_on_gpu = cuda.to_device(X)  # (n, m)
    C_on_gpu = cuda.device_array((X.shape[0], X.shape[0]))  # (n, n), float64
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](X_on_gpu, C_on_gpu)
    return C_on_gpu.copy_to_host()  # (n, n)


def matmul_comparisons():
    """Check the functions and print the best time of 3 x 100 calls of NumPy, Numba and CUDA, in seconds.

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
    sys.exit(matmul_comparisons())
