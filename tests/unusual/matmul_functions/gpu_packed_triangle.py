"""The kernel writes only the triangle, row after row in a flat array, and the host unpacks it into both halves.

slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def matmul_kernel(X, starts, packed):
    n, m = X.shape
    for i in range(cuda.threadIdx.x, n, cuda.blockDim.x):
        for j in range(i + 1):
            total = 0.0
            for k in range(m):
                total += X[i, k] * X[j, k]
            packed[starts[i] + j] = total


def matmul_transpose_gpu(X):
    n = X.shape[0]
    lengths = np.arange(1, n + 1)
    starts = np.cumsum(lengths) - lengths
    d_packed = cuda.device_array(int(lengths.sum()), np.float64)
    matmul_kernel[1, 1024](cuda.to_device(X), cuda.to_device(starts), d_packed)
    packed = d_packed.copy_to_host()
    C = np.zeros((n, n))
    for i, start in enumerate(starts):
        C[i, : i + 1] = packed[start : start + i + 1]
        C[: i + 1, i] = packed[start : start + i + 1]
    return C
