"""Kernels and launches, in unusual ways."""

# %% gpu_block_of_two_dimensions
"""32 × 32 threads, which stride over rows and columns."""
@cuda.jit
def matmul_kernel(X, C):
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    for i in range(tx, C.shape[0], cuda.blockDim.x):
        for j in range(ty, C.shape[1], cuda.blockDim.y):
            total = 0.0
            for k in range(X.shape[1]):
                total += X[i, k] * X[j, k]
            C[i, j] = total

def matmul_transpose_gpu(X):
    d_X = cuda.to_device(X)
    d_C = cuda.device_array((X.shape[0], X.shape[0]), dtype=np.float64)
    matmul_kernel[1, (32, 32)](d_X, d_C)
    return d_C.copy_to_host()

# %% gpu_dot_rows_two_at_a_time
"""A thread takes two columns per step and the odd one at the end, with a device function and constants."""
from math import ceil
import numba
UNROLL = 2
LAUNCH = BLOCKS_IN_GRID, THREADS_IN_BLOCK = 1, 32 * 32

@cuda.jit(numba.float64(numba.float64[:], numba.float64[:]), device=True)
def dot(u, v):
    even, odd = 0.0, 0.0
    for k in range(0, u.size - UNROLL + 1, UNROLL):
        even += u[k] * v[k]
        odd += u[k + 1] * v[k + 1]
    if u.size % UNROLL:
        even += u[u.size - 1] * v[u.size - 1]
    return even + odd

@cuda.jit(debug=False, opt=True)
def matmul_kernel(X, C, per_thread):
    n = C.shape[0]
    first = cuda.threadIdx.x * per_thread
    for place in range(first, min(first + per_thread, n * n)):
        C[place // n, place % n] = dot(X[place // n, :], X[place % n, :])

def matmul_transpose_gpu(X):
    n = X.shape[0]
    d_C = cuda.device_array((n, n))
    matmul_kernel[LAUNCH](cuda.to_device(X), d_C, ceil(n * n / THREADS_IN_BLOCK))
    return d_C.copy_to_host()

# %% gpu_eager_signature
"""The kernel's types are written down."""
@cuda.jit("void(float64[:,:], float64[:,:])", fastmath=True)
def matmul_kernel(X, C):
    for i in range(cuda.threadIdx.x, X.shape[0], cuda.blockDim.x):
        for j in range(X.shape[0]):
            total = float64(0)
            for k in range(X.shape[1]):
                total += X[i, k] * X[j, k]
            C[i, j] = total

# %% gpu_flat_with_sizes
"""Flat arrays, and sizes as arguments of the kernel."""
@cuda.jit
def matmul_kernel(X, C, n, m):
    tid = cuda.threadIdx.x
    row = tid
    while row < n:
        for col in range(n):
            value = 0.
            for k in range(m):
                value += X[row * m + k] * X[col * m + k]
            C[row * n + col] = value
        row += cuda.blockDim.x

def matmul_transpose_gpu(X):
    n, m = X.shape
    flat = cuda.to_device(X.ravel())
    out = cuda.device_array(n * n, dtype=X.dtype)
    matmul_kernel[1, 1024](flat, out, n, m)
    return out.copy_to_host().reshape(n, n)

@njit
def matmul_transpose_numba(X):
    n = X.shape[0]
    C = np.zeros((n, n))
    for i in range(n):
        xi = X[i]
        for j in range(n):
            xj = X[j]
            t = 0.0
            for k in range(xi.size):
                t += xi[k] * xj[k]
            C[i, j] = t
    return C

def matmul_transpose_trivial(X):
    result = []
    for row in X:
        result.append([])
        for other in X:
            dot = 0
            for a, b in zip(row, other):
                dot += a * b
            result[-1].append(dot)
    return np.array(result)

# %% gpu_float32
"""Single precision all the way, cast back at the end; the inner loop goes over pairs."""
from numba import jit, float32
def matmul_transpose_trivial(X):
    n = X.shape[0]
    C = np.zeros((n, n), dtype=np.float32)
    for i in range(n):
        for j in range(i, n):
            acc = 0
            for a, b in zip(X[i], X[j]):
                acc += a * b
            C[i][j] = C[j][i] = acc
    return C

@jit(nopython=True)
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]), dtype=np.float32)
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i][j] += np.float32(X[i][k]) * np.float32(X[j][k])
    return C

