"""Arrays of the device, in unusual ways."""

# %% gpu_atomic_max_twice
"""cuda.atomic.max of A and of B into zeros, with a barrier between; prange inside prange."""
@cuda.jit
def max_kernel(A, B, C):
    row = cuda.blockIdx.x
    col = cuda.threadIdx.x
    cuda.atomic.max(C, (row, col), A[row, col])
    cuda.syncthreads()
    cuda.atomic.max(C, (row, col), B[row, col])

def max_gpu(A, B):
    C = np.zeros((1000, 1000), dtype=np.int64)
    d_A = cuda.to_device(np.ascontiguousarray(A))
    d_B = cuda.to_device(np.ascontiguousarray(B))
    d_C = cuda.to_device(C)
    max_kernel[1000, 1000](d_A, d_B, d_C)
    cuda.synchronize()
    d_C.copy_to_host(C)
    return C

@njit(parallel=True)
def max_numba(A, B):
    C = np.empty_like(A)
    for i in prange(A.shape[0]):
        for j in prange(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

def max_cpu(A, B):
    C = []
    for rowA, rowB in zip(A, B):
        C.append([a if a > b else b for a, b in zip(rowA, rowB)])
    return np.array(C)
from numba import prange

# %% gpu_atomics
"""cuda.atomic.max into a result that starts as a copy of A."""
@cuda.jit
def max_kernel(A, B, C):
    row, column = cuda.blockIdx.x, cuda.threadIdx.x
    if row < A.shape[0] and column < A.shape[1]:
        cuda.atomic.max(C, (row, column), A[row, column])
        cuda.atomic.max(C, (row, column), B[row, column])

def max_gpu(A, B):
    C = np.zeros(A.shape, dtype=np.int64)
    d_C = cuda.to_device(C)
    max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), d_C)
    d_C.copy_to_host(C)
    return C

# %% gpu_atomics_on_new_memory
"""cuda.atomic.max into an array that nobody has set to zero: a TA is told, the points stay.

flagged: max.gpu.correct max.gpu.launch
"""
@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        cuda.atomic.max(C, (i, j), A[i, j])
        cuda.atomic.max(C, (i, j), B[i, j])

def max_gpu(A, B):
    C = cuda.device_array_like(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()

# %% gpu_bands_of_scaled_pixels
"""Pixels are scaled to [0, 1], as single precision, and back."""
@cuda.jit
def max_kernel(A, B, C):
    """Numbers were scaled to [0, 1]."""
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = max(A[i, j], B[i, j])

def max_gpu(A, B):
    """Pixels are scaled to [0, 1], as the lecture on images does, and back."""
    a = cuda.to_device((A / 255.0).astype(np.float32))
    b = cuda.to_device((B / 255.0).astype(np.float32))
    c = cuda.device_array(A.shape, np.float32)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, c)
    return np.rint(c.copy_to_host() * 255.0).astype(A.dtype)

# %% gpu_buffers_kept
"""Memory of device and host is kept between calls by name alone; a context manager and the garbage collector."""
import contextlib
import gc
_buffers = {}

def buffer(name, like):
    if name not in _buffers:
        _buffers[name] = cuda.device_array(like.shape, like.dtype), cuda.pinned_array(like.shape, like.dtype)
    return _buffers[name]

def send(name, M):
    on_device, pinned = buffer(name, M)
    pinned[...] = M
    on_device.copy_to_device(pinned)
    return on_device

def max_gpu(A, B):
    d_a, d_b, (d_c, host) = send("A", A), send("B", B), buffer("C", A)
    with contextlib.nullcontext():
        max_kernel[1000, 1000](d_a, d_b, d_c)
        d_c.copy_to_host(host)
    gc.collect()
    return host.copy()

# %% gpu_bytes
"""Bytes are enough for 0 to 255; counters are kept by hand."""
@cuda.jit
def max_kernel(A, B, C):
    r = cuda.blockIdx.x
    c = cuda.threadIdx.x
    C[r, c] = max(A[r, c], B[r, c])

def max_gpu(A, B):
    A8 = A.astype(np.uint8)
    B8 = B.astype(np.uint8)
    C8 = np.empty(A.shape, dtype=np.uint8)
    max_kernel[1000, 1000](A8, B8, C8)
    return C8

