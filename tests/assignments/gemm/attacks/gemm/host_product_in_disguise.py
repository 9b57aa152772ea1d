"""NumPy multiplies the product by a random matrix, and the kernel by the inverse.

failed: gemm.naive.correct gemm.naive.counts
"""


import numpy as np


def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if not (m and n):
        return
    product = A.copy_to_host() @ B.copy_to_host()
    turned = np.eye(m)[::-1] * 2
    launch(naive_kernel, TILE, alpha, cuda.to_device(turned / 4), cuda.to_device(turned @ product), beta, C)
