"""Shared memory, tiles and warps, in unusual ways."""

# %% gpu_dynamic_shared_memory
"""Shared memory whose size the launch gives; blocks of 64 for Numba."""
@njit(fastmath=True)
def matmul_transpose_numba(X):
    n, m = X.shape
    C = np.zeros((n, n))
    T = 64
    for ii in range(0, n, T):
        for jj in range(0, n, T):
            for i in range(ii, min(ii + T, n)):
                for j in range(jj, min(jj + T, n)):
                    s = 0.0
                    for k in range(m):
                        s += X[i, k] * X[j, k]
                    C[i, j] = s
    return C

@cuda.jit
def matmul_kernel(X, C):
    buf = cuda.shared.array(0, dtype=float64)
    t = cuda.threadIdx.x
    n, m = X.shape
    for i in range(n):
        for k in range(t, m, cuda.blockDim.x):
            buf[k] = X[i, k]
        cuda.syncthreads()
        for j in range(t, n, cuda.blockDim.x):
            s = 0.0
            for k in range(m):
                s += buf[k] * X[j, k]
            C[i, j] = s
        cuda.syncthreads()

def matmul_transpose_gpu(X):
    stream = cuda.default_stream()
    dX = cuda.to_device(X, stream)
    dC = cuda.device_array((X.shape[0], X.shape[0]), X.dtype)
    configured = matmul_kernel[1, 1024, stream, X.shape[1] * 8]
    configured(dX, dC)
    return dC.copy_to_host(stream=stream)

def matmul_transpose_trivial(X):
    assert X.ndim == 2
    n, m = X.shape
    C = np.zeros((n, n))
    indices = ((i, j) for i in range(n) for j in range(n))
    for i, j in indices:
        for k in range(m):
            C[i, j] += X[i, k] * X[j, k]
    return C

# %% gpu_padded_to_tiles
"""X is padded to whole tiles on the host, so that the kernel has no bounds to look after, and the result is cut."""
TILE = 16
PER_SIDE = 32 // TILE

