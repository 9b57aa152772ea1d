"""Each thread loops over the whole matrix, as the function on the CPU does.

failed: max.gpu.correct max.gpu.launch
skipped: max.gpu.speedup
slow: the call is tried for four seconds
"""


@cuda.jit
def max_kernel(A, B, C):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i, j] > B[i, j]:
                C[i, j] = A[i, j]
            else:
                C[i, j] = B[i, j]
