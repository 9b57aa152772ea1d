"""Kernels and launches, in unusual ways."""

# %% gpu_bands_from_utils
"""create_batches of utils.py cuts both matrices into bands of rows, and each band has a stream of its own."""
from contextlib import ExitStack
from utils import create_batches
@cuda.jit
def max_kernel(A, B, C):
    for i in range(cuda.blockIdx.x, C.shape[0], cuda.gridDim.x):
        for j in range(cuda.threadIdx.x, C.shape[1], cuda.blockDim.x):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

def max_gpu(A, B):
    parts = []
    with ExitStack() as stack:
        for a, b in create_batches(A, B, 250):
            stream = stack.enter_context(cuda.stream().auto_synchronize())
            d_a = cuda.to_device(a, stream=stream)
            d_b = cuda.to_device(b, stream=stream)
            d_c = cuda.device_array(a.shape, a.dtype, stream=stream)
            max_kernel[1000, 1000, stream](d_a, d_b, d_c)
            parts.append(d_c.copy_to_host(stream=stream))
    return np.vstack(parts)

def max_cpu(A, B):
    C = []
    for a, b in create_batches(A, B, 100):
        for row_a, row_b in zip(a, b):
            C.append([x if x > y else y for x, y in zip(row_a, row_b)])
    return np.array(C)

# %% gpu_configured_at_import
"""The kernel gets its counts once, when the file is loaded, and a partial function knows one argument before."""
from functools import partial
@cuda.jit
def max_kernel(rows, A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < rows and j < C.shape[1]:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

launch = max_kernel[1000, 1000]
launch_for_1000_rows = partial(launch, 1000)
to_device = cuda.to_device

def max_gpu(A, B):
    d_A, d_B, d_C = map(to_device, (A, B, np.zeros_like(A)))
    launch_for_1000_rows(d_A, d_B, d_C)
    return d_C.copy_to_host()

# %% gpu_context_manager_class
"""A class carries matrices to the device and back, in a with statement; the functions of the sheet hand on."""
class OnDevice:
    blocks, threads = 1000, 1000

    def __init__(self, *matrices):
        self.matrices = matrices
        self.copies = []

    def __enter__(self):
        self.copies = [cuda.to_device(matrix) for matrix in self.matrices]
        self.result = cuda.device_array_like(self.copies[0])
        return self

    def __exit__(self, kind, value, traceback):
        self.copies.clear()
        del self.result
        return False

    def launch(self, kernel):
        kernel[self.blocks, self.threads](*self.copies, self.result)
        return self

    @property
    def host(self):
        return self.result.copy_to_host()

class Maximum:
    @staticmethod
    def of_two(a, b):
        return a if a > b else b

    @classmethod
    def of_rows(cls, a, b):
        return [cls.of_two(x, y) for x, y in zip(a, b)]

    def __call__(self, A, B):
        return np.array([self.of_rows(a, b) for a, b in zip(A, B)])

def max_cpu(A, B):
    return Maximum()(A, B)

def max_gpu(A, B):
    with OnDevice(A, B) as device:
        return device.launch(max_kernel).host

# %% gpu_device_function
"""A device function with a signature, blocks of (1, 1000), annotations, and imports that nothing needs."""
import argparse
from typing import Any, Tuple
import time
rows: int = 1000
cols: int = 1000
Matrix = np.ndarray

@cuda.jit("int64(int64, int64)", device=True, inline=True)
def bigger(a, b):
    return a if a > b else b

@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = bigger(A[i, j], B[i, j])

def max_gpu(A: Matrix, B: Matrix) -> Matrix:
    """grid (1000,1), block (1,1000)"""
    d_c = cuda.device_array_like(A)
    max_kernel[(1000, 1), (1, 1000)](cuda.to_device(A), cuda.to_device(B), d_c)
    result: Matrix = d_c.copy_to_host()
    return result

@njit(cache=True)
def _pick(a, b):
    if a > b:
        return a
    return b

@njit(cache=True)
def max_numba(A: Matrix, B: Matrix) -> Matrix:
    C = A.copy()
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = _pick(A[i, j], B[i, j])
    return C

def max_cpu(A: Matrix, B: Matrix) -> Matrix:
    C: Matrix = np.array(A, copy=True)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if B[i][j] > C[i][j]:
                C[i][j] = B[i][j]
    return C

# %% gpu_grid_of_one_dimension
"""cuda.grid(1) and divmod find row and column; 1000 is worked out from the sizes; float32 from lists."""
@cuda.jit
def max_kernel(A, B, C):
    idx = cuda.grid(1)
    if idx < A.size:
        r, c = divmod(idx, A.shape[1])
        a = A[r, c]
        b = B[r, c]
        if a >= b:
            C[r, c] = a
        else:
            C[r, c] = b

def max_gpu(A, B):
    C = np.zeros_like(A)
    threadsperblock = 1000
    blockspergrid = (A.size + (threadsperblock - 1)) // threadsperblock
    max_kernel[blockspergrid, threadsperblock](A, B, C)
    return C

@njit
def max_numba(A, B):
    n, m = A.shape
    C = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            C[i][j] = max(A[i][j], B[i][j])
    return C
def max_cpu(A, B):
    C = [[0 for j in range(1000)] for i in range(1000)]
    for i in range(len(A)):
        for j in range(len(A[0])):
            C[i][j] = int(max([A[i][j], B[i][j]]))
    return np.array(C, dtype=np.float32)

# %% gpu_kernel_by_type
"""Kernels stand in a dictionary under the type of their numbers, with a default for all others."""
from collections import defaultdict
@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

@cuda.jit(fastmath=True)
def max_kernel_float(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])

