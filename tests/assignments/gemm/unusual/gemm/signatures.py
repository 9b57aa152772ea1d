"""Kernels are compiled before they are called, for two signatures.
"""


from numba import float32, float64, void


@cuda.jit([
    void(float64, float64[:, :], float64[:, :], float64, float64[:, :]),
    void(float64, float32[:, :], float32[:, :], float64, float32[:, :]),
])
def naive_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = cuda.local.array(1, C.dtype)
        total[0] = 0
        old = C[i, j]
        for p in range(A.shape[1]):
            total[0] += A[i, p] * B[p, j]
        C[i, j] = alpha * total[0]
        if beta != 0:
            C[i, j] += beta * old
