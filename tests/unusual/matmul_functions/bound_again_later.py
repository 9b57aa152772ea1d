"""A first, slower try of each function stays in the file, and the name is bound again below it."""

from typing import Any


def matmul_transpose_trivial(X):
    """First try: rows as lists. See below for what is handed in."""
    return [[sum(a * b for a, b in zip(x, y)) for y in X] for x in X]


def matmul_transpose_gpu(X):
    """First try: without copies of one's own. See below."""
    C = np.zeros((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](X, C)
    return C


first_tries = {"trivial": matmul_transpose_trivial, "gpu": matmul_transpose_gpu}


def _three_loops(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C


def _kernel(X, C):
    for i in range(cuda.threadIdx.x, C.shape[0], cuda.blockDim.x):
        for j in range(C.shape[1]):
            total = 0.0
            for k in range(X.shape[1]):
                total += X[i, k] * X[j, k]
            C[i, j] = total


def _copied(X):
    d_C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](cuda.to_device(X), d_C)
    return d_C.copy_to_host()


matmul_kernel: Any = cuda.jit(_kernel)
matmul_transpose_trivial, matmul_transpose_gpu = _three_loops, _copied
