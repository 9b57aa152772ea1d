"""The sum is carried over from one element to the next.

failed: matmul.gpu.correct
"""


@cuda.jit
def matmul_kernel(X, C):
    total = 0.0
    for at in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        i, j = at // C.shape[1], at % C.shape[1]
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total
