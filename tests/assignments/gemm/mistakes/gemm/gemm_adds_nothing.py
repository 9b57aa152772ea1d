"""gemm always overwrites C.

failed: gemm.gemm.correct
skipped: speed.cublas.quarter speed.cublas.half speed.roofline.quarter speed.roofline.more
"""


def gemm(alpha, A, B, beta, C):
    wide = C.shape[0] >= WIDE and C.shape[1] >= WIDE
    (gemm_blocked if wide else gemm_tiled)(alpha, A, B, 0.0, C)
