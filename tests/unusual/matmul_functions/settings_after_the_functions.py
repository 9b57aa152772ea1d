"""Attributes of functions, a class that is filled afterwards and a list that grows hold what the functions use.

slow: its neighbours of the same kind are in the fast set
"""


class Config:
    """Filled below."""


SIZES = []


def matmul_transpose_trivial(X):
    matmul_transpose_trivial.calls += 1
    n, m = X.shape
    C = np.full((n, n), Config.start)
    for i in range(n):
        for j in range(n):
            for k in range(m):
                C[i, j] += X[i, k] * X[j, k]
    return C


def matmul_transpose_gpu(X):
    d_C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[SIZES[0], SIZES[1]](cuda.to_device(X), d_C)
    return d_C.copy_to_host()


matmul_transpose_trivial.calls = 0
Config.start = 0.0
SIZES.append(1)
SIZES += [1024]
