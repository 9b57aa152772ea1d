"""Lists, records and streams of numbers, in unusual ways."""

# %% array_of_the_standard_library
"""The numbers are carried in arrays of the standard library, and in a memoryview.

opened: max.cpu.trivial
"""
from array import array
from collections import deque
def max_cpu(A, B):
    b_numbers = deque(B.ravel().tolist())
    C = array("q")
    for row in memoryview(np.ascontiguousarray(A)).tolist():
        for a in row:
            b = b_numbers.popleft()
            C.append(a if a > b else b)
    return np.frombuffer(C, dtype=np.int64).reshape(A.shape)

# %% arrays_in_named_tuples
"""Compiled code and kernels get their arrays in named tuples, and write the answer into one of these."""
from typing import NamedTuple
class Size(NamedTuple):
    rows: int
    columns: int = 1000

class Arrays(NamedTuple):
    first: np.ndarray
    second: np.ndarray
    result: np.ndarray

@njit
def fill(arrays, size):
    for i in range(size.rows):
        for j in range(size.columns):
            a, b = arrays.first[i, j], arrays.second[i, j]
            arrays.result[i, j] = a if a > b else b

def max_numba(A, B):
    size = Size(*A.shape)
    arrays = Arrays(A, B, np.empty(size, A.dtype))
    fill(arrays, size)
    return arrays.result

@cuda.jit
def max_kernel(arrays, size):
    for i in range(cuda.blockIdx.x, size.rows, cuda.gridDim.x):
        for j in range(cuda.threadIdx.x, size.columns, cuda.blockDim.x):
            a, b = arrays.first[i, j], arrays.second[i, j]
            arrays.result[i, j] = a if a > b else b

def max_gpu(A, B):
    size = Size(A.shape[0])._replace(columns=A.shape[1])
    arrays = Arrays(cuda.to_device(A), cuda.to_device(B), cuda.device_array(size, A.dtype))
    max_kernel[BLOCKS, THREADS_PER_BLOCK](arrays, size)
    return arrays.result.copy_to_host()

# %% cache_of_pairs
"""There are only 65,536 pairs of pixels, so that a cache remembers the larger of each."""
import functools
@functools.lru_cache(maxsize=256 * 256)
def larger(a, b):
    return a if a > b else b

@functools.cache
def launch():
    return max_kernel[1000, 1000]

def max_cpu(A, B):
    C = []
    for row_a, row_b in zip(A.tolist(), B.tolist()):
        C.append(list(map(larger, row_a, row_b)))
    return np.asarray(C)

def max_gpu(A, B):
    d_C = cuda.device_array(A.shape, A.dtype)
    launch()(cuda.to_device(A), cuda.to_device(B), d_C)
    return d_C.copy_to_host()

# %% generator_of_rows
"""Rows come from a generator; shared memory of int32; options of numba.jit."""
from numba import jit, int32
def _pairs(A, B):
    for ra, rb in zip(A, B):
        yield [max(x, y) for x, y in zip(ra, rb)]

def max_cpu(A, B):
    return np.array(list(_pairs(A, B)))

@jit(nopython=True, parallel=False, error_model="numpy", boundscheck=True)
def max_numba(A, B):
    m = A.shape[0]
    n = A.shape[1]
    C = np.zeros((m, n), np.float64)
    i = 0
    while i < m:
        j = 0
        while j < n:
            C[i, j] = A[i, j]
            if B[i, j] > A[i, j]:
                C[i, j] = B[i, j]
            j += 1
        i += 1
    return C

@cuda.jit()
def max_kernel(A, B, C):
    sA = cuda.shared.array(1000, dtype=int32)
    sB = cuda.shared.array(shape=(1000,), dtype=int32)
    t = cuda.threadIdx.x
    b = cuda.blockIdx.x
    sA[t] = A[b, t]
    sB[t] = B[b, t]
    cuda.syncthreads()
    if sA[t] > sB[t]:
        C[b, t] = sA[t]
    else:
        C[b, t] = sB[t]

def max_gpu(A, B):
    out = np.ndarray(shape=(1000, 1000), dtype=np.int64)
    max_kernel[1000, 1000](A, B, out)
    return out

# %% islice_of_one_stream
"""One generator yields all the larger numbers, another cuts its stream into rows by islice."""
from itertools import chain, islice, repeat, starmap
def pairs(A, B):
    yield from zip(chain.from_iterable(A), chain.from_iterable(B))

