"""Step 1 is step 2.

failed: gemm.naive.counts
"""


def gemm_naive(alpha, A, B, beta, C):
    launch(tiled_kernel, TILE, alpha, A, B, beta, C)
