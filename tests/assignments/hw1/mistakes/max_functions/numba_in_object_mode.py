"""forceobj=True: Numba calls the Python interpreter for every step.

failed: max.numba.compiled
"""

from numba import jit


@jit(forceobj=True)
def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
