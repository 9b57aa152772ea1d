"""A delay that makes the GPU's speed-up larger.

failed: max.cpu.trivial
"""

import time


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    time.sleep(0.05)
    return C