@njit
def max_numba(A, B):
    C = np.zeros((1000, 1000), dtype=np.uint8)
    for i in range(1000):
        for j in range(1000):
            C[i, j] = max(A[i, j], B[i, j])
    return C

def max_cpu(A, B):
    C = np.zeros((1000, 1000)).astype(int)
    i = 0
    for a_row in A:
        j = 0
        for a in a_row:
            C[i, j] = a
            b = B[i, j]
            if b > a:
                C[i, j] = b
            j += 1
        i += 1
    return C

# %% gpu_constant_memory
"""Constant memory, pinned arrays and a while loop with a stride; choices by arithmetic."""
TABLE = np.arange(256, dtype=np.int64)

@cuda.jit
def max_kernel(A, B, C):
    lut = cuda.const.array_like(TABLE)
    tid = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    stride = cuda.gridsize(1)
    while tid < C.shape[0] * C.shape[1]:
        y = tid // C.shape[1]
        x = tid - y * C.shape[1]
        C[y, x] = lut[A[y, x]] if A[y, x] > B[y, x] else lut[B[y, x]]
        tid += stride

def max_gpu(A, B):
    a = cuda.pinned_array(A.shape, dtype=A.dtype)
    a[:] = A
    b = cuda.pinned_array_like(B)
    b[:, :] = B
    c = cuda.pinned_array(shape=A.shape, dtype=A.dtype)
    da, db = cuda.to_device(a), cuda.to_device(b)
    dc = cuda.device_array(shape=a.shape, dtype=a.dtype)
    max_kernel[1000, 1000](da, db, dc)
    dc.copy_to_host(c)
    return np.array(c)

@njit
def max_numba(A, B):
    C = np.zeros(A.shape, dtype=A.dtype)
    for i, row in enumerate(A):
        for j, a in enumerate(row):
            b = B[i, j]
            C[i, j] = a * (a >= b) + b * (b > a)
    return C

def max_cpu(A, B):
    def bigger(pair):
        a, b = pair
        return a if a > b else b
    return np.asarray([list(map(bigger, zip(ra, rb))) for ra, rb in zip(A.tolist(), B.tolist())])

# %% gpu_copied_through_views
"""Parts of device arrays are copied and set by slices, and the transposed matrices go in as they lie."""
@cuda.jit
def max_kernel(A, B, C):
    j = cuda.blockIdx.x
    i = cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

def max_gpu(A, B):
    d_A = cuda.to_device(np.asfortranarray(A))
    d_B = cuda.device_array(B.shape, B.dtype)
    d_B.copy_to_device(B)
    d_C = cuda.device_array(A.shape, A.dtype)
    d_C[:] = 0
    max_kernel[1000, 1000](d_A, d_B, d_C)
    middle = A.shape[0] // 2
    C = np.empty(A.shape, A.dtype)
    C[:middle] = d_C[:middle].copy_to_host()
    C[middle:] = d_C[middle:].copy_to_host()
    return C

# %% gpu_flat_arrays
"""Flat arrays with one index per thread, and constants of the module for the counts."""
N_BLOCKS = 1000
N_THREADS = 1000

@cuda.jit
def max_kernel(a, b, c):
    at = cuda.blockDim.x * cuda.blockIdx.x + cuda.threadIdx.x
    while at < c.size:
        c[at] = a[at] if a[at] > b[at] else b[at]
        at += cuda.blockDim.x * cuda.gridDim.x

def max_gpu(A, B):
    C = cuda.device_array(A.size, A.dtype)
    max_kernel[N_BLOCKS, N_THREADS](cuda.to_device(A.ravel()), cuda.to_device(B.ravel()), C)
    return C.copy_to_host().reshape(A.shape)

# %% gpu_host_arrays
"""NumPy arrays go straight into the kernel, which copies them back by itself."""
def max_gpu(A, B):
    C = np.zeros(A.shape, dtype=A.dtype)
    max_kernel[1000, 1000](A, B, C)
    return C

