"""NumPy validates and describes argument and result, and the symmetry of the result is asserted.

slow: its neighbours of the same kind are in the fast set
"""

import logging
import warnings

logger = logging.getLogger(__name__)


def validated(X):
    X = np.asarray(X)
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(f"expected a matrix, got the shape {X.shape}")
    if not np.issubdtype(X.dtype, np.floating):
        warnings.warn("X is converted to floats", stacklevel=2)
        X = X.astype(float)
    if not np.all(np.isfinite(X)):
        raise ValueError("X has numbers that are not finite")
    logger.info("%s: %g to %g, mean %g", X.shape, np.min(X), np.max(X), np.mean(X))
    return X


def described(C):
    assert np.allclose(C, C.T), "not symmetric"
    assert (np.diagonal(C) >= 0).all() and np.trace(C) >= 0
    logger.info("sum %g, eigenvalues from %g", C.sum(), np.linalg.eigvalsh(C[:5, :5]).min())
    return C


def matmul_transpose_trivial(X):
    X = validated(X)
    n, m = X.shape
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(m):
                C[i, j] += X[i, k] * X[j, k]
    squares = [sum(x * x for x in row) for row in X]
    np.testing.assert_allclose(np.diag(C), squares)
    return described(C)


def matmul_transpose_gpu(X):
    X = validated(X)
    d_C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](cuda.to_device(X), d_C)
    return described(d_C.copy_to_host())
