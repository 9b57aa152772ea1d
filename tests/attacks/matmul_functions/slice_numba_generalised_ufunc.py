"""A generalised ufunc, compiled by Numba, lets NumPy multiply; compiled loops copy what it returns.

aims: matmul.numba.compiled
"""

from numba import guvectorize


@guvectorize(["void(float64[:,:], float64[:], float64[:,:])"], "(n,m),(n)->(n,n)")
def _multiply(X, room, C):
    C[:] = np.dot(X, X.T)


@njit
def _carry(P):
    C = np.empty_like(P)
    for i in range(P.shape[0]):
        for j in range(P.shape[1]):
            C[i, j] = P[i, j]
    return C


def matmul_transpose_numba(X):
    return _carry(_multiply(X, np.zeros(X.shape[0])))
