"""Step 3 computes whole tiles of 64 × 64 in registers, and what is left at the edges as step 2 does.
"""


def gemm_blocked(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if not (m and n):
        return
    whole_m, whole_n = m // WIDE * WIDE, n // WIDE * WIDE
    if whole_m and whole_n:
        launch(blocked_kernel, WIDE, alpha, A[:whole_m], B[:, :whole_n], beta, C[:whole_m, :whole_n])
    if whole_n and whole_m < m:
        launch(tiled_kernel, TILE, alpha, A[whole_m:], B[:, :whole_n], beta, C[whole_m:, :whole_n])
    if whole_n < n:
        launch(tiled_kernel, TILE, alpha, A, B[:, whole_n:], beta, C[:, whole_n:])
