"""NumPy adds up the first half of each sum, and the kernel the second one.

failed: gemm.naive.correct gemm.naive.counts
"""


import numpy as np


def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if not (m and n):
        return
    half = k // 2
    first = alpha * (A[:, :half].copy_to_host() @ B[:half].copy_to_host())
    if beta:
        first = first + beta * C.copy_to_host()
    held = cuda.to_device(first.astype(C.dtype))
    launch(naive_kernel, TILE, alpha, A[:, half:], B[half:], 1.0, held)
    C.copy_to_device(held)
