"""Launches of the kernel that are not the sheet's.

failed: matmul.gpu.launch
"""

# %% gpu_half_a_block
"""512 threads, which stride over all elements: the values are right, the launch is not the sheet's."""
@cuda.jit
def matmul_kernel(X, C):
    for at in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        i, j = at // C.shape[1], at % C.shape[1]
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total

def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1, 512](cuda.to_device(X), C)
    return C.copy_to_host()

# %% gpu_launch_swapped
"""1024 blocks of one thread: the two numbers are exchanged."""
@cuda.jit
def matmul_kernel(X, C):
    for at in range(cuda.grid(1), C.size, cuda.gridsize(1)):
        i, j = at // C.shape[1], at % C.shape[1]
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total

def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1024, 1](cuda.to_device(X), C)
    return C.copy_to_host()

# %% gpu_many_blocks
"""One block per row: the values are right, the launch is not the sheet's."""
@cuda.jit
def matmul_kernel(X, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if j < C.shape[1]:
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total

def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[X.shape[0], 1024](cuda.to_device(X), C)
    return C.copy_to_host()
