"""The plain function is compiled under another name."""


def _loops(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C


max_numba = njit(_loops)