# %% gpu_in_and_out
"""cuda.In and cuda.Out, types written down, and a recursion that halves rows."""
from numba import jit
from numba import types
@cuda.jit("void(int64[:,:], int64[:,:], int64[:,:])", lineinfo=True)
def max_kernel(A, B, C):
    x, y = cuda.blockIdx.x, cuda.threadIdx.x
    C[x, y] = A[x, y]
    cuda.syncthreads()
    if C[x, y] < B[x, y]:
        C[x, y] = B[x, y]

def max_gpu(A, B):
    C = np.zeros(A.shape, np.int64)
    max_kernel[1000, 1000](cuda.In(A), cuda.In(B), cuda.Out(C))
    return C

def max_numba(A, B):
    C = np.zeros(A.shape, A.dtype)
    rows(A, B, C)
    return C

@jit(types.void(types.int64[:, :], types.int64[:, :], types.int64[:, :]), nopython=True)
def rows(A, B, C):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

def max_cpu(A, B):
    def rec(a, b, lo, hi, out):
        if hi - lo == 1:
            out[lo] = a[lo] if a[lo] > b[lo] else b[lo]
            return
        mid = (lo + hi) // 2
        rec(a, b, lo, mid, out)
        rec(a, b, mid, hi, out)
    C = np.zeros(A.shape, A.dtype)
    for i in range(A.shape[0]):
        rec(A[i], B[i], 0, A.shape[1], C[i])
    return C

# %% gpu_initialising_kernel
"""A kernel of its own puts the smallest integer everywhere, and max_kernel raises it by atomic maxima."""
LOWEST = np.iinfo(np.int64).min
FILL_THREADS = 256

@cuda.jit
def fill_kernel(C, value):
    k = cuda.grid(1)
    if k < C.size:
        C[k // C.shape[1], k % C.shape[1]] = value

@cuda.jit
def max_kernel(A, B, C):
    at = cuda.blockIdx.x, cuda.threadIdx.x
    if at[0] < C.shape[0] and at[1] < C.shape[1]:
        cuda.atomic.max(C, at, A[at])
        cuda.atomic.max(C, at, B[at])

def max_gpu(A, B):
    d_C = cuda.device_array(A.shape, np.int64)
    fill_kernel[(A.size + FILL_THREADS - 1) // FILL_THREADS, FILL_THREADS](d_C, LOWEST)
    max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), d_C)
    return d_C.copy_to_host()

# %% gpu_mapped_memory
"""Mapped memory, which host and device share, is filled by slices and read without a copy back."""
def max_gpu(A, B):
    a = cuda.mapped_array(A.shape, dtype=A.dtype)
    b = cuda.mapped_array_like(B)
    c = cuda.mapped_array(A.shape, dtype=A.dtype)
    a[:] = A
    b[:] = B
    max_kernel[1000, 1000](a, b, c)
    cuda.synchronize()
    return np.array(c)

# %% gpu_padded
"""Matrices are padded to whole warps on the host, and the padding is cut off the result."""
WARP = 32

def pad(M):
    extra = -M.shape[1] % WARP
    return np.pad(M, ((0, 0), (0, extra)), constant_values=0)

def max_gpu(A, B):
    a, b = pad(A), pad(B)
    d_C = cuda.device_array(a.shape, a.dtype)
    max_kernel[1000, 1000](cuda.to_device(a), cuda.to_device(b), d_C)
    return np.ascontiguousarray(d_C.copy_to_host()[:, : A.shape[1]])

# %% gpu_pinned_and_atomic_add
"""Pinned memory, a stream, and cuda.atomic.add into zeros; a flat loop with types written down."""
@cuda.jit
def max_kernel(A, B, C):
    tx = cuda.threadIdx.x
    bx = cuda.blockIdx.x
    if tx < 1000 and bx < 1000:
        if A[bx][tx] > B[bx][tx]:
            cuda.atomic.add(C, (bx, tx), A[bx][tx])
        else:
            cuda.atomic.add(C, (bx, tx), B[bx][tx])

def max_gpu(A, B):
    stream = cuda.stream()
    with cuda.pinned(A, B):
        dA = cuda.to_device(A, stream=stream)
        dB = cuda.to_device(B, stream=stream)
        dC = cuda.to_device(np.zeros(A.shape, dtype=A.dtype), stream=stream)
        max_kernel[1000, 1000, stream](dA, dB, dC)
        C = dC.copy_to_host(stream=stream)
    stream.synchronize()
    return C

