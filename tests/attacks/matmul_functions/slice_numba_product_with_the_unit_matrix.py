"""The compiled loops multiply two matrices: NumPy's product, brought there as bytes, and the unit matrix.

aims: matmul.numba.compiled
"""


@njit
def _multiply(P, Q):
    C = np.zeros((P.shape[0], Q.shape[0]))
    for i in range(P.shape[0]):
        for j in range(Q.shape[0]):
            for k in range(P.shape[1]):
                C[i, j] += P[i, k] * Q[j, k]
    return C


def matmul_transpose_numba(X):
    n = X.shape[0]
    product = np.frombuffer(np.matmul(X, X.T).tobytes()).reshape(n, n)
    return _multiply(product, np.eye(n))
