"""gemm raises.

failed: gemm.gemm.correct
"""


def gemm(alpha, A, B, beta, C):
    raise NotImplementedError("not yet")
