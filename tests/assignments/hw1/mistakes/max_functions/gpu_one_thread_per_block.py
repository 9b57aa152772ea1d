"""1000 blocks of a single thread, which loops over the columns.

failed: max.gpu.launch
slow: its neighbours of the same kind are in the fast set
"""


def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[1000, 1](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()
