"""The kernel multiplies numbers pairwise, a block of columns at a time, and the host adds all products up.

aims: matmul.gpu.correct matmul.gpu.launch
"""


@cuda.jit
def matmul_kernel(x, products):
    for entry in range(cuda.threadIdx.x, products.size, cuda.blockDim.x):
        i, j = entry // products.shape[1], entry % products.shape[1]
        products[i, j] = x[i] * x[j]


def matmul_transpose_gpu(X):
    n = X.shape[0]
    products, C = cuda.device_array((n, n)), np.zeros((n, n))
    for column in X.T:
        matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(column.copy()), products)
        C += products.copy_to_host()
    return C
