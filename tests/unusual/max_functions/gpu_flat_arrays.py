"""Flat arrays with one index per thread, and constants of the module for the counts.

slow: its neighbours of the same kind are in the fast set
"""

N_BLOCKS = 1000
N_THREADS = 1000


@cuda.jit
def max_kernel(a, b, c):
    at = cuda.blockDim.x * cuda.blockIdx.x + cuda.threadIdx.x
    while at < c.size:
        c[at] = a[at] if a[at] > b[at] else b[at]
        at += cuda.blockDim.x * cuda.gridDim.x


def max_gpu(A, B):
    C = cuda.device_array(A.size, A.dtype)
    max_kernel[N_BLOCKS, N_THREADS](cuda.to_device(A.ravel()), cuda.to_device(B.ravel()), C)
    return C.copy_to_host().reshape(A.shape)