def larger(a, b):
    return a if a > b else b

def rows_of(stream, width):
    while row := list(islice(stream, width)):
        yield row

def max_cpu(A, B):
    stream = starmap(larger, pairs(A, B))
    C = np.zeros(A.shape, A.dtype)
    for i, row in zip(range(A.shape[0]), rows_of(stream, A.shape[1])):
        for j, value in enumerate(row):
            C[i, j] = value
    return C

# %% lists_and_float32
"""Lists come back, Numba works in float32 for a function of another name; comments in Hebrew."""
from numba import prange
@cuda.jit
def max_kernel(A, B, C):
    """docstring in the kernel"""
    row = cuda.blockIdx.x  # שורה
    col = cuda.threadIdx.x  # עמודה
    # בדיקת גבולות
    if row >= A.shape[0] or col >= A.shape[1]: return
    val_a = A[row, col]; val_b = B[row, col]
    C[row, col] = val_a if val_a > val_b else val_b

def max_gpu(A, B):
    rows, cols = A.shape
    A_global_mem = cuda.to_device(A.astype('int32'))
    B_global_mem = cuda.to_device(B.astype('int32'))
    C_global_mem = cuda.device_array((rows, cols), dtype='int32')
    max_kernel[(1000, 1), (1000, 1)](A_global_mem, B_global_mem, C_global_mem)
    cuda.synchronize()
    C = C_global_mem.copy_to_host()
    return C.tolist()

def max_cpu(A, B):
    C = []
    for i in range(0, len(A), 1):
        line = []
        for j in range(0, len(A[i]), 1):
            if not A[i][j] < B[i][j]: line.append(A[i][j])
            else: line.append(B[i][j])
        C.append(line)
    return np.array(C).reshape(A.shape)

def max_numba(A, B):
    A = np.ascontiguousarray(A, dtype=np.float32)
    B = np.ascontiguousarray(B, dtype=np.float32)
    return max_numba_impl(A, B).astype(np.int64)

