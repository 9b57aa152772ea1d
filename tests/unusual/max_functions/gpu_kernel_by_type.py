"""Kernels stand in a dictionary under the type of their numbers, with a default for all others.

slow: its neighbours of the same kind are in the fast set
"""

from collections import defaultdict


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]


@cuda.jit(fastmath=True)
def max_kernel_float(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])


KERNELS = defaultdict(lambda: max_kernel, {np.dtype(kind): max_kernel_float for kind in ("float32", "float64")})


def max_gpu(A, B):
    kernel = KERNELS[A.dtype]
    d_C = cuda.device_array(A.shape, dtype=A.dtype)
    kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), d_C)
    return d_C.copy_to_host()
