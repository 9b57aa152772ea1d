"""Element-wise maximum of two matrices, three times: C_ij = max(A_ij, B_ij).

A ladder of three rungs, each tested against the one below: the Python interpreter, machine code made by Numba, and a
CUDA kernel. `python max_functions.py` compares their times.
"""

import sys
import timeit

import numpy as np
from numba import cuda, njit

BLOCKS = 1000
THREADS_PER_BLOCK = 1000
CALLS = 20
REPEATS = 3


def max_cpu(A, B):
    """Take the larger of each two entries, one after the other, in the Python interpreter.

    Args:
        A: matrix.
        B: matrix of A's shape and data type.

    Returns:
        A new matrix of that shape and type.
    """
    C = np.empty(A.shape, A.dtype)  # (rows, columns)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i, j] > B[i, j]:
                C[i, j] = A[i, j]
            else:
                C[i, j] = B[i, j]
    return C  # (rows, columns)


@njit
def max_numba(A, B):
    """Do the same in machine code: Numba compiles the loops of `max_cpu` when the function is first called."""
    C = np.empty(A.shape, A.dtype)  # (rows, columns)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i, j] > B[i, j]:
                C[i, j] = A[i, j]
            else:
                C[i, j] = B[i, j]
    return C  # (rows, columns)


@cuda.jit
def max_kernel(A, B, C):
    """Write max(A_ij, B_ij) into C_ij: block x works on row x, thread y of the block on column y.

    Neighbouring threads read neighbouring entries, so that a warp's 32 numbers come in few memory transactions.
    For 1000 x 1000 entries each loop body runs once per thread. The loops end where the data ends and step by what was
    launched, so that larger and smaller matrices are right as well. No thread writes where another one does: there is
    nothing to wait for.
    """
    for i in range(cuda.blockIdx.x, C.shape[0], cuda.gridDim.x):
        for j in range(cuda.threadIdx.x, C.shape[1], cuda.blockDim.x):
            if A[i, j] > B[i, j]:
                C[i, j] = A[i, j]
            else:
                C[i, j] = B[i, j]


def max_gpu(A, B):
    """Take the maximum on the GPU, with 1000 blocks of 1000 threads.

    A and B travel to the GPU, C only travels back. Copying takes far longer than comparing.

    Returns:
        A new matrix in the memory of the host.
    """
    A_on_gpu = cuda.to_device(A)  # (rows, columns)
    B_on_gpu = cuda.to_device(B)  # (rows, columns)
    C_on_gpu = cuda.device_array(A.shape, A.dtype)  # (rows, columns)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](A_on_gpu, B_on_gpu, C_on_gpu)
    return C_on_gpu.copy_to_host()  # (rows, columns)


def max_comparisons():
    """Check the three functions and print the best time of 3 x 20 calls of each, in seconds.

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
    sys.exit(max_comparisons())
