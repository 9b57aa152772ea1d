"""Arrays of the device, in unusual ways."""

# %% gpu_atomic_adds
"""Threads share the sums and join them by atomic additions."""
@cuda.jit
def matmul_kernel(X, C):
    k = cuda.threadIdx.x % 16
    worker = cuda.threadIdx.x // 16
    for at in range(worker, C.size, 64):
        i = at // C.shape[1]
        j = at % C.shape[1]
        part = 0.0
        for column in range(k, X.shape[1], 16):
            part += X[i, column] * X[j, column]
        cuda.atomic.add(C, (i, j), part)

def matmul_transpose_gpu(X):
    C = cuda.to_device(np.zeros((X.shape[0], X.shape[0])))
    matmul_kernel[1, 1024](cuda.to_device(X), C)
    return C.copy_to_host()

# %% gpu_atomics_per_product
"""One atomic addition per product, after the kernel has set zeros; an exception of one's own."""
class MatrixError(ValueError):
    pass

def matmul_transpose_trivial(X):
    if X.ndim != 2:
        raise MatrixError(f"2-D expected, got {X.ndim}")
    rows, inner_dim = X.shape
    result = np.zeros(shape=(rows, rows))
    row = 0
    while row < rows:
        col = 0
        while col < rows:
            k = 0
            while k < inner_dim:
                result[row, col] += X[row, k] * X.T[k, col]
                k += 1
            col += 1
        row += 1
    return result

def _plain(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i][j] += X[i][k] * X[j][k]
    return C

matmul_transpose_numba = njit(_plain, cache=True)

