"""C_ij is computed for j up to i, but not written to C_ji.

failed: matmul.gpu.correct
"""


@cuda.jit
def matmul_kernel(X, C):
    for at in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        i, j = at // C.shape[1], at % C.shape[1]
        if j <= i:
            total = 0.0
            for k in range(X.shape[1]):
                total += X[i, k] * X[j, k]
            C[i, j] = total
        else:
            C[i, j] = 0.0
