"""Step 2 is step 1.

failed: gemm.tiled.counts
"""


def gemm_tiled(alpha, A, B, beta, C):
    launch(naive_kernel, TILE, alpha, A, B, beta, C)
