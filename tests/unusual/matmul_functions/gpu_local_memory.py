"""Each thread keeps a row in local memory."""


@cuda.jit
def matmul_kernel(X, C):
    row = cuda.local.array(128, float64)
    for i in range(cuda.threadIdx.x, C.shape[0], cuda.blockDim.x):
        m = min(X.shape[1], 128)
        for k in range(m):
            row[k] = X[i, k]
        for j in range(C.shape[1]):
            total = 0.0
            for k in range(m):
                total += row[k] * X[j, k]
            C[i, j] = total
