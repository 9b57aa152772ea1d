"""Launches of the kernel that are not the sheet's.

failed: max.gpu.launch
"""

# %% gpu_another_kernel
"""The kernel that is launched has another name than the sheet's.

says: max_kernel
"""
@cuda.jit
def my_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])

def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    my_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()

# %% gpu_forall
"""forall chooses the counts by itself; the sheet asks for 1000 blocks of 1000 threads."""
@cuda.jit
def max_kernel(a, b, c):
    at = cuda.grid(1)
    if at < c.size:
        c[at] = max(a[at], b[at])

def max_gpu(A, B):
    C = cuda.device_array(A.size, A.dtype)
    max_kernel.forall(A.size)(cuda.to_device(A.ravel()), cuda.to_device(B.ravel()), C)
    return C.copy_to_host().reshape(A.shape)

# %% gpu_twenty_blocks
"""20 blocks instead of 1000: the strides make the values right, the launch is not the sheet's."""
def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[20, 1000](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()
