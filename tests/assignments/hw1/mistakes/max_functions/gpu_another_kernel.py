"""The kernel that is launched has another name than the sheet's.

failed: max.gpu.launch
says: max_kernel
slow: its neighbours of the same kind are in the fast set
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
