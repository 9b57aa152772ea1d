"""Step 3 is step 2.

failed: gemm.blocked.counts
"""


def gemm_blocked(alpha, A, B, beta, C):
    launch(tiled_kernel, TILE, alpha, A, B, beta, C)
