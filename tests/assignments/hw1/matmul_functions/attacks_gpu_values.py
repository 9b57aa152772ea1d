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
