"""All steps are the third one.

failed: gemm.naive.counts gemm.tiled.counts
"""


def gemm_naive(alpha, A, B, beta, C):
    launch(blocked_kernel, WIDE, alpha, A, B, beta, C)


def gemm_tiled(alpha, A, B, beta, C):
    launch(blocked_kernel, WIDE, alpha, A, B, beta, C)
