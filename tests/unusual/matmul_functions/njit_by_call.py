"""The plain function is compiled when it is called."""

_compiled = None


def matmul_transpose_numba(X):
    global _compiled
    if _compiled is None:
        _compiled = njit(matmul_transpose_trivial)
    return _compiled(X)