@njit("float32[:,::1](float32[:,::1], float32[:,::1])", parallel=True, fastmath=True)
def max_numba_impl(A, B):
    C = np.empty(A.shape, dtype=np.float32)
    for i in prange(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% lists_filled_and_copied_back
"""A pass checks the numbers, a second fills lists, a third chooses, and a fourth copies into the result."""
def max_cpu(A, B):
    rows, columns = A.shape
    for i in range(rows):
        for j in range(columns):
            if min(A[i, j], B[i, j]) < 0:
                raise ValueError("negative")
    first = []
    second = []
    for i in range(rows):
        for j in range(columns):
            first.append(A[i, j])
            second.append(B[i, j])
    chosen = []
    k = 0
    while k < len(first):
        chosen.append(first[k] if first[k] >= second[k] else second[k])
        k += 1
    C = np.zeros((rows, columns), dtype=A.dtype)
    for i in range(rows):
        for j in range(columns):
            C[i, j] = chosen[i * columns + j]
    return C

# %% lists_of_lists
"""The plain version returns a list of lists of NumPy numbers."""
def max_cpu(A, B):
    C = []
    for i in range(A.shape[0]):
        row = []
        for j in range(A.shape[1]):
            row.append(max(A[i][j], B[i][j]))
        C.append(row)
    return C

# %% matrix_with_a_method_set
"""A matrix has methods `get` and `set`, and rows come out of a generator that writes while it is walked through."""
class Matrix:
    def __init__(self, rows, columns):
        self.cells = [[0] * columns for _ in range(rows)]

    def get(self, i, j):
        return self.cells[i][j]

    def set(self, i, j, value):
        self.cells[i][j] = value

def write_rows(A, B, matrix):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            matrix.set(i, j, A[i, j] if A[i, j] > B[i, j] else B[i, j])
        yield i

def max_cpu(A, B):
    matrix = Matrix(A.shape[0], A.shape[1])
    steps = write_rows(A, B, matrix)
    for _ in steps:
        pass
    return np.array(matrix.cells)

# %% numpy_for_each_number
"""Each two numbers are read by A.flat and compared by a function of NumPy, which is made for whole arrays.

slow: each entry is asked for by objects that are observed
"""
def larger(a, b):
    return a if np.sign(a - b) > 0 else b

def max_cpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    for k in range(A.size):
        C.flat[k] = larger(A.flat[k], B.flat[k])
    return C

# %% own_data_buffer_and_flat
"""Fields of own classes: data, buffer, flat, name, type."""
from collections import UserList
from dataclasses import dataclass, field
class Matrix:
    def __init__(self, data, name="", type=None):
        self.data = data
        self.name = name
        self.type = type
        self.buffer = []
        self.flat = True
        self.size = len(data) * len(data[0])
        self.shape = (len(data), len(data[0]))

    def __getitem__(self, key):
        return self.data[key]

@dataclass
class Device:
    name: str
    data: object = None
    buffer: object = None
    type: str = "gpu"
    flat: list = field(default_factory=list)

class Row(UserList):
    def larger(self, other):
        return Row(a if a > b else b for a, b in zip(self.data, other.data))

def max_cpu(A, B):
    first, second = Matrix(A.tolist(), "A", int), Matrix(B.tolist(), name="B", type=int)
    for i in range(first.shape[0]):
        first.buffer.append(Row(first[i]).larger(Row(second.data[i])).data)
    return np.array(first.buffer, dtype=first.type)

def max_numba(A, B):
    result = Matrix(np.empty(A.shape, A.dtype), "C")
    fill(A, B, result.data)
    return result.data

@njit
def fill(A, B, C):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

def max_gpu(A, B):
    devices = [Device(name) for name in ("A", "B", "C")]
    for device, source in zip(devices, (A, B)):
        device.data = source
        device.buffer = cuda.to_device(device.data)
    devices[2].buffer = cuda.device_array(A.shape, A.dtype)
    max_kernel[1000, 1000](*(device.buffer for device in devices))
    return devices[2].buffer.copy_to_host()

# %% pixels_as_objects
"""Each element becomes an object of a class that knows how to compare."""
from dataclasses import dataclass
@dataclass(order=True)
class Pixel:
    value: int

def max_cpu(A, B):
    C = np.zeros_like(A)
    for i, (row_a, row_b) in enumerate(zip(A, B)):
        for j, (a, b) in enumerate(zip(row_a, row_b)):
            C[i, j] = max(Pixel(int(a)), Pixel(int(b))).value
    return C

# %% rows_and_enumerate
"""Loops over rows and numbers instead of indices; a result of unsigned bytes is right up to 255."""
def max_cpu(A, B):
    C = np.zeros_like(A, dtype=np.uint8)
    for i, (row_a, row_b) in enumerate(zip(A, B)):
        for j, a in enumerate(row_a):
            b = row_b[j]
            C[i, j] = a
            if b > a:
                C[i, j] = b
    return C

# %% tuples_in_and_out
"""Compiled functions and kernels take tuples of arrays and give tuples of arrays."""
from typing import NamedTuple
class Pair(NamedTuple):
    A: np.ndarray
    B: np.ndarray

@njit
def both(pair):
    A, B = pair
    larger, smaller = np.empty(A.shape, A.dtype), np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            larger[i, j], smaller[i, j] = max(A[i, j], B[i, j]), min(A[i, j], B[i, j])
    return larger, (smaller, A.shape)

def max_numba(A, B):
    larger, (smaller, shape) = both((A, B))
    assert shape == A.shape
    return larger

def rows_of(pair):
    return tuple(zip(pair.A, pair.B))

def larger_row(rows, out):
    a, b = rows
    for j in range(len(a)):
        out[j] = a[j] if a[j] > b[j] else b[j]
    return rows, out

def max_cpu(A, B):
    results = (np.empty(A.shape, A.dtype), np.zeros(A.shape[0]))
    for i, rows in enumerate(rows_of(Pair(A, B))):
        (a, b), results[0][i] = larger_row(rows, results[0][i])
    return results[0]

@cuda.jit
def max_kernel(pair, out):
    A, B = pair
    C, = out
    for i in range(cuda.blockIdx.x, C.shape[0], cuda.gridDim.x):
        for j in range(cuda.threadIdx.x, C.shape[1], cuda.blockDim.x):
            C[i, j] = max(A[i, j], B[i, j])

def max_gpu(A, B):
    given = tuple(cuda.to_device(M) for M in (A, B))
    out = (cuda.device_array_like(A),)
    max_kernel[1000, 1000](given, out)
    C, = (M.copy_to_host() for M in out)
    return C
