"""Mistakes in the plain product, and in the file as a whole.

failed: matmul.trivial.correct
"""

# %% exception_at_import
"""The matrix is read from a file when the module is imported.

failed: matmul.trivial.correct matmul.numba.correct matmul.gpu.correct matmul.gpu.launch
skipped: matmul.numba.compiled
warned: matmul.times matmul.shapes
says: matmul_functions.py
"""
X = np.load("X.npy")

# %% sizes_hard_coded
"""784 and 128 are written into Numba and CUDA: right for the sheet's size, which is what the points are for.

failed:
warned: matmul.shapes
"""
@njit
def matmul_transpose_numba(X):
    C = np.zeros((784, 784))
    for i in range(784):
        for j in range(784):
            for k in range(128):
                C[i, j] += X[i % X.shape[0], k % X.shape[1]] * X[j % X.shape[0], k % X.shape[1]]
    return C

@cuda.jit
def matmul_kernel(X, C):
    for at in range(cuda.threadIdx.x, 784 * 784, 1024):
        total = 0.0
        for k in range(128):
            total += X[at // 784, k] * X[at % 784, k]
        C[at // 784, at % 784] = total

def matmul_transpose_gpu(X):
    C = cuda.device_array((784, 784))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), C)
    return C.copy_to_host()

# %% trivial_forgets_to_sum
"""= instead of +=: only the last product stays.

slow: decided at 784 × 128, in Python
"""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] = X[i, k] * X[j, k]
    return C

# %% trivial_numpy_does_the_work
"""np.dot does it; the sheet asks for three loops."""
def matmul_transpose_trivial(X):
    return np.dot(X, X.T)

# %% trivial_other_product
"""Xᵀ·X instead of X·Xᵀ.

slow: decided at 784 × 128, in Python
"""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[1], X.shape[1]))
    for i in range(X.shape[1]):
        for j in range(X.shape[1]):
            for k in range(X.shape[0]):
                C[i, j] += X[k, i] * X[k, j]
    return C

# %% trivial_returns_none
"""The return statement is missing, and nothing is computed."""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))

# %% trivial_sizes_hard_coded
"""784 and 128 in the three loops: correct at the sheet's size, which decides.

failed:
slow: decided at 784 × 128, in Python
"""
def matmul_transpose_trivial(X):
    C = np.zeros((784, 784))
    for i in range(784):
        for j in range(784):
            for k in range(128):
                C[i, j] += X[i, k] * X[j, k]
    return C

# %% trivial_sums_kept
"""The sums are kept in a default argument: right in the first call, and in no further one."""
def matmul_transpose_trivial(X, C=np.zeros((784, 784))):
    n = X.shape[0]
    for i in range(n):
        for j in range(n):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C[:n, :n]

# %% trivial_two_loops
"""Two loops, and NumPy for the innermost sum."""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = np.sum(X[i] * X[j])
    return C

# %% trivial_upper_triangle_only
"""The symmetric half is never filled.

slow: decided at 784 × 128, in Python
"""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(i, X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C

# %% trivial_x_times_x
"""X·X instead of X·Xᵀ: the index runs out of the rows' ends."""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[k, j]
    return C

# %% trivial_numpy_for_each_pair_of_rows
"""Two loops, and `np.dot` of two rows."""
def matmul_transpose_trivial(X):
    n = X.shape[0]
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            C[i, j] = np.dot(X[i], X[j])
    return C