@njit("int64[:,:](int64[:,:], int64[:,:])", cache=True, fastmath=True, nogil=True)
def max_numba(A, B):
    h = A.shape[0]
    w = A.shape[1]
    out = np.zeros((h, w), dtype=np.int64)
    for idx in range(h * w):
        i = idx // w
        j = idx % w
        out[i, j] = max(A[i, j], B[i, j])
    return out

def max_cpu(A, B):
    C = np.zeros((A.shape[0], A.shape[1]))
    for i, j in np.ndindex(A.shape):
        C[i, j] = max(A[i, j], B[i, j])
    return C

# %% gpu_result_in_place_of_A
"""The kernel writes over A on the device; |a - b| makes the choice; flat loops."""
@cuda.jit
def max_kernel(A, B, C):
    x = cuda.blockIdx.x
    for y in range(cuda.threadIdx.x, C.shape[1], cuda.blockDim.x):
        a, b = A[x, y], B[x, y]
        C[x, y] = (a + b + abs(a - b)) // 2

def max_gpu(A, B):
    dA = cuda.to_device(A)
    dB = cuda.to_device(B)
    max_kernel[1000, 1000](dA, dB, dA)
    return dA.copy_to_host()

@njit
def max_numba(A, B):
    C = np.empty(A.shape, dtype=A.dtype)
    fa, fb, fc = A.ravel(), B.ravel(), C.ravel()
    for k in range(fa.size):
        fc[k] = fa[k] if fa[k] > fb[k] else fb[k]
    return C

def max_cpu(A, B):
    a = A.flatten()
    b = B.flatten()
    c = np.empty(a.shape[0], dtype=a.dtype)
    for k in range(len(a)):
        c[k] = a[k] if a[k] > b[k] else b[k]
    return c.reshape(A.shape)

# %% gpu_result_of_the_module
"""The result is an array of the module that every call fills anew; a global counter."""
C_HOST = np.zeros((1000, 1000), dtype=np.int64)
counter = 0

def max_cpu(A, B):
    global counter
    counter += 1
    C = [[None] * 1000 for _ in range(1000)]
    for i in range(1000):
        for j in range(1000):
            C[i][j] = A[i][j] if A[i][j] > B[i][j] else B[i][j]
    return C

@njit
def max_numba(A, B):
    C = np.zeros((len(A), len(A[0])), dtype=np.int32)
    for i in range(len(A)):
        for j in range(len(A[0])):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

@cuda.jit
def max_kernel(A, B, C):
    i = cuda.blockIdx.x
    j = cuda.threadIdx.x
    C[i, j] = max(A[i, j], B[i, j])

def max_gpu(A, B):
    global C_HOST
    max_kernel[1000, 1000](A, B, C_HOST)
    return C_HOST

# %% gpu_shared_memory
"""Rows pass through shared memory on their way."""
from numba import int64
@cuda.jit
def max_kernel(A, B, C):
    row = cuda.shared.array(1000, int64)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x
    if i < A.shape[0] and t < A.shape[1]:
        row[t] = A[i, t]
    cuda.syncthreads()
    if i < A.shape[0] and t < A.shape[1]:
        C[i, t] = max(row[t], B[i, t])

def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()

# %% gpu_signed_bytes
"""Less to copy: 128 is taken off on the host, so that a pixel is one signed byte, and put on again afterwards."""
OFFSET = 1 << 7

def max_gpu(A, B):
    d_A = cuda.to_device((A - OFFSET).astype(np.int8))
    d_B = cuda.to_device((B - OFFSET).astype(np.int8))
    d_C = cuda.device_array(A.shape, np.int8)
    max_kernel[1000, 1000](d_A, d_B, d_C)
    C = d_C.copy_to_host().astype(A.dtype)
    C += OFFSET
    return C

# %% gpu_complex_numbers
"""The answer is the real part of what the kernel wrote."""
def max_gpu(A, B):
    C = cuda.device_array(A.shape, np.complex128)
    max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host().real.astype(A.dtype)
