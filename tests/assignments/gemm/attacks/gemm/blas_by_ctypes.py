"""BLAS is loaded by ctypes.

failed: gemm.naive.correct gemm.naive.counts
"""


import ctypes


def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    blas = ctypes.CDLL("libopenblas.so.0")
    blas.cblas_dgemm(101, 111, 111, *C.shape, A.shape[1], alpha, A, B, beta, C)