KERNELS = defaultdict(lambda: max_kernel, {np.dtype(kind): max_kernel_float for kind in ("float32", "float64")})

def max_gpu(A, B):
    kernel = KERNELS[A.dtype]
    d_C = cuda.device_array(A.shape, dtype=A.dtype)
    kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), d_C)
    return d_C.copy_to_host()

# %% gpu_kernel_factory
"""A plain function, which `cuda.jit` with a signature compiles further down."""
def _larger(A, B, C):
    """One element per thread; compiled below."""
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])

max_kernel = cuda.jit("void(int64[:, :], int64[:, :], int64[:, :])")(_larger)

# %% gpu_other_kernels_beside
"""The file has other kernels, for trials, with random numbers of Numba and a helper library; no graded function uses them.
"""
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32
@cuda.jit
def fill(states, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = xoroshiro128p_uniform_float32(states, i)

@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

def try_random_numbers(count=1000):
    states = create_xoroshiro128p_states(count, seed=1)
    out = cuda.device_array(count, np.float32)
    fill[1, count](states, out)
    print(out.copy_to_host().mean())

# %% gpu_prints_what_the_device_is
"""Versions, limits and memory of the device are printed at import and in each call, and what is freed is freed at once.
"""
import gc
print("CUDA runtime", cuda.runtime.get_version())
print("threads per multiprocessor", cuda.get_current_device().MAX_THREADS_PER_MULTI_PROCESSOR)

def describe_device():
    context = cuda.current_context()
    device, memory = context.device, context.get_memory_info()
    print(device.name.decode(), device.compute_capability, device.CLOCK_RATE / 1e6, "GHz", device.L2_CACHE_SIZE)
    print(device.MAX_REGISTERS_PER_BLOCK, device.TOTAL_CONSTANT_MEMORY, "%.1f GB free" % (memory.free / 2**30))

def max_gpu(A, B):
    cuda.select_device(0)
    describe_device()
    with cuda.defer_cleanup():
        d_A, d_B, d_C = cuda.to_device(A), cuda.to_device(B), cuda.device_array_like(A)
        max_kernel[1000, 1000](d_A, d_B, d_C)
        C = d_C.copy_to_host()
    del d_A, d_B, d_C
    gc.collect()
    cuda.current_context().deallocations.clear()
    return C

# %% gpu_row_offsets_in_two_streams
"""Two streams, each with half of the rows: one copies while the other computes."""
def max_gpu(A, B):
    """Two streams, each with half of the rows: one copies while the other computes."""
    streams = [cuda.stream() for _ in range(2)]
    C = np.empty_like(A)
    half = A.shape[0] // 2
    parts = []
    for stream, rows in zip(streams, (slice(0, half), slice(half, None))):
        a = cuda.to_device(A[rows], stream=stream)
        b = cuda.to_device(B[rows], stream=stream)
        c = cuda.device_array(a.shape, A.dtype, stream=stream)
        max_kernel[BLOCKS, THREADS_PER_BLOCK, stream](a, b, c)
        parts.append((rows, stream, c))
    for rows, stream, c in parts:
        c.copy_to_host(C[rows], stream=stream)
    cuda.synchronize()
    return C

# %% gpu_streams_and_events
"""A stream, events for times, and a barrier that a maximum does not need."""
@cuda.jit
def max_kernel(A, B, C):
    i = cuda.blockIdx.x
    for j in range(cuda.threadIdx.x, A.shape[1], cuda.blockDim.x):
        if i < A.shape[0]:
            C[i, j] = max(A[i, j], B[i, j])
    cuda.syncthreads()

def max_gpu(A, B):
    stream = cuda.stream()
    begin, end = cuda.event(), cuda.event()
    begin.record(stream)
    d_A, d_B = cuda.to_device(A, stream=stream), cuda.to_device(B, stream=stream)
    d_C = cuda.device_array(A.shape, A.dtype, stream=stream)
    max_kernel[1000, 1000, stream](d_A, d_B, d_C)
    end.record(stream)
    end.synchronize()
    C = d_C.copy_to_host(stream=stream)
    stream.synchronize()
    print("ms:", cuda.event_elapsed_time(begin, end))
    return C

# %% gpu_three_dimensions
"""A grid and blocks of 10 x 10 x 10; one compiled function per row."""
@cuda.jit
def max_kernel(A, B, C):
    block = cuda.blockIdx.x + cuda.gridDim.x * (cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z)
    t = cuda.threadIdx.x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)
    if block < C.shape[0]:
        for c in range(t, C.shape[1], cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z):
            C[block, c] = max(A[block, c], B[block, c])

