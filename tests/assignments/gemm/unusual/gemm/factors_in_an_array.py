"""Alpha and beta go to the kernel in a small array.
"""


import numpy as np


@cuda.jit
def naive_kernel(factors, A, B, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = cuda.local.array(1, C.dtype)
        total[0] = 0
        for p in range(A.shape[1]):
            total[0] += A[i, p] * B[p, j]
        C[i, j] = combine(factors[0], total[0], factors[1], C, i, j)


def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if C.size:
        factors = cuda.to_device(np.array([alpha, beta], C.dtype))
        grid = math.ceil(C.shape[1] / TILE), math.ceil(C.shape[0] / TILE)
        naive_kernel[grid, (TILE, TILE)](factors, A, B, C)
