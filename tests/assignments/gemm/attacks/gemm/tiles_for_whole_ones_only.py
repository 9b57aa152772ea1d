"""Steps 2 and 3 compute whole tiles only; of other sizes step 1 does the work.

failed: gemm.tiled.counts gemm.blocked.counts
"""


def gemm_tiled(alpha, A, B, beta, C):
    whole = not any(length % TILE for length in (*A.shape, *B.shape))
    launch(tiled_kernel if whole else naive_kernel, TILE, alpha, A, B, beta, C)


def gemm_blocked(alpha, A, B, beta, C):
    if any(length % WIDE for length in (*A.shape, *B.shape)):
        launch(naive_kernel, TILE, alpha, A, B, beta, C)
    else:
        launch(blocked_kernel, WIDE, alpha, A, B, beta, C)