def max_gpu(A, B):
    C = cuda.device_array_like(A)
    max_kernel[(10, 10, 10), (10, 10, 10)](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()

@njit(nogil=True, cache=True)
def get_max(a, b):
    return a if a > b else b

@njit(nogil=True, cache=True)
def fill_row(a, b, c):
    for j in range(a.shape[0]):
        c[j] = get_max(a[j], b[j])

@njit(nogil=True, cache=True)
def max_numba(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        fill_row(A[i], B[i], C[i])
    return C

def max_cpu(A, B):
    return np.array([[max(A[i, j], B[i, j]) for j in range(A.shape[1])] for i in range(A.shape[0])], dtype=float)

# %% gpu_two_dimensions
"""A grid of (50, 20) with blocks of (20, 50): 1000 blocks of 1000 threads as well."""
@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])

def max_gpu(A, B):
    C = cuda.device_array_like(A)
    threads = (20, 50)
    blocks = (50, 20)
    max_kernel[blocks, threads](cuda.to_device(A), cuda.to_device(B), C)
    cuda.synchronize()
    return C.copy_to_host()

# %% gpu_two_streams
"""Two launches in two streams, each for every other column."""
@cuda.jit
def max_kernel(A, B, C, offset):
    i = cuda.blockIdx.x
    j = cuda.threadIdx.x + offset
    if j < C.shape[1] and j % 2 == offset % 2:
        C[i, j] = max(A[i, j], B[i, j])

def max_gpu(A, B):
    s = [cuda.stream() for _ in range(2)]
    C = np.zeros_like(A)
    dA, dB, dC = map(cuda.to_device, (A, B, C))
    cuda.synchronize()
    max_kernel[1000, 1000, s[0]](dA, dB, dC, 0)
    max_kernel[1000, 1000, s[1]](dA, dB, dC, 1)
    # the odd column 0 of the second launch
    cuda.synchronize()
    return dC.copy_to_host()

@njit
def max_numba(A, B):
    rows, cols = A.shape
    C = A.copy()
    for i in range(rows):
        for j in range(cols):
            if C[i, j] < B[i, j]:
                C[i, j] = B[i, j]
    return C

def max_cpu(A, B):
    C = A.copy()
    for (i, j), b in np.ndenumerate(B):
        if b > C[i, j]:
            C[i, j] = b
    return C

# %% gpu_warnings_and_errors_by_name
"""Numba's warnings are turned off by their names, and errors of the driver are caught by theirs."""
import warnings
from numba.core.errors import NumbaPerformanceWarning
from numba.cuda.cudadrv.driver import CudaAPIError
from numba.cuda.cudadrv.error import CudaSupportError
warnings.simplefilter("error")
warnings.simplefilter("ignore", category=NumbaPerformanceWarning)

def max_gpu(A, B):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaPerformanceWarning)
        try:
            d_C = cuda.device_array_like(A)
            max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), d_C)
            return d_C.copy_to_host()
        except CudaAPIError as error:
            print("the launch failed:", error)
            raise
        except CudaSupportError:
            print("there is no GPU")
            raise
