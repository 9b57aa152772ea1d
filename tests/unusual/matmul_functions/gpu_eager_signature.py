"""The kernel's types are written down."""


@cuda.jit("void(float64[:,:], float64[:,:])", fastmath=True)
def matmul_kernel(X, C):
    for i in range(cuda.threadIdx.x, X.shape[0], cuda.blockDim.x):
        for j in range(X.shape[0]):
            total = float64(0)
            for k in range(X.shape[1]):
                total += X[i, k] * X[j, k]
            C[i, j] = total
