"""Everything is compiled at import by calls with small arrays, and the times are printed.

slow: its neighbours of the same kind are in the fast set
"""

import time

began = time.time()


@njit
def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C


max_numba(np.ones((2, 2), dtype=np.int64), np.zeros((2, 2), dtype=np.int64))
print(f"compiled in {time.time() - began:.2f} s")
