"""All steps are the first one.

failed: gemm.tiled.counts gemm.blocked.counts gemm.conflicts
"""


def gemm_tiled(alpha, A, B, beta, C):
    launch(naive_kernel, TILE, alpha, A, B, beta, C)


def gemm_blocked(alpha, A, B, beta, C):
    launch(naive_kernel, TILE, alpha, A, B, beta, C)
