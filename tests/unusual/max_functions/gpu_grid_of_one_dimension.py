"""cuda.grid(1) and divmod find row and column; 1000 is worked out from the sizes; float32 from lists.

slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def max_kernel(A, B, C):
    idx = cuda.grid(1)
    if idx < A.size:
        r, c = divmod(idx, A.shape[1])
        a = A[r, c]
        b = B[r, c]
        if a >= b:
            C[r, c] = a
        else:
            C[r, c] = b


def max_gpu(A, B):
    C = np.zeros_like(A)
    threadsperblock = 1000
    blockspergrid = (A.size + (threadsperblock - 1)) // threadsperblock
    max_kernel[blockspergrid, threadsperblock](A, B, C)
    return C


@njit
def max_numba(A, B):
    n, m = A.shape
    C = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            C[i][j] = max(A[i][j], B[i][j])
    return C
def max_cpu(A, B):
    C = [[0 for j in range(1000)] for i in range(1000)]
    for i in range(len(A)):
        for j in range(len(A[0])):
            C[i][j] = int(max([A[i][j], B[i][j]]))
    return np.array(C, dtype=np.float32)
