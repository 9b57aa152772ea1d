"""The result is an array of the module that every call fills anew; a global counter.

slow: its neighbours of the same kind are in the fast set
"""


C_HOST = np.zeros((1000, 1000), dtype=np.int64)
counter = 0


def max_cpu(A, B):
    global counter
    counter += 1
    C = [[None] * 1000 for _ in range(1000)]
    for i in range(1000):
        for j in range(1000):
            C[i][j] = A[i][j] if A[i][j] > B[i][j] else B[i][j]
    return C


@njit
def max_numba(A, B):
    C = np.zeros((len(A), len(A[0])), dtype=np.int32)
    for i in range(len(A)):
        for j in range(len(A[0])):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


@cuda.jit
def max_kernel(A, B, C):
    i = cuda.blockIdx.x
    j = cuda.threadIdx.x
    C[i, j] = max(A[i, j], B[i, j])


def max_gpu(A, B):
    global C_HOST
    max_kernel[1000, 1000](A, B, C_HOST)
    return C_HOST