@cuda.jit
def matmul_kernel(X, C):
    t = cuda.threadIdx.x
    for i in range(C.shape[0]):
        for j in range(t, C.shape[1], 1024):
            C[i, j] = 0
    cuda.syncthreads()
    k = t % 128
    for i in range(t // 128, X.shape[0], 8):
        for j in range(X.shape[0]):
            cuda.atomic.add(C, (i, j), X[i, k] * X[j, k])

def matmul_transpose_gpu(X):
    d_C = cuda.device_array((X.shape[0], X.shape[0]), dtype=np.float64)
    matmul_kernel[1, 1024](cuda.to_device(X), d_C)
    cuda.synchronize()
    return d_C.copy_to_host()

# %% gpu_bands_in_streams
"""Every stream gets a band of rows, whose place comes from np.linspace, and writes into its slice of the result."""
from dataclasses import dataclass, field
N_STREAMS = 4

@dataclass(order=True)
class Band:
    first: int
    last: int
    stream: object = field(default_factory=cuda.stream, compare=False)

    @property
    def rows(self):
        return slice(self.first, self.last)

def bands(n):
    edges = np.linspace(0, n, N_STREAMS + 1, dtype=int)
    return [Band(int(first), int(last)) for first, last in zip(edges, edges[1:]) if last > first]

@cuda.jit
def matmul_kernel(X, C, first, last):
    n = X.shape[0]
    for place in range(cuda.threadIdx.x, (last - first) * n, cuda.blockDim.x):
        i, j = first + place // n, place % n
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total

def matmul_transpose_gpu(X):
    n = X.shape[0]
    C = np.empty((n, n))
    d_X, d_C = cuda.to_device(X), cuda.device_array((n, n))
    for band in bands(n):
        matmul_kernel[1, 1024, band.stream](d_X, d_C, band.first, band.last)
        d_C[band.rows].copy_to_host(C[band.rows], stream=band.stream)
    cuda.synchronize()
    return C

# %% gpu_bands_one_launch_each
"""Bands of 196 rows, one launch each: a small GPU need not hold all of C."""
@cuda.jit
def matmul_kernel(band, X, C):
    """Multiply some rows of X with all of them."""
    columns = X.shape[0]
    for entry in range(cuda.threadIdx.x, band.shape[0] * columns, cuda.blockDim.x):
        i, j = entry // columns, entry % columns
        total = 0.0
        for k in range(X.shape[1]):
            total += band[i, k] * X[j, k]
        C[i, j] = total

def matmul_transpose_gpu(X):
    """Bands of 196 rows, one launch each: a small GPU need not hold all of C."""
    X_on_gpu = cuda.to_device(X)
    bands = []
    for first in range(0, X.shape[0], 196):
        band = cuda.to_device(X[first : first + 196])
        C_on_gpu = cuda.device_array((band.shape[0], X.shape[0]))
        matmul_kernel[BLOCKS, THREADS_PER_BLOCK](band, X_on_gpu, C_on_gpu)
        bands.append(C_on_gpu.copy_to_host())
    return np.concatenate(bands)

# %% gpu_given_host_array
"""The result is copied into a pinned array that lies ready, in a stream, between two events."""
from contextlib import contextmanager
from types import SimpleNamespace
@contextmanager
def timed(stream):
    times = SimpleNamespace(ms=None)
    begin, end = cuda.event(timing=True), cuda.event(timing=True)
    begin.record(stream)
    yield times
    end.record(stream)
    end.synchronize()
    times.ms = begin.elapsed_time(end)

def matmul_transpose_gpu(X):
    stream = cuda.stream()
    C = cuda.pinned_array((X.shape[0], X.shape[0]), dtype=np.float64)
    with timed(stream) as times:
        d_X = cuda.to_device(X, stream=stream)
        d_C = cuda.device_array(C.shape, C.dtype, stream=stream)
        matmul_kernel[1, 1024, stream](d_X, d_C)
        d_C.copy_to_host(C, stream=stream)
    stream.synchronize()
    print(f"{times.ms} ms")
    return np.asarray(C)

# %% gpu_list_of_pairs
"""NumPy lists the pairs of rows from the diagonal down, and the threads share the list."""
@cuda.jit
def matmul_kernel(X, rows, columns, C):
    for p in range(cuda.threadIdx.x, rows.size, cuda.blockDim.x):
        i, j = rows[p], columns[p]
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        C[i, j] = total
        C[j, i] = total

def matmul_transpose_gpu(X):
    rows, columns = np.tril_indices(X.shape[0])
    d_rows, d_columns = (cuda.to_device(places.astype(np.int32)) for places in (rows, columns))
    d_C = cuda.device_array((X.shape[0],) * 2, dtype=X.dtype)
    matmul_kernel[1, 1024](cuda.to_device(X), d_rows, d_columns, d_C)
    return d_C.copy_to_host()

# %% gpu_local_memory
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

# %% gpu_packed_triangle
"""The kernel writes only the triangle, row after row in a flat array, and the host unpacks it into both halves."""
@cuda.jit
def matmul_kernel(X, starts, packed):
    n, m = X.shape
    for i in range(cuda.threadIdx.x, n, cuda.blockDim.x):
        for j in range(i + 1):
            total = 0.0
            for k in range(m):
                total += X[i, k] * X[j, k]
            packed[starts[i] + j] = total

def matmul_transpose_gpu(X):
    n = X.shape[0]
    lengths = np.arange(1, n + 1)
    starts = np.cumsum(lengths) - lengths
    d_packed = cuda.device_array(int(lengths.sum()), np.float64)
    matmul_kernel[1, 1024](cuda.to_device(X), cuda.to_device(starts), d_packed)
    packed = d_packed.copy_to_host()
    C = np.zeros((n, n))
    for i, start in enumerate(starts):
        C[i, : i + 1] = packed[start : start + i + 1]
        C[: i + 1, i] = packed[start : start + i + 1]
    return C

# %% gpu_scaled_copy
"""X is scaled to at most 1 and copied as float32; the product is scaled back on the host."""
def matmul_transpose_gpu(X):
    scale = float(np.abs(X).max()) or 1.0
    small = np.ascontiguousarray(X / scale, dtype=np.float32)
    d_C = cuda.device_array((X.shape[0], X.shape[0]), dtype=np.float64)
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(small), d_C)
    C = d_C.copy_to_host()
    C *= scale**2
    return C

