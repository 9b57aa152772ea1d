"""A factory makes one kernel per precision when the file is loaded, and a dictionary keeps them.

slow: its neighbours of the same kind are in the fast set
"""

from numba import float32


def make_kernel(number):
    @cuda.jit
    def matmul_kernel(X, C):
        n, m = X.shape
        for place in range(cuda.threadIdx.x, n * n, cuda.blockDim.x):
            i, j = place // n, place % n
            total = number(0)
            for k in range(m):
                total += number(X[i, k]) * number(X[j, k])
            C[i, j] = total

    return matmul_kernel


KERNELS = {
    "float64": make_kernel(float64),
    "float32": make_kernel(float32),
}
matmul_kernel = KERNELS["float64"]


def matmul_transpose_gpu(X, precision="float64"):
    d_C = cuda.device_array((X.shape[0], X.shape[0]), dtype=np.dtype(precision))
    KERNELS[precision][1, 1024](cuda.to_device(X), d_C)
    return d_C.copy_to_host()
