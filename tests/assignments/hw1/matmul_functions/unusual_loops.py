"""Plain loops, in unusual ways."""

# %% compensated_sums
"""Kahan's summation keeps what rounding takes off, in a closure and in a compiled function."""
def make_adder():
    total = lost = 0.0

    def add(number):
        nonlocal total, lost
        corrected = number - lost
        new = total + corrected
        lost = (new - total) - corrected
        total = new
        return total

    return add

def matmul_transpose_trivial(X):
    n, m = X.shape
    C = np.zeros((n, n), dtype=np.float64)
    for i in range(n):
        for j in range(n):
            add = make_adder()
            for k in range(m):
                C[i, j] = add(X[i, k] * X[j, k])
    return C

@njit
def kahan(u, v):
    total = 0.0
    lost = 0.0
    for k in range(u.size):
        corrected = u[k] * v[k] - lost
        new = total + corrected
        lost = (new - total) - corrected
        total = new
    return total

@njit
def matmul_transpose_numba(X):
    C = np.empty((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = kahan(X[i], X[j])
    return C

# %% copies_and_casts
"""Copies of every kind are made before and after the loops: rows, columns, casts, stacks of one row each."""
def matmul_transpose_trivial(X):
    X = np.array(X, dtype=np.longdouble, copy=True)
    columns = np.ascontiguousarray(X.T).copy(order="F")
    rows = np.vsplit(X, X.shape[0])
    lines = []
    for row in rows:
        line = np.empty(columns.shape[1])
        row = row.squeeze(axis=0)
        for j in range(columns.shape[1]):
            line[j] = 0
            for k in range(row.size):
                line[j] += float(row[k] * columns[k, j])
        lines.append(line[np.newaxis, :])
    return np.concatenate(lines, axis=0).astype(np.float64)

# %% decorated_and_logged
"""Sums by generators, parallel rows, a device function, and limits that the device is asked for."""
from numba import prange
def matmul_transpose_trivial(X):
    """Rows by enumerate, sums by generators."""
    C = np.zeros((len(X), len(X)))
    for i, row in enumerate(X):
        for j, other in enumerate(X):
            C[i, j] = sum(a * b for a, b in zip(row, other))
    return C

@njit(parallel=True, fastmath=True, cache=True)
def matmul_transpose_numba(X):
    """Parallel over rows; only one triangle is computed."""
    n, m = X.shape
    C = np.empty((n, n))
    for i in prange(n):
        for j in range(i + 1):
            acc = 0.0
            for k in range(m):
                acc += X[i, k] * X[j, k]
            C[i, j] = acc
            C[j, i] = acc
    return C

@cuda.jit(device=True)
def dot_rows(X, i, j):
    """Dot product of two rows."""
    total = 0.0
    for k in range(X.shape[1]):
        total = cuda.fma(X[i, k], X[j, k], total)
    return total

@cuda.jit(lineinfo=True)
def matmul_kernel(X, C):
    """Each thread takes every 1024th entry."""
    n = C.shape[0]
    for entry in range(cuda.grid(1), n * n, cuda.gridsize(1)):
        C[entry // n, entry % n] = dot_rows(X, entry // n, entry % n)

def matmul_transpose_gpu(X):
    """Ask the device for its limits first."""
    device = cuda.get_current_device()
    threads = min(1024, device.MAX_THREADS_PER_BLOCK)
    with cuda.defer_cleanup():
        d_X = cuda.to_device(X)
        d_C = cuda.device_array((X.shape[0],) * 2, dtype=np.float64)
        matmul_kernel[1, threads](d_X, d_C)
        cuda.synchronize()
        return d_C.copy_to_host()

# %% dictionary_of_entries
"""Entries are collected in a dictionary under their row and column, and put into the matrix at the end."""
from collections import Counter, defaultdict
def matmul_transpose_trivial(X):
    entries = defaultdict(float)
    work = Counter()
    for i, row in enumerate(X):
        for j, other in enumerate(X):
            for a, b in zip(row, other):
                entries[i, j] += a * b
                work["products"] += 1
    C = np.full((X.shape[0],) * 2, np.nan)
    for place, value in entries.items():
        C[place] = value
    print(dict(work), "nan left:", np.isnan(C).any())
    return C

# %% float32_results
"""Sums in single precision, within the tolerance."""
from numba import float32
@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]), dtype=np.float32)
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += np.float32(X[i, k]) * np.float32(X[j, k])
    return C

# %% fsum_over_pairs
"""itertools gives all pairs of rows, and math.fsum adds what a generator multiplies; half is mirrored."""
from itertools import combinations_with_replacement
from math import fsum
def matmul_transpose_trivial(X):
    n = len(X)
    C = np.empty((n, n))
    for i, j in combinations_with_replacement(range(n), 2):
        C[i, j] = C[j, i] = fsum(a * b for a, b in zip(X[i], X[j]))
    return C