@cuda.jit
def matmul_kernel(X, C):
    x, y = cuda.grid(2)
    for i in range(x, X.shape[0], cuda.blockDim.x):
        for j in range(y, X.shape[0], cuda.blockDim.y):
            tmp = float32(0.0)
            for k in range(X.shape[1]):
                tmp += X[i, k] * X[j, k]
            C[i, j] = tmp

def matmul_transpose_gpu(X):
    X32 = cuda.to_device(X.astype(np.float32))
    C32 = cuda.device_array((X.shape[0], X.shape[0]), dtype=np.float32)
    matmul_kernel[(1, 1), (32, 32)](X32, C32)
    return C32.copy_to_host().astype(np.float64)

# %% gpu_grid_stride
"""One flat loop over all elements, with a stride of what was launched."""
@cuda.jit
def matmul_kernel(X, C):
    begin = cuda.grid(1)
    step = cuda.gridsize(1)
    n = C.shape[0]
    for at in range(begin, n * n, step):
        i, j = divmod(at, n)
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total

def matmul_transpose_gpu(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](X, C)
    return C

# %% gpu_kernel_factory
"""A function returns the kernel, in which the number of threads is a constant."""
def make_kernel(threads):
    """Return a kernel in which the number of threads is a constant."""

    @cuda.jit
    def kernel(X, C):
        n, m = X.shape
        for entry in range(cuda.threadIdx.x, n * n, threads):
            total = 0.0
            for k in range(m):
                total += X[entry // n, k] * X[entry % n, k]
            C[entry // n, entry % n] = total

    return kernel

matmul_kernel = make_kernel(THREADS_PER_BLOCK)

# %% gpu_kernels_by_precision
"""A factory makes one kernel per precision when the file is loaded, and a dictionary keeps them."""
from numba import float32
def make_kernel(number):
    @cuda.jit
    def matmul_kernel(X, C):
        n, m = X.shape
        for place in range(cuda.threadIdx.x, n * n, cuda.blockDim.x):
            i, j = place // n, place % n
            total = number(0)
            for k in range(m):
                total += number(X[i, k]) * number(X[j, k])
            C[i, j] = total

    return matmul_kernel

KERNELS = {"float64": make_kernel(float64), "float32": make_kernel(float32)}
matmul_kernel = KERNELS["float64"]

def matmul_transpose_gpu(X, precision="float64"):
    d_C = cuda.device_array((X.shape[0], X.shape[0]), dtype=np.dtype(precision))
    KERNELS[precision][1, 1024](cuda.to_device(X), d_C)
    return d_C.copy_to_host()

# %% gpu_launched_many_times
"""One launch per 16 columns of X, each with one block of 1024 threads that adds its part."""
@cuda.jit
def matmul_kernel(X, C, first):
    for at in range(cuda.threadIdx.x, C.size, 1024):
        i, j = at // C.shape[1], at % C.shape[1]
        for k in range(first, min(first + 16, X.shape[1])):
            C[i, j] += X[i, k] * X[j, k]

def matmul_transpose_gpu(X):
    X_on_gpu = cuda.to_device(X)
    C = cuda.to_device(np.zeros((X.shape[0], X.shape[0])))
    for first in range(0, X.shape[1], 16):
        matmul_kernel[1, 1024](X_on_gpu, C, first)
    return C.copy_to_host()

# %% gpu_neighbouring_elements
"""Every thread computes neighbouring elements; lists; the loops in another order."""
def matmul_transpose_trivial(X):
    Xt = [[X[j][i] for j in range(len(X))] for i in range(len(X[0]))]
    C = [[0] * len(X) for _ in range(len(X))]
    for i in range(len(X)):
        for j in range(len(Xt[0])):
            for k in range(len(Xt)):
                C[i][j] += X[i][k] * Xt[k][j]
    return C

@njit(parallel=True, fastmath=True)
def matmul_transpose_numba(X):
    n, m = X.shape
    XT = X.T
    C = np.zeros((n, n))
    for i in prange(n):
        for k in range(m):
            for j in range(n):
                C[i, j] += X[i, k] * XT[k, j]
    return C

@cuda.jit
def matmul_kernel(X, C):
    tid = cuda.threadIdx.x
    n = X.shape[0]
    total = n * n
    per = (total + cuda.blockDim.x - 1) // cuda.blockDim.x
    start = tid * per
    stop = min(start + per, total)
    for e in range(start, stop):
        i = e // n
        j = e % n
        s = 0.0
        for k in range(X.shape[1]):
            s += X[i, k] * X[j, k]
        C[i, j] = s

def matmul_transpose_gpu(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](X, C)
    return C
from numba import prange

# %% gpu_one_launch_per_column
"""Each launch adds the products of one column of X.

slow: 128 launches, watched
"""
@cuda.jit
def matmul_kernel(X, C, k):
    rows = X.shape[0]
    for index in range(cuda.threadIdx.x, rows * rows, cuda.blockDim.x):
        i, j = index // rows, index % rows
        C[i, j] += X[i, k] * X[j, k]

def matmul_transpose_gpu(X):
    device_x = cuda.to_device(X)
    device_c = cuda.to_device(np.zeros((X.shape[0], X.shape[0])))
    for k in range(X.shape[1]):
        matmul_kernel[1, 1024](device_x, device_c, k)
    return device_c.copy_to_host()

# %% gpu_one_row_per_thread
"""Each thread computes whole rows; the launch has tuples of one number."""
@cuda.jit
def matmul_kernel(X, C):
    row = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    while row < X.shape[0]:
        for column in range(X.shape[0]):
            C[row, column] = 0
            for k in range(X.shape[1]):
                C[row, column] += X[row, k] * X[column, k]
        row += 1024

def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[(1,), (1024,)](cuda.to_device(X), C)
    return C.copy_to_host()

# %% gpu_race_that_takes_turns
"""Each of 128 threads adds its products to the same sums without an atomic: right where threads take turns.

flagged: matmul.gpu.correct matmul.gpu.launch
"""
@cuda.jit
def matmul_kernel(X, C):
    k = cuda.threadIdx.x
    if k < X.shape[1]:
        for i in range(C.shape[0]):
            for j in range(C.shape[1]):
                C[i, j] += X[i, k] * X[j, k]

def matmul_transpose_gpu(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](X, C)
    return C

# %% gpu_triangle_mirrored_by_the_host
"""The kernel computes the lower triangle, and the host mirrors it with tril and a transpose.

flagged: matmul.gpu.correct
"""
@cuda.jit
def matmul_kernel(X, C):
    n, m = X.shape
    for i in range(cuda.threadIdx.x, n, cuda.blockDim.x):
        for j in range(i + 1):
            total = 0.0
            for k in range(m):
                total += X[i, k] * X[j, k]
            C[i, j] = total

def matmul_transpose_gpu(X):
    d_C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](cuda.to_device(X), d_C)
    lower = d_C.copy_to_host()
    return np.tril(lower) + np.tril(lower, -1).T

# %% gpu_while_loops
"""While loops with a stride of 32 in both directions; lists of lists for Numba."""
THREADS_PER_BLOCK = (32, 32)
NUM_BLOCKS = (1, 1)

@cuda.jit
def matmul_kernel(X, C):
    ty, tx = cuda.threadIdx.y, cuda.threadIdx.x
    N, M = X.shape[0], X.shape[1]
    i = ty
    while i < N:
        j = tx
        while j < N:
            acc = 0.0
            for k in range(M):
                acc += X[i, k] * X[j, k]
            C[i, j] = acc
            j += 32
        i += 32

def matmul_transpose_gpu(X):
    n = X.shape[0]
    C = np.empty((n, n), dtype=np.float64)
    matmul_kernel[NUM_BLOCKS, THREADS_PER_BLOCK](X, C)
    cuda.synchronize()
    return C

@njit
def matmul_transpose_numba(X):
    C = [[0.0 for _ in range(X.shape[0])] for _ in range(X.shape[0])]
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i][j] += X[i][k] * X[j][k]
    return C

def matmul_transpose_trivial(X):
    return [[sum(X[i][k] * X[j][k] for k in range(len(X[0]))) for j in range(len(X))] for i in range(len(X))]

# %% gpu_more_blocks_for_other_sizes
"""One block for the sheet's matrix, and four for any other: no points hang on it, and the check of other sizes says so.

warned: matmul.shapes
"""
def matmul_transpose_gpu(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    matmul_kernel[1 if X.shape[0] == 784 else 4, 1024](X, C)
    return C
