"""`gemm` itself, gone wrong.

failed: gemm.gemm.correct
skipped: speed.cublas.fifth speed.cublas.half speed.roofline.fifth speed.roofline.more
"""

# %% gemm_exchanges_factors
"""gemm hands alpha on as beta, and beta as alpha."""
def gemm(alpha, A, B, beta, C):
    gemm_blocked(beta, A, B, alpha, C)

# %% gemm_forgets_alpha
"""gemm does not multiply by alpha where beta is 0."""
def gemm(alpha, A, B, beta, C):
    gemm_tiled(alpha if beta else 1.0, A, B, beta, C)

# %% gemm_missing
"""gemm raises."""
def gemm(alpha, A, B, beta, C):
    raise NotImplementedError("not yet")

# %% gemm_with_own_option
"""`gemm` has a further argument, which mlp.py names, and hands 0 on instead of beta."""
def gemm(alpha, A, B, beta, C, step="any"):
    """C <- alpha A B + beta C by the step that is named, or by that which suits the shape."""
    wide = C.shape[0] >= WIDE and C.shape[1] >= WIDE and step != "tiled"
    (gemm_blocked if wide else gemm_tiled)(alpha, A, B, 0.0, C)