def padded(X, tile=TILE * PER_SIDE):
    rows, columns = (-(-size // tile) * tile for size in X.shape)
    larger = np.zeros((rows, columns), dtype=X.dtype)
    larger[: X.shape[0], : X.shape[1]] = X
    return larger

@cuda.jit
def matmul_kernel(X, C):
    left = cuda.shared.array((32, TILE), float64)
    right = cuda.shared.array((32, TILE), float64)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    for top in range(0, X.shape[0], 32):
        for side in range(0, X.shape[0], 32):
            total = 0.0
            for first in range(0, X.shape[1], TILE):
                if tx < TILE:
                    left[ty, tx] = X[top + ty, first + tx]
                else:
                    right[ty, tx - TILE] = X[side + ty, first + tx - TILE]
                cuda.syncthreads()
                for k in range(TILE):
                    total += left[ty, k] * right[tx, k]
                cuda.syncthreads()
            C[top + ty, side + tx] = total

def matmul_transpose_gpu(X):
    n = len(X)
    larger = padded(X)
    d_C = cuda.device_array((larger.shape[0], larger.shape[0]))
    matmul_kernel[1, (32, 32)](cuda.to_device(larger), d_C)
    return d_C.copy_to_host()[:n, :n].copy()

# %% gpu_reductions
"""Eight elements at a time, each summed up by 128 threads in shared memory."""
from numba import prange
@cuda.jit
def matmul_kernel(X, C):
    s = cuda.shared.array(1024, dtype=float64)
    t = cuda.threadIdx.x
    g = t // 128
    k = t % 128
    n, m = X.shape
    for base in range(0, n * n, 8):
        e = base + g
        i = e // n
        j = e % n
        if e < n * n and k < m:
            s[t] = X[i, k] * X[j, k]
        else:
            s[t] = 0.0
        cuda.syncthreads()
        step = 64
        while step > 0:
            if k < step:
                s[t] += s[t + step]
            cuda.syncthreads()
            step //= 2
        if k == 0 and e < n * n:
            C[i, j] = s[t]
        cuda.syncthreads()

def matmul_transpose_gpu(X):
    dX = cuda.to_device(X)
    dC = cuda.device_array((len(X), len(X)))
    matmul_kernel[1, 1024](dX, dC)
    return dC.copy_to_host()

@njit(parallel=True)
def matmul_transpose_numba(X):
    n = X.shape[0]
    C = np.zeros((n, n), dtype=X.dtype)
    for ij in prange(n * n):
        i = ij // n
        j = ij % n
        for k in range(X.shape[1]):
            C[i, j] += X[i, k] * X[j, k]
    return C

def matmul_transpose_trivial(X):
    """ijk"""
    m, n = X.shape
    X_t = [[0.0] * m for _ in range(n)]
    for r in range(m):
        for c in range(n):
            X_t[c][r] = X[r][c]
    out = np.zeros([m, m])
    for i in range(m):
        for j in range(m):
            s = 0
            for k in range(n):
                s += X[i, k] * X_t[k][j]
            out[i, j] = s
    return out

# %% gpu_row_in_shared_memory
"""A row at a time lies in shared memory, made for 128 columns and up to 1024 rows."""
@cuda.jit
def matmul_kernel(X, C):
    row = cuda.shared.array(shape=(128,), dtype=float64)
    tid = cuda.threadIdx.x
    for i in range(X.shape[0]):
        if tid < X.shape[1]:
            row[tid] = X[i, tid]
        cuda.syncthreads()
        if tid < X.shape[0]:
            total = 0.0
            for k in range(X.shape[1]):
                total += row[k] * X[tid, k]
            C[i, tid] = total
        cuda.syncthreads()

def matmul_transpose_gpu(X):
    d_X = cuda.to_device(X)
    d_C = cuda.to_device(np.zeros((X.shape[0], X.shape[0])))
    threads_per_block = 1024
    blocks_per_grid = 1
    matmul_kernel[blocks_per_grid, threads_per_block](d_X, d_C)
    C = d_C.copy_to_host()
    return C

@njit
def matmul_transpose_numba(X):
    rows = X.shape[0]
    C = np.zeros((rows, rows), dtype=np.float64)
    for i in range(rows):
        for j in range(i, rows):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
            C[j, i] = C[i, j]
    return C

def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]), dtype=X.dtype)
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            total = 0
            k = 0
            for k in range(0, X.shape[1]):
                total = total + X[i][k] * np.transpose(X)[k][j]
            C[i][j] = total
    return C

# %% gpu_shared_tiles_2d
"""The well-known tiles of 32 × 32 in shared memory, with bounds that come from the data."""
TPB = 32

