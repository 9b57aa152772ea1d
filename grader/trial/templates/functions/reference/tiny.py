import numpy as np
from numba import cuda


def add_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] + B[i, j]
    return C


@cuda.jit
def add_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = A[i, j] + B[i, j]


def add_gpu(A, B):
    rows, columns = A.shape
    C = cuda.device_array(A.shape, A.dtype)
    add_kernel[rows, columns](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()
