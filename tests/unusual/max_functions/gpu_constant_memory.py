"""Constant memory, pinned arrays and a while loop with a stride; choices by arithmetic.

slow: its neighbours of the same kind are in the fast set
"""


TABLE = np.arange(256, dtype=np.int64)


@cuda.jit
def max_kernel(A, B, C):
    lut = cuda.const.array_like(TABLE)
    tid = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    stride = cuda.gridsize(1)
    while tid < C.shape[0] * C.shape[1]:
        y = tid // C.shape[1]
        x = tid - y * C.shape[1]
        C[y, x] = lut[A[y, x]] if A[y, x] > B[y, x] else lut[B[y, x]]
        tid += stride


def max_gpu(A, B):
    a = cuda.pinned_array(A.shape, dtype=A.dtype)
    a[:] = A
    b = cuda.pinned_array_like(B)
    b[:, :] = B
    c = cuda.pinned_array(shape=A.shape, dtype=A.dtype)
    da, db = cuda.to_device(a), cuda.to_device(b)
    dc = cuda.device_array(shape=a.shape, dtype=a.dtype)
    max_kernel[1000, 1000](da, db, dc)
    dc.copy_to_host(c)
    return np.array(c)


@njit
def max_numba(A, B):
    C = np.zeros(A.shape, dtype=A.dtype)
    for i, row in enumerate(A):
        for j, a in enumerate(row):
            b = B[i, j]
            C[i, j] = a * (a >= b) + b * (b > a)
    return C


def max_cpu(A, B):
    def bigger(pair):
        a, b = pair
        return a if a > b else b
    return np.asarray([list(map(bigger, zip(ra, rb))) for ra, rb in zip(A.tolist(), B.tolist())])
