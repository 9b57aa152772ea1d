"""C <- alpha A B + beta C on the GPU, in three steps. Yours to fill in, with kernels of your own.

A (m, k), B (k, n) and C (m, n) are arrays of the device. README.md has the rules.
"""

from numba import cuda

TILE = 16  # 16 x 16 threads in a block


@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    """One thread computes one entry of C. Names and arguments of kernels are up to you."""
    raise NotImplementedError("gemm.py: fill in naive_kernel; the numbers of block and thread say which entry")


def gemm_naive(alpha, A, B, beta, C):
    """Step 1: one thread for each entry, everything from global memory."""
    raise NotImplementedError("gemm.py: fill in gemm_naive, which launches a kernel")


def gemm_tiled(alpha, A, B, beta, C):
    """Step 2: tiles of A and B in shared memory."""
    raise NotImplementedError("gemm.py: fill in gemm_tiled, with tiles in cuda.shared.array")


def gemm_blocked(alpha, A, B, beta, C):
    """Step 3: several sums per thread."""
    raise NotImplementedError("gemm.py: fill in gemm_blocked, with several sums in cuda.local.array")


def gemm(alpha, A, B, beta, C):
    """The step that all other files use."""
    raise NotImplementedError("gemm.py: fill in gemm, which calls one of the three steps")