# %% halves_and_objects
"""An object is asked for each entry; one launch for each row, which lies in dynamic shared memory."""
from dataclasses import dataclass, field
@dataclass
class Gram:
    """Rows of a matrix, and their products."""

    rows: list = field(default_factory=list)

    def entry(self, i: int, j: int) -> float:
        """Return one product of rows."""
        total = 0.0
        for a, b in zip(self.rows[i], self.rows[j]):
            total += a * b
        return total

    def __len__(self) -> int:
        return len(self.rows)

def matmul_transpose_trivial(X: np.ndarray) -> np.ndarray:
    """Ask an object for each entry."""
    gram = Gram(list(X))
    C = np.zeros((len(gram), len(gram)))
    for i in range(len(gram)):
        for j in range(len(gram)):
            C[i, j] = gram.entry(i, j)
    return C

@njit
def matmul_transpose_numba(X: np.ndarray) -> np.ndarray:
    """A one-dimensional loop over entries."""
    n = X.shape[0]
    C = np.zeros(n * n)
    for e in range(n * n):
        row, other = X[e // n], X[e % n]
        for k in range(row.shape[0]):
            C[e] += row[k] * other[k]
    return C.reshape((n, n))

@cuda.jit(max_registers=64, fastmath=True)
def matmul_kernel(X, C, first):
    """One row of C: the row of X goes to shared memory."""
    row = cuda.shared.array(0, dtype=float64)
    m = X.shape[1]
    for k in range(cuda.threadIdx.x, m, cuda.blockDim.x):
        row[k] = X[first, k]
    cuda.syncthreads()
    for j in range(cuda.threadIdx.x, C.shape[1], cuda.blockDim.x):
        total = 0.0
        for k in range(m):
            total += row[k] * X[j, k]
        C[first, j] = total

def matmul_transpose_gpu(X: np.ndarray) -> np.ndarray:
    """A launch per row, each with one block of 1024 threads."""
    n, m = X.shape
    d_X, d_C = cuda.to_device(X), cuda.device_array((n, n))
    for first in range(n):
        matmul_kernel[1, 1024, 0, m * X.itemsize](d_X, d_C, first)
    return d_C.copy_to_host()

# %% lists_of_lists
"""The plain version works with lists."""
def matmul_transpose_trivial(X):
    n, m = X.shape
    C = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(m):
                C[i][j] += X[i][k] * X[j][k]
    return C

# %% ndenumerate_for_two_loops
"""One loop goes over all numbers of X with their places, and stands for two of the three."""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for (i, k), x in np.ndenumerate(X):
        for j in range(X.shape[0]):
            C[i, j] += x * X[j, k]
    return C

# %% operators_in_place
"""Rows are objects with in-place, reflected and unary operators, and the type of the numbers is that of the dtype."""
class Total:
    __slots__ = ("number", "value")

    def __init__(self, value=0.0, number=float):
        self.number, self.value = number, number(value)

    def __iadd__(self, other):
        self.value += other
        return self

    def __isub__(self, other):
        self.value -= other
        return self

    def __imul__(self, other):
        self.value *= other
        return self

    def __rsub__(self, other):
        return Total(other - self.value, self.number)

    def __rtruediv__(self, other):
        return Total(other / self.value, self.number)

    def __neg__(self):
        return Total(-self.value, self.number)

    def __pos__(self):
        return self

    def __float__(self):
        return float(self.value)

    def __round__(self, digits=None):
        return round(self.value, digits)

class Rows:
    def __init__(self, X):
        self.X = X

    def __len__(self):
        return self.X.shape[0]

    def __matmul__(self, other):
        C = np.zeros((len(self), len(other)))
        for i in range(len(self)):
            for j in range(len(other)):
                total = Total(number=self.X.dtype.type)
                for k in range(self.X.shape[1]):
                    total += self.X[i, k] * other.X[j, k]
                total -= 0.0
                C[i, j] = +total
        return C

    def __imatmul__(self, other):
        self.X = self @ other
        return self

def matmul_transpose_trivial(X):
    rows = Rows(X)
    rows @= Rows(X)
    if "--verbose" in sys.argv:
        print(rows.X.shape)
    return rows.X

# %% own_data_buffer_and_flat
"""Fields data, buffer, flat, type and name of own classes; work in named tuples; tuples of results."""
from collections import namedtuple
from dataclasses import dataclass
from typing import NamedTuple
class Shape(NamedTuple):
    rows: int
    columns: int

class Matrix:
    def __init__(self, data, name="C", type="host"):
        self.data = data
        self.name, self.type = name, type
        self.shape = Shape(len(data), len(data[0]))

    @property
    def flat(self):
        return [x for row in self.data for x in row]

    @property
    def buffer(self):
        return self.data

    def __matmul__(self, other):
        rows = [[0.0] * other.shape.columns for _ in range(self.shape.rows)]
        for i in range(self.shape.rows):
            for j in range(other.shape.columns):
                total = 0.0
                for k in range(self.shape.columns):
                    total += self.data[i][k] * other.buffer[k][j]
                rows[i][j] = total
        return Matrix(rows)

    @property
    def T(self):
        return Matrix([[row[k] for row in self.data] for k in range(self.shape.columns)])

@dataclass
class Buffers:
    data: object
    buffer: object
    type: type = float

def matmul_transpose_trivial(X):
    matrix = Matrix(X.tolist(), "X")
    product = matrix @ matrix.T
    return np.array(product.flat).reshape(len(X), len(X))

Work = namedtuple("Work", "data C n m")

@njit
def multiply(work, shape):
    n, m = shape
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(m):
                total += work.data[i, k] * work.data[j, k]
            work.C[i, j] = total
    return work.C, total

def matmul_transpose_numba(X):
    work = Work(X, np.zeros((X.shape[0], X.shape[0])), *X.shape)
    product, _ = multiply(work, X.shape)
    return product

def matmul_transpose_gpu(X):
    buffers = Buffers(cuda.to_device(X), cuda.device_array((len(X), len(X)), np.float64))
    matmul_kernel[1, 1024](buffers.data, buffers.buffer)
    return buffers.buffer.copy_to_host()

# %% pairs_made_before
"""The pairs of rows come from a generator that is made before."""
def matmul_transpose_trivial(X):
    n, m = X.shape
    C = np.zeros((n, n))
    pairs = ((i, j) for i in range(n) for j in range(n))
    for i, j in pairs:
        for k in range(m):
            C[i, j] += X[i, k] * X[j, k]
    return C

# %% recursive_sums
"""Sums are halved again and again by a function that calls itself, for less rounding; another one goes on row by row.
"""
def halved(X, i, j, first, last):
    if last - first == 1:
        return X[i, first] * X[j, first]
    middle = (first + last) // 2
    return halved(X, i, j, first, middle) + halved(X, i, j, middle, last)

def next_row(X, C, i):
    if i == len(C):
        return C
    for j in range(len(C)):
        C[i, j] = halved(X, i, j, 0, X.shape[1])
    return next_row(X, C, i + 1)

def matmul_transpose_trivial(X):
    return next_row(X, np.zeros((X.shape[0], X.shape[0]), X.dtype), 0)

sys.setrecursionlimit(5000)

# %% reduce_and_operator
"""A product of rows is a reduction of a map, and the operators are functions."""
import operator
from functools import partial, reduce
def dot(u, v, start=0.0):
    return reduce(operator.add, map(operator.mul, u, v), start)

def row_of_products(rows, u):
    return list(map(partial(dot, u), rows))

def matmul_transpose_trivial(X):
    rows = [list(row) for row in X]
    return np.array([row_of_products(rows, row) for row in rows])

# %% row_offsets
"""Loops over a flat copy, with an array of where each row begins."""
def matmul_transpose_trivial(X):
    """Three nested loops over a flat copy of X; row i begins at starts[i]."""
    n, m = X.shape
    x = X.ravel()
    starts = np.arange(n) * m
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(m):
                C[i, j] += x[starts[i] + k] * x[starts[j] + k]
    print("trace:", np.trace(C))
    return C

# %% written_through_flat
"""Numbers are read and written through flat iterators, at places that are worked out by hand."""
def matmul_transpose_trivial(X):
    n, m = X.shape
    C = np.zeros_like(X, shape=(n, n))
    numbers, out = X.flat, C.flat
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(m):
                total += numbers[i * m + k] * numbers[j * m + k]
            out[np.ravel_multi_index((i, j), C.shape)] = total
    return C

@njit
def matmul_transpose_numba(X):
    n, m = X.shape
    C = np.zeros(n * n)
    x = X.ravel()
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(m):
                total += x[i * m + k] * x[j * m + k]
            C[i * n + j] = total
    return C.reshape(n, n)

# %% numpy_multiplies_two_numbers
"""Loops of its own, in which NumPy multiplies two numbers, in plain Python and in machine code.

flagged: matmul.trivial.correct matmul.numba.compiled
"""
def matmul_transpose_trivial(X):
    n, m = X.shape
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(m):
                C[i, j] += np.multiply(X[i, k], X[j, k])
    return C

matmul_transpose_numba = njit(matmul_transpose_trivial)

# %% columns_written_down
"""The number of columns is that of the sheet, and the indices are in brackets of their own."""
def matmul_transpose_trivial(X):
    C = np.zeros((len(X), len(X)))
    for i in range(len(X)):
        for j in range(len(X)):
            for k in range(128):
                C[i][j] += X[i][k] * X[j][k]
    return C
