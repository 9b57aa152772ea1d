"""Mistakes in the kernel and its launch.

failed: max.gpu.correct max.gpu.launch
skipped: max.gpu.speedup
"""

# %% gpu_999_threads
"""One thread too few per block: the last column stays zero."""
@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = max(A[i, j], B[i, j])

def max_gpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    max_kernel[1000, 999](A, B, C)
    return C

# %% gpu_bounds_check_missing
"""Every thread writes, whether there is an element or not: right where there are as many threads as elements.

failed:
warned: max.shapes
skipped:
"""
@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = max(A[i, j], B[i, j])

# %% gpu_fraction_of_blocks
"""A.size / 1000 is a float, and no count of blocks."""
def max_gpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    max_kernel[A.size / 1000, 1000](A, B, C)
    return C

# %% gpu_kernel_does_nothing
"""The kernel is launched as the sheet asks and does nothing; NumPy makes the answer."""
@cuda.jit
def max_kernel(A, B, C):
    pass

def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), C)
    return np.maximum(A, B)

# %% gpu_ten_blocks
"""10 blocks for 1000 rows: 990 rows stay as they were."""
@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])

def max_gpu(A, B):
    C = cuda.to_device(np.zeros(A.shape, A.dtype))
    max_kernel[10, 1000](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()

# %% gpu_too_many_threads
"""1000000 threads in one block: no GPU has more than 1024."""
def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[1, 1000000](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()

# %% gpu_without_a_launch
"""NumPy instead of the kernel.

says: max_
"""
def max_gpu(A, B):
    return np.maximum(A, B)

# %% gpu_without_counts
"""The kernel is called like a function: how many blocks and threads is not said."""
def max_gpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    max_kernel(A, B, C)
    return C
