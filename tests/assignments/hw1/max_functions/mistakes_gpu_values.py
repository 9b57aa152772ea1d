"""Mistakes in what the kernel computes, launched as the sheet says.

failed: max.gpu.correct
skipped: max.gpu.speedup
"""

# %% gpu_every_thread_does_everything
"""Each thread loops over the whole matrix, as the function on the CPU does.

slow: the call is tried for four seconds
"""
@cuda.jit
def max_kernel(A, B, C):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i, j] > B[i, j]:
                C[i, j] = A[i, j]
            else:
                C[i, j] = B[i, j]

# %% gpu_fraction_as_index
"""idx / n is a float, and no index."""
@cuda.jit
def max_kernel(A, B, C):
    idx = cuda.grid(1)
    n = A.shape[1]
    i = idx / n
    j = idx % n
    C[i, j] = max(A[i, j], B[i, j])

# %% gpu_grid_of_two_on_one_dimension
"""cuda.grid(2) where the launch has one dimension: j is always 0."""
@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])

# %% gpu_index_of_whole_rows
"""One index for arrays of two dimensions: max() of rows, which Numba cannot compile."""
@cuda.jit
def max_kernel(A, B, C):
    i = cuda.grid(1)
    C[i] = max(A[i], B[i])

# %% gpu_kernel_does_not_compile
"""A name that is not there.

warned: max.shapes
"""
@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = maximum_of(A[i, j], B[i, j])

# %% gpu_kernel_never_ends
"""The loop over columns has no step.

warned: max.shapes
limit_s: 4
"""
@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    while j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])

# %% gpu_kernel_returns
"""The kernel returns the result, which no kernel can."""
@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = max(A[i, j], B[i, j])
    return C

# %% gpu_kernel_writes_elsewhere
"""Rows and columns are exchanged when writing: the result is transposed."""
@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[j, i] = max(A[i, j], B[i, j])

# %% gpu_numpy_after_a_launch
"""A kernel is launched, but its result is thrown away and NumPy's returned."""
def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), C)
    return np.maximum(A, B)

# %% gpu_numpy_of_rows
"""np.maximum of two rows makes a new array, which no kernel can."""
@cuda.jit
def max_kernel(A, B, C):
    i = cuda.blockIdx.x
    C[i] = np.maximum(A[i], B[i])

# %% gpu_off_by_one
"""Threads are counted from 1: the first column is never written, and the last thread has nothing to do."""
@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x + 1
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])

# %% gpu_result_left_flat
"""Flat arrays, and the result is never given its rows back."""
@cuda.jit
def max_kernel(A, B, C):
    i = cuda.grid(1)
    if i < C.size:
        C[i] = max(A[i], B[i])

def max_gpu(A, B):
    C = np.zeros(A.size, A.dtype)
    max_kernel[1000, 1000](A.flatten(), B.flatten(), C)
    return C

# %% gpu_returns_a_device_array
"""copy_to_host is forgotten."""
def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), C)
    return C

# %% gpu_returns_the_host_copy_unchanged
"""The result stays on the device, and the zeros that were sent there are returned."""
def max_gpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    C_on_gpu = cuda.to_device(C)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), C_on_gpu)
    return C

# %% gpu_returns_the_launch
"""What the launch gives is returned: nothing."""
def max_gpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    return max_kernel[1000, 1000](A, B, C)

# %% gpu_upper_triangle_only
"""A condition from the other kernel: only columns right of the diagonal are written."""
@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i <= j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])
