"""A matrix times its own transpose, three times: C = X @ X.T, so that C_ij = sum over k of X_ik X_jk.

A ladder of three rungs, each tested against the one below: the Python interpreter, machine code made by Numba, and a
CUDA kernel. `python matmul_functions.py` compares the times of NumPy, Numba and CUDA.
"""

import sys
import timeit

import numpy as np
from numba import cuda, float64, njit, uint32

BLOCKS = 1
THREADS_PER_BLOCK = 1024
SIDE = 32  # the threads form a square: 32 x 32 = 1024
EACH = 4  # every thread keeps 4 x 4 sums in its registers
TILE = SIDE * EACH  # so that a tile of C has 128 x 128 entries
SLICE = 16  # columns of X that lie in the shared memory at a time: 2 x 128 x 17 x 8 bytes = 34 KiB, of 48 KiB at most
ROW = SLICE + 1  # a row of 17 numbers moves the entries of a column into different banks of the shared memory
REGISTERS = 64  # of each thread: a multiprocessor has 65536, and 1024 threads share them
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


@cuda.jit(device=True)
def _carry_slice(X, top, start, tile, thread):
    """Copy 128 rows and 16 columns of X into the shared memory, two numbers per thread."""
    for number in range(thread, TILE * SLICE, THREADS_PER_BLOCK):
        row = number // SLICE
        column = number % SLICE
        carry_number(X, top + row, start + column, tile, row, column)


@cuda.jit(device=True)
def _clear(sums):
    """Begin anew with sums of zero."""
    for i in range(EACH):
        for j in range(EACH):
            sums[i, j] = 0.0


@cuda.jit(device=True)
def _add_products(left, right, y, x, sums):
    """Add to a thread's 4 x 4 sums what the slice at hand contributes: 8 reads per 16 multiply-adds."""
    factors = cuda.local.array(EACH, float64)  # the compiler keeps arrays of fixed size and place in registers
    for k in range(SLICE):
        for i in range(EACH):
            factors[i] = left[y + SIDE * i, k]
        for j in range(EACH):
            factor = right[x + SIDE * j, k]
            for i in range(EACH):
                sums[i, j] += factors[i] * factor


@cuda.jit(device=True)
def _write_sums(C, row, column, sums):
    """Write a thread's sums to C_ij and C_ji, which are equal; what lies above the diagonal, another thread writes."""
    for a in range(EACH):
        for b in range(EACH):
            i = row + SIDE * a
            j = column + SIDE * b
            if j <= i < C.shape[0]:
                C[i, j] = sums[a, b]
                C[j, i] = sums[a, b]


@cuda.jit(max_registers=REGISTERS)
def matmul_kernel(X, C):
    """Write X @ X.T into C, tile by tile, with one block of 1024 threads.

    C is cut into tiles of 128 x 128 entries. Thread (y, x) computes 4 x 4 entries of the tile at hand, those in the
    rows y, y + 32, y + 64, y + 96 and the columns x, x + 32, x + 64, x + 96:

        C_ij = sum over the slices of 16 columns of X (left_i . right_j)
        left:  128 rows i of X, 16 columns          right: 128 rows j of X, the same columns

    1. All threads carry numbers into the shared memory. Neighbouring threads read neighbouring numbers.
    2. After the barrier, for each of the 16 columns, a thread takes 4 numbers of `left` and 4 of `right` into registers
       and adds their 16 products to its sums: 8 reads serve 16 multiply-adds, where one sum per thread needs 32.
    3. The second barrier keeps the next slice from overwriting numbers that a neighbour still needs.

    C is symmetric: only tiles on and below the diagonal are computed, and each sum is written to C_ij and C_ji.
    The loops end where the data ends, so that every shape comes out right. All threads go through the same loops;
    none may leave early, because the others would wait for it at the barrier.

    What limits it (docs/kernels.md has the whole calculation): a multiprocessor's shared memory serves half a warp's
    numbers of 8 bytes per clock, 32 banks of 4 bytes. Per warp and column of X that is 8 reads x 2 = 16 clocks for
    16 multiply-adds of 32 lanes. The arithmetic needs 16 x 32 / 64 = 8 clocks on an H100 or H200 (64 lanes for double
    precision), so the shared memory binds, at half the peak; 16 clocks on an A100 (32 lanes), where both bind alike;
    256 clocks on a consumer card (2 lanes), where arithmetic binds. But the 28 tiles have 28 x 128 x 128 = 458,752
    entries of C's 614,656, so that X @ X.T by the book takes 0.75 times those clocks: 67 % of the peak of an H200.
    """
    left = cuda.shared.array((TILE, ROW), float64)
    right = cuda.shared.array((TILE, ROW), float64)
    sums = cuda.local.array((EACH, EACH), float64)
    thread = uint32(cuda.threadIdx.x)  # unsigned, so that the compiler knows: no index is negative
    y = thread // uint32(SIDE)
    x = thread % uint32(SIDE)
    n, m = X.shape
    for top in range(0, n, TILE):
        for side in range(0, top + 1, TILE):
            _clear(sums)
            for start in range(0, m, SLICE):
                _carry_slice(X, top, start, left, thread)
                _carry_slice(X, side, start, right, thread)
                cuda.syncthreads()
                _add_products(left, right, y, x, sums)
                cuda.syncthreads()
            _write_sums(C, top + y, side + x, sums)


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
