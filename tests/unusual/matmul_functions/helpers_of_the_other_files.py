"""Helpers come from the other two files of the homework: a sum of lists, and a count of threads.

slow: its neighbours of the same kind are in the fast set
"""

import max_functions
from utils import add_elementwise, zeros_weights

TOTAL_OF_PART_2 = max_functions.BLOCKS * max_functions.THREADS_PER_BLOCK


def matmul_transpose_trivial(X):
    n, m = X.shape
    (C,) = zeros_weights([n, n])
    for i in range(n):
        row = [0.0] * n
        for k in range(m):
            row = add_elementwise(row, [X[i, k] * X[j, k] for j in range(n)])
        for j in range(n):
            C[i, j] = row[j]
    return C


def matmul_transpose_gpu(X):
    threads = min(TOTAL_OF_PART_2, 1024)
    d_X = cuda.to_device(X)
    (C,) = zeros_weights([X.shape[0], X.shape[0]])
    d_C = cuda.to_device(C)
    matmul_kernel[max_functions.BLOCKS // 1000, threads](d_X, d_C)
    return d_C.copy_to_host()
