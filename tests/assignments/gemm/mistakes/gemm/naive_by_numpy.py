"""Step 1 multiplies on the host.

failed: gemm.naive.correct gemm.naive.counts
"""


def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit")
    held = alpha * (A.copy_to_host() @ B.copy_to_host())
    C.copy_to_device(held + beta * C.copy_to_host() if beta else held)
