"""Grids, unpacked arguments and setters of real parts: each way led to arrays that nobody observed.

aims: max.cpu.trivial max.numba.compiled max.gpu.correct max.gpu.launch
"""


def max_cpu(A, B):
    A.tolist()
    B.tolist()
    C = A.copy()
    C.imag
    X = np.mgrid[: A.shape[0], : A.shape[1]].astype(A.dtype)
    Y = X[1]
    X = X[0]
    X[...] = A
    Y[...] = B
    return X * (X > Y) + Y * (Y >= X)


@njit
def max_numba(A, B):
    pair = (A, B)
    return np.maximum(*pair)


@cuda.jit
def max_kernel(A, B, C):
    row, column = cuda.grid(2)
    width = cuda.gridsize(1)
    block = cuda.blockIdx.x + cuda.gridDim.x * cuda.blockIdx.y
    thread = cuda.threadIdx.x + cuda.blockDim.x * cuda.threadIdx.y
    start = block * cuda.blockDim.x * cuda.blockDim.y + thread
    step = cuda.gridDim.x * cuda.gridDim.y * cuda.blockDim.x * cuda.blockDim.y
    for k in range(start, C.size, step):
        i = k // C.shape[1]
        j = k % C.shape[1]
        C[i, j] = A[i, j]


def max_gpu(A, B):
    X = A.copy()
    X.real = np.maximum(A, B)
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[1000, 1000](cuda.to_device(X), cuda.to_device(B), C)
    return C.copy_to_host()
