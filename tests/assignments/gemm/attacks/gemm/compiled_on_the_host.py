"""Compiled loops of the host compute the product.

failed: gemm.naive.correct gemm.naive.counts
"""


from numba import njit


@njit
def multiply(alpha, A, B, beta, C):
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            total = 0.0
            for p in range(A.shape[1]):
                total += A[i, p] * B[p, j]
            C[i, j] = alpha * total if beta == 0 else alpha * total + beta * C[i, j]


def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    held = C.copy_to_host()
    multiply(alpha, A.copy_to_host(), B.copy_to_host(), beta, held)
    C.copy_to_device(held)
