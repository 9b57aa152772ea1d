"""The host multiplies, and the kernel is launched for show.

aims: matmul.gpu.correct
"""

# %% gpu_decoy_launch
"""The kernel is launched as asked, and NumPy's answer is returned."""
def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](cuda.to_device(X), C)
    return X @ X.T

# %% gpu_given_the_answer
"""The host multiplies and the kernel copies."""
@cuda.jit
def matmul_kernel(P, C):
    for i in range(cuda.threadIdx.x, C.shape[0], cuda.blockDim.x):
        for j in range(C.shape[1]):
            C[i, j] = P[i, j]

def matmul_transpose_gpu(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](np.dot(X, X.T), C)
    return C

# %% gpu_one_thread_does_nothing
"""1024 threads are launched; the host computes all but one entry."""
@cuda.jit
def matmul_kernel(X, C):
    if cuda.threadIdx.x == 0:
        total = 0.0
        for k in range(X.shape[1]):
            total += X[0, k] * X[0, k]
        C[0, 0] = total

def matmul_transpose_gpu(X):
    C = np.dot(X, X.T)
    C[0, 0] = 0
    matmul_kernel[1, 1024](X, C)
    return C

# %% gpu_scales_the_answer
"""The host multiplies and halves; the kernel doubles."""
@cuda.jit
def matmul_kernel(X, C):
    for i in range(cuda.threadIdx.x, C.shape[0], cuda.blockDim.x):
        for j in range(C.shape[1]):
            C[i, j] *= 2

def matmul_transpose_gpu(X):
    C = np.dot(X, X.T) / 2
    matmul_kernel[1, 1024](X, C)
    return C

# %% slice_gpu_answer_among_many_numbers
"""Compiled code multiplies; less than 2 % of an array of X's numbers become the answer, which the kernel copies."""
@njit
def triangle(X):
    n = X.shape[0]
    found = np.zeros(n * (n + 1) // 2)
    for i in range(n):
        for j in range(i + 1):
            for k in range(X.shape[1]):
                found[i * (i + 1) // 2 + j] += X[i, k] * X[j, k]
    return found

@cuda.jit
def matmul_kernel(held, C):
    n = C.shape[0]
    for entry in range(cuda.threadIdx.x, n * n, cuda.blockDim.x):
        i, j = entry // n, entry % n
        if j <= i:
            C[i, j] = held[i * (i + 1) // 2 + j]
            C[j, i] = held[i * (i + 1) // 2 + j]

def matmul_transpose_gpu(X):
    values = triangle(X.copy()).tolist()
    held = np.tile(X.ravel(), 51 * len(values) // X.size + 1)
    for place, value in enumerate(values):
        held[place] = value
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(held), C)
    return C.copy_to_host()
