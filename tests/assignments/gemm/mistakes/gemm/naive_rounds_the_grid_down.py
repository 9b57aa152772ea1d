"""Step 1 launches whole blocks only.

failed: gemm.naive.correct
"""


def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit")
    if m and n:
        naive_kernel[(max(n // TILE, 1), max(m // TILE, 1)), (TILE, TILE)](alpha, A, B, beta, C)
