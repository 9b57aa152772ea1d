"""The kernel that the sheet names is not the one that makes the product.

aims: matmul.gpu.launch
"""

# %% slice_gpu_copying_kernel
"""A kernel in many blocks multiplies; `matmul_kernel`, launched as asked, copies."""
@cuda.jit
def product_kernel(X, C):
    """One thread per entry of C."""
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total

@cuda.jit
def matmul_kernel(D, C):
    """Bring the result into C, with one block of 1024 threads."""
    for e in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        C[e // C.shape[1], e % C.shape[1]] = D[e // C.shape[1], e % C.shape[1]]

def matmul_transpose_gpu(X):
    """Compute X @ X.T on the GPU."""
    n = X.shape[0]
    X_on_gpu = cuda.to_device(X)
    D = cuda.device_array((n, n))
    C = cuda.device_array((n, n))
    blocks = (n + 15) // 16
    product_kernel[(blocks, blocks), (16, 16)](X_on_gpu, D)
    matmul_kernel[1, 1024](D, C)
    return C.copy_to_host()

# %% slice_gpu_named_kernel_adds_nothing
"""Another kernel computes the product, and the named one goes over it, adding the matrix times zero."""
@cuda.jit
def multiply(X, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total

@cuda.jit
def matmul_kernel(X, C, share):
    for entry in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        i, j = entry // C.shape[1], entry % C.shape[1]
        for k in range(X.shape[1]):
            C[i, j] += X[i, k] * X[j, k] * share

def matmul_transpose_gpu(X):
    n = X.shape[0]
    x, C = cuda.to_device(X), cuda.device_array((n, n))
    multiply[(n // 16 + 1, n // 16 + 1), (16, 16)](x, C)
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](x, C, 0.0)
    return C.copy_to_host()

# %% slice_gpu_one_row_by_the_named_kernel
"""The named kernel computes the first row of the product, and another kernel with many blocks all others."""
@cuda.jit
def other_rows(X, C):
    i, j = cuda.grid(2)
    if 0 < i < C.shape[0] and j < C.shape[1]:
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total

@cuda.jit
def matmul_kernel(X, C, rows):
    for entry in range(cuda.threadIdx.x, rows * C.shape[1], cuda.blockDim.x):
        i, j = entry // C.shape[1], entry % C.shape[1]
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total

def matmul_transpose_gpu(X):
    n = X.shape[0]
    x, C = cuda.to_device(X), cuda.device_array((n, n))
    other_rows[(n // 16 + 1, n // 16 + 1), (16, 16)](x, C)
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](x, C, 1)
    return C.copy_to_host()

# %% slice_gpu_other_kernels_product_with_the_unit_matrix
"""Another kernel multiplies with many blocks, and the named one multiplies its answer by the unit matrix."""
@cuda.jit
def multiply(P, Q, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = 0.0
        for k in range(P.shape[1]):
            total += P[i, k] * Q[j, k]
        C[i, j] = total

@cuda.jit
def matmul_kernel(P, Q, C):
    for entry in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        i, j = entry // C.shape[1], entry % C.shape[1]
        total = 0.0
        for k in range(P.shape[1]):
            total += P[i, k] * Q[j, k]
        C[i, j] = total

def matmul_transpose_gpu(X):
    n = X.shape[0]
    x, D, C = cuda.to_device(X), cuda.device_array((n, n)), cuda.device_array((n, n))
    multiply[(n // 16 + 1, n // 16 + 1), (16, 16)](x, x, D)
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](D, cuda.to_device(np.eye(n)), C)
    return C.copy_to_host()

# %% slice_gpu_same_kernel_many_blocks
"""The named kernel is launched as asked on a corner, and then with many blocks on everything."""
@cuda.jit
def matmul_kernel(X, C):
    first = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    for entry in range(first, C.size, cuda.gridDim.x * cuda.blockDim.x):
        i, j = entry // C.shape[1], entry % C.shape[1]
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total

def matmul_transpose_gpu(X):
    n = X.shape[0]
    x, C = cuda.to_device(X), cuda.device_array((n, n))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](x[:1], cuda.device_array((1, 1)))
    matmul_kernel[n, 256](x, C)
    return C.copy_to_host()

# %% gpu_last_thread_does_everything
"""The last of 1024 threads goes through all entries; the others do nothing."""
@cuda.jit
def matmul_kernel(X, C):
    if cuda.threadIdx.x == cuda.blockDim.x - 1:
        for i in range(C.shape[0]):
            for j in range(C.shape[1]):
                total = 0.0
                for k in range(X.shape[1]):
                    total += X[i, k] * X[j, k]
                C[i, j] = total