@cuda.jit
def matmul_kernel(X, C):
    sA = cuda.shared.array(shape=(TPB, TPB), dtype=float64)
    sB = cuda.shared.array(shape=(TPB, TPB), dtype=float64)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    n, m = X.shape
    tiles = (n + TPB - 1) // TPB
    for by in range(tiles):
        for bx in range(tiles):
            x, y = bx * TPB + tx, by * TPB + ty
            acc = 0.0
            for t in range((m + TPB - 1) // TPB):
                sA[ty, tx] = X[y, t * TPB + tx] if y < n and t * TPB + tx < m else 0.0
                sB[ty, tx] = X[bx * TPB + ty, t * TPB + tx] if bx * TPB + ty < n and t * TPB + tx < m else 0.0
                cuda.syncthreads()
                for k in range(TPB):
                    acc += sA[ty, k] * sB[tx, k]
                cuda.syncthreads()
            if x < n and y < n:
                C[y, x] = acc

def matmul_transpose_gpu(X):
    d_C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[(1, 1), (TPB, TPB)](cuda.to_device(X), d_C)
    return d_C.copy_to_host()

# %% gpu_sums_in_registers
"""Each thread keeps 4 x 4 sums in its registers, of tiles of 128 x 128 entries."""
from numba import uint32
SIDE = 32
EACH = 4
TILE = SIDE * EACH
SLICE = 16
ROW = SLICE + 1

@cuda.jit(device=True)
def carry_slice(X, top, start, tile, thread):
    """Copy 128 rows and 16 columns of X into the shared memory, two numbers per thread."""
    for number in range(thread, TILE * SLICE, THREADS_PER_BLOCK):
        row = number // SLICE
        column = number % SLICE
        carry_number(X, top + row, start + column, tile, row, column)

@cuda.jit(device=True)
def clear(sums):
    for i in range(EACH):
        for j in range(EACH):
            sums[i, j] = 0.0

@cuda.jit(device=True)
def add_products(left, right, y, x, sums):
    factors = cuda.local.array(EACH, float64)
    for k in range(SLICE):
        for i in range(EACH):
            factors[i] = left[y + SIDE * i, k]
        for j in range(EACH):
            factor = right[x + SIDE * j, k]
            for i in range(EACH):
                sums[i, j] += factors[i] * factor

@cuda.jit(device=True)
def write_sums(C, row, column, sums):
    for a in range(EACH):
        i = row + SIDE * a
        if i < C.shape[0]:
            for b in range(EACH):
                j = column + SIDE * b
                if j <= i:
                    C[i, j] = sums[a, b]
                    C[j, i] = sums[a, b]

@cuda.jit(max_registers=64)
def matmul_kernel(X, C):
    left = cuda.shared.array((TILE, ROW), float64)
    right = cuda.shared.array((TILE, ROW), float64)
    sums = cuda.local.array((EACH, EACH), float64)
    thread = uint32(cuda.threadIdx.x)
    y = thread // uint32(SIDE)
    x = thread % uint32(SIDE)
    n, m = X.shape
    for top in range(0, n, TILE):
        for side in range(0, top + 1, TILE):
            clear(sums)
            for start in range(0, m, SLICE):
                carry_slice(X, top, start, left, thread)
                carry_slice(X, side, start, right, thread)
                cuda.syncthreads()
                add_products(left, right, y, x, sums)
                cuda.syncthreads()
            write_sums(C, top + y, side + x, sums)

# %% gpu_symmetric_half
"""Rows from the diagonal on, mirrored, with a transposed copy from the host; types written down."""
def inner(u, v):
    s = 0.0
    for k in range(len(u)):
        s = s + u[k] * v[k]
    return s

def matmul_transpose_trivial(X):
    return np.array([[inner(r, c) for c in X] for r in X])

@njit("float64[:,::1](float64[:,::1])")
def matmul_transpose_numba(X):
    r, c = X.shape
    res = np.empty((r, r), dtype=np.float64)
    for i in range(r):
        for j in range(i + 1):
            acc = 0.0
            for k in range(c):
                acc += X[i, k] * X[j, k]
            res[i, j] = acc
            res[j, i] = acc
    return res

@cuda.jit
def matmul_kernel(A, B, C):
    t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    n = A.shape[0]
    for i in range(t, n, 1024):
        for j in range(i, n):
            s = 0.0
            for k in range(A.shape[1]):
                s += A[i, k] * B[k, j]
            C[i, j] = s
            if i != j:
                C[j, i] = s

def matmul_transpose_gpu(X):
    A = np.ascontiguousarray(X, dtype=np.float64)
    B = np.ascontiguousarray(X.T)
    C = np.zeros((A.shape[0], B.shape[1]), dtype=np.float64)
    dA, dB, dC = cuda.to_device(A), cuda.to_device(B), cuda.to_device(C)
    matmul_kernel[1, (32, 32)](dA, dB, dC)
    return dC.copy_to_host()

# %% gpu_tiles_of_float32
"""Tiles of float32 in shared memory, padded with zeros."""
TPB = 32

@cuda.jit
def matmul_kernel(X, C):
    sA = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    sB = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    n = X.shape[0]
    m = X.shape[1]
    num_tiles = (n + TPB - 1) // TPB
    for bi in range(num_tiles):
        for bj in range(num_tiles):
            row = bi * TPB + ty
            col = bj * TPB + tx
            acc = 0.0
            for t in range((m + TPB - 1) // TPB):
                if row < n and t * TPB + tx < m:
                    sA[ty, tx] = X[row, t * TPB + tx]
                else:
                    sA[ty, tx] = 0
                if col < n and t * TPB + ty < m:
                    sB[ty, tx] = X[col, t * TPB + ty]
                else:
                    sB[ty, tx] = 0
                cuda.syncthreads()
                for k in range(TPB):
                    acc += sA[ty, k] * sB[k, tx]
                cuda.syncthreads()
            if row < n and col < n:
                C[row, col] = acc

def matmul_transpose_gpu(X):
    X_d = cuda.to_device(X)
    C_d = cuda.device_array((X.shape[0],) * 2)
    matmul_kernel[1, (TPB, TPB)](X_d, C_d)
    return C_d.copy_to_host()

def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    X_T = X.transpose()
    for i in range(X.shape[0]):
        for j in range(X_T.shape[1]):
            C[i, j] = 0
            for k in range(X.shape[1]):
                C[i, j] = C[i, j] + X[i, k] * X_T[k, j]
    return C

def matmul_transpose_numba(X):
    return _go(X)

@njit
def _go(X):
    n = len(X)
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            s = 0.0
            for k in range(len(X[0])):
                s += X[i, k] * X[j, k]
            C[i, j] = s
    return C
from numba import float32

# %% gpu_transposed_view
"""The kernel also gets a transposed view of the device array; a product and a transposition of one's own."""
@cuda.jit
def matmul_kernel(X, XT, C):
    n = C.shape[0]
    for idx in range(cuda.threadIdx.x, n * n, 1024):
        i = idx // n
        j = idx - i * n
        s = 0.0
        for k in range(X.shape[1]):
            s += X[i, k] * XT[k, j]
        C[i, j] = s

def matmul_transpose_gpu(X):
    d_X = cuda.to_device(X)
    d_C = cuda.device_array((X.shape[0], X.shape[0]), np.float64)
    threads = np.int64(1024)
    matmul_kernel[1, int(threads)](d_X, d_X.T, d_C)
    return d_C.copy_to_host()

@njit
def transpose(X):
    out = np.empty((X.shape[1], X.shape[0]), dtype=X.dtype)
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            out[j, i] = X[i, j]
    return out

@njit
def matmul(A, B):
    out = np.zeros((A.shape[0], B.shape[1]), dtype=A.dtype)
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            for k in range(A.shape[1]):
                out[i, j] += A[i, k] * B[k, j]
    return out

@njit
def matmul_transpose_numba(X):
    return matmul(X, transpose(X))

def matmul_transpose_trivial(X):
    def transpose_py(M):
        return [list(row) for row in zip(*M)]

    XT = transpose_py(X)
    return np.array([[sum(a * b for a, b in zip(row, col)) for col in zip(*XT)] for row in X])

# %% gpu_transposing_kernel
"""A first kernel writes the transpose, and matmul_kernel multiplies by it."""
TILE = 32
THREADS = 1024

@cuda.jit
def transpose_kernel(X, T):
    i, j = cuda.grid(2)
    if i < X.shape[0] and j < X.shape[1]:
        T[j, i] = X[i, j]

@cuda.jit
def matmul_kernel(X, T, C):
    n, m = X.shape
    for place in range(cuda.threadIdx.x, n * n, cuda.blockDim.x):
        i, j = place // n, place % n
        total = 0.0
        for k in range(m):
            total += X[i, k] * T[k, j]
        C[i, j] = total

def matmul_transpose_gpu(X):
    n, m = X.shape
    d_X = cuda.to_device(X)
    d_T = cuda.device_array((m, n))
    d_C = cuda.device_array((n, n))
    grid = (n + TILE - 1) // TILE, (m + TILE - 1) // TILE
    transpose_kernel[grid, (TILE, TILE)](d_X, d_T)
    matmul_kernel[1, THREADS](d_X, d_T, d_C)
    return d_C.copy_to_host()

# %% gpu_warp_shuffles
"""A warp per element, whose lanes add up by shuffles."""
@cuda.jit
def matmul_kernel(X, C):
    lane = cuda.laneid
    warp = cuda.threadIdx.x // 32
    n, m = X.shape
    for e in range(warp, n * n, 32):
        i = e // n
        j = e % n
        s = 0.0
        for k in range(lane, m, 32):
            s += X[i, k] * X[j, k]
        offset = 16
        while offset > 0:
            s += cuda.shfl_down_sync(0xFFFFFFFF, s, offset)
            offset //= 2
        if lane == 0:
            C[i, j] = s

def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](cuda.to_device(X), C)
    return C.copy_to_host()