# %% gpu_sizes_in_a_small_array
"""Sizes, and the row of a launch, travel in a small array that is filled one by one; one launch for every eight rows.
"""
@cuda.jit
def matmul_kernel(X, C, sizes):
    n, m, first, rows = sizes[0], sizes[1], sizes[2], sizes[3]
    for e in range(cuda.threadIdx.x, rows * n, cuda.blockDim.x):
        i, j = first + e // n, e % n
        total = 0.0
        for k in range(m):
            total += X[i, k] * X[j, k]
        C[i, j] = total

def matmul_transpose_gpu(X):
    n, m = X.shape
    x, C = cuda.to_device(X), cuda.device_array((n, n))
    sizes = np.zeros(4, np.int64)
    sizes[0] = n
    sizes[1] = m
    for first in range(0, n, 8):
        sizes[2] = first
        sizes[3] = min(8, n - first)
        matmul_kernel[1, 1024](x, C, cuda.to_device(sizes))
    return C.copy_to_host()

# %% gpu_sums_in_global_memory
"""Sums grow in global memory; counts from a dictionary; an inlined function for Numba."""
import math
CONFIG = {"threads": 1024, "blocks": 1}

def matmul_transpose_trivial(X):
    n, m = X.shape
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            C[i, j] = sum(X[i, k] * X[j, k] for k in range(m))
    return C

@njit(boundscheck=False, inline="always")
def cell(X, i, j):
    s = 0.0
    for k in range(X.shape[1]):
        s += X[i, k] * X[j, k]
    return s

@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = cell(X, i, j)
    return C

@cuda.jit
def matmul_kernel(X, C):
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    n = X.shape[0]
    for i in range(n):
        for j in range(start, n, stride):
            C[i, j] = 0.0
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]

def matmul_transpose_gpu(X):
    X = np.asarray(X, dtype=np.float64)
    C = np.empty((X.shape[0], X.shape[0]), dtype=X.dtype)
    matmul_kernel[CONFIG["blocks"], CONFIG["threads"]](X, C)
    return C

# %% gpu_sums_into_new_memory
"""+= into an array that nobody has set to zero: right here, and on a GPU by luck, so that a TA is told.

flagged: matmul.gpu.correct matmul.gpu.launch
"""
@cuda.jit
def matmul_kernel(X, C):
    rows = X.shape[0]
    for index in range(cuda.threadIdx.x, rows * rows, cuda.blockDim.x):
        for k in range(X.shape[1]):
            C[index // rows, index % rows] += X[index // rows, k] * X[index % rows, k]

def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](cuda.to_device(X), C)
    return C.copy_to_host()

# %% gpu_transposed_copy
"""The kernel also gets the transposed matrix, as a third argument."""
@cuda.jit
def matmul_kernel(X, T, C):
    for at in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        i, j = at // C.shape[1], at % C.shape[1]
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * T[k, j]
        C[i, j] = total

def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](cuda.to_device(X), cuda.to_device(np.ascontiguousarray(X.T)), C)
    return C.copy_to_host()

# %% gpu_zeroing_kernel
"""A first kernel sets the sums to zero, and matmul_kernel adds to them with atomics, for a few columns at a time."""
COLUMNS_PER_THREAD = 16

@cuda.jit
def zero_kernel(C):
    for k in range(cuda.grid(1), C.size, cuda.gridsize(1)):
        C[k // C.shape[1], k % C.shape[1]] = 0.0

@cuda.jit
def matmul_kernel(X, C):
    n, m = X.shape
    parts = (m + COLUMNS_PER_THREAD - 1) // COLUMNS_PER_THREAD
    for task in range(cuda.threadIdx.x, n * n * parts, cuda.blockDim.x):
        place, part = task // parts, task % parts
        i, j = place // n, place % n
        total = 0.0
        for k in range(part * COLUMNS_PER_THREAD, min(m, (part + 1) * COLUMNS_PER_THREAD)):
            total += X[i, k] * X[j, k]
        cuda.atomic.add(C, (i, j), total)

def matmul_transpose_gpu(X):
    d_C = cuda.device_array((X.shape[0], X.shape[0]), np.float64)
    zero_kernel[64, 256](d_C)
    matmul_kernel[1, 1024](cuda.to_device(X), d_C)
    return d_C.copy_to_host()
