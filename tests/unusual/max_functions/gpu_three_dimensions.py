"""A grid and blocks of 10 x 10 x 10; one compiled function per row.

slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def max_kernel(A, B, C):
    block = cuda.blockIdx.x + cuda.gridDim.x * (cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z)
    t = cuda.threadIdx.x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)
    if block < C.shape[0]:
        for c in range(t, C.shape[1], cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z):
            C[block, c] = max(A[block, c], B[block, c])


def max_gpu(A, B):
    C = cuda.device_array_like(A)
    max_kernel[(10, 10, 10), (10, 10, 10)](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()


@njit(nogil=True, cache=True)
def get_max(a, b):
    return a if a > b else b


@njit(nogil=True, cache=True)
def fill_row(a, b, c):
    for j in range(a.shape[0]):
        c[j] = get_max(a[j], b[j])


@njit(nogil=True, cache=True)
def max_numba(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        fill_row(A[i], B[i], C[i])
    return C


def max_cpu(A, B):
    return np.array([[max(A[i, j], B[i, j]) for j in range(A.shape[1])] for i in range(A.shape[0])], dtype=float)
