"""Ways of doing the homework rightly, as students write them; none may cost a point, nor be flagged.

Each is the text of a file: `name of the function: text`. The names of the texts say what is special.
"""
# ruff: noqa: E501 - a short file of a student stays on one line

MAX = {
    "plain loops over zeros": """
import numpy as np
def max_cpu(A, B):
    C = np.zeros((1000, 1000))
    for i in range(1000):
        for j in range(1000):
            C[i, j] = max(A[i, j], B[i, j])
    return C
""",
    "zeros_like and if": """
import numpy as np
def max_cpu(A, B):
    C = np.zeros_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i][j] > B[i][j]:
                C[i][j] = A[i][j]
            else:
                C[i][j] = B[i][j]
    return C
""",
    "empty, dtype and unpacked shape": """
import numpy as np
def max_cpu(A, B):
    rows, cols = A.shape
    C = np.empty((rows, cols), dtype=A.dtype)
    for i in range(rows):
        for j in range(cols):
            C[i, j] = A[i, j] if A[i, j] >= B[i, j] else B[i, j]
    return C
""",
    "copy of A": """
def max_cpu(A, B):
    C = A.copy()
    for i in range(len(A)):
        for j in range(len(A[0])):
            if B[i, j] > C[i, j]:
                C[i, j] = B[i, j]
    return C
""",
    "nested comprehension over zip": """
import numpy as np
def max_cpu(A, B):
    return np.array([[max(a, b) for a, b in zip(row_a, row_b)] for row_a, row_b in zip(A, B)])
""",
    "lists and append": """
def max_cpu(A, B):
    C = []
    for row_a, row_b in zip(A, B):
        row = []
        for a, b in zip(row_a, row_b):
            row.append(a if a > b else b)
        C.append(row)
    return C
""",
    "list of lists": """
def max_cpu(A, B):
    n, m = len(A), len(A[0])
    C = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            C[i][j] = A[i][j] if A[i][j] > B[i][j] else B[i][j]
    return C
""",
    "list concatenation": """
def max_cpu(A, B):
    C = []
    for i in range(1000):
        row = []
        for j in range(1000):
            row += [max(A[i, j], B[i, j])]
        C = C + [row]
    return C
""",
    "map with a lambda": """
def max_cpu(A, B):
    return [list(map(lambda a, b: a if a > b else b, x, y)) for x, y in zip(A, B)]
""",
    "map with the built-in max": """
import numpy as np
def max_cpu(A, B):
    return np.asarray([list(map(max, x, y)) for x, y in zip(A.tolist(), B.tolist())])
""",
    "helper function": """
import numpy as np
def larger(a, b):
    if a > b:
        return a
    return b
def max_cpu(A, B):
    C = np.empty(A.shape, dtype=np.int64)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = larger(A[i, j], B[i, j])
    return C
""",
    "while loops": """
import numpy as np
def max_cpu(A, B):
    C = np.ones_like(A)
    i = 0
    while i < 1000:
        j = 0
        while j < 1000:
            C[i, j] = max(A[i, j], B[i, j])
            j += 1
        i += 1
    return C
""",
    "enumerate": """
import numpy as np
def max_cpu(A, B):
    C = np.full(A.shape, 0)
    for i, row in enumerate(A):
        for j, a in enumerate(row):
            b = B[i, j]
            C[i, j] = a if a > b else b
    return C
""",
    "flat loop": """
import numpy as np
def max_cpu(A, B):
    a, b = A.ravel(), B.flatten()
    c = np.empty(a.size, dtype=int)
    for k in range(a.size):
        c[k] = a[k] if a[k] > b[k] else b[k]
    return c.reshape(A.shape)
""",
    "ndindex": """
import numpy as np
def max_cpu(A, B):
    C = np.zeros(A.shape, dtype=np.uint8)
    for i, j in np.ndindex(A.shape):
        C[i, j] = max(A[i, j], B[i, j])
    return C
""",
    "rows taken out first": """
import numpy as np
def max_cpu(A, B):
    C = np.zeros((1000, 1000))
    for i in range(1000):
        a, b, c = A[i], B[i, :], C[i]
        for j in range(1000):
            c[j] = max(a[j], b[j])
    return C
""",
    "arithmetic maximum of two numbers": """
import numpy as np
def max_cpu(A, B):
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = int(A[i, j]), int(B[i, j])
            C[i, j] = (a + b + abs(a - b)) // 2
    return C
""",
    "checks of its arguments": """
import numpy as np
def max_cpu(A, B):
    if A is None or B is None:
        raise ValueError("no matrices")
    assert A.shape == B.shape and isinstance(A, np.ndarray)
    C = np.zeros(A.shape, dtype=A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
""",
    "NumPy used elsewhere in the file": """
import numpy as np
import timeit, time
def max_cpu(A, B):
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
def verify(A, B):
    time.sleep(1)
    assert np.array_equal(max_cpu(A, B), np.maximum(A, B))
if __name__ == "__main__":
    A = np.random.randint(0, 256, (1000, 1000))
    verify(A, A)
""",
    "import of single names": """
from numpy import zeros, int32
def max_cpu(A, B):
    C = zeros(A.shape, dtype=int32)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
""",
    "import of everything": """
from numpy import *
def max_cpu(A, B):
    C = zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
""",
    "own function that is called maximum": """
import numpy as np
def maximum(a, b):
    return a if a > b else b
def max_cpu(A, B):
    return np.array([[maximum(A[i, j], B[i, j]) for j in range(1000)] for i in range(1000)])
""",
    "prints and times": """
import time
import numpy as np
def max_cpu(A, B):
    start = time.perf_counter()
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    print("took", time.perf_counter() - start)
    return C
""",
    "nested function and closure": """
import numpy as np
def max_cpu(A, B):
    def at(i, j):
        return A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return np.array([[at(i, j) for j in range(A.shape[1])] for i in range(A.shape[0])])
""",
    "generator": """
import numpy as np
def rows(A, B):
    for a, b in zip(A, B):
        yield [max(x, y) for x, y in zip(a, b)]
def max_cpu(A, B):
    return np.array(list(rows(A, B)))
""",
    "shape kept in a name, and constants of the module": """
import numpy as np
N = 1000
def max_cpu(A, B):
    shape = A.shape
    C = np.zeros(shape)
    for i in range(N):
        for j in range(N):
            C[i, j] = A[i, j]
            if B[i, j] > C[i, j]:
                C[i, j] = B[i, j]
    return C
""",
    "loop with an unused counter": """
def max_cpu(A, B):
    C = []
    for i in range(1000):
        row = []
        for _ in range(1000):
            row.append(0)
        C.append(row)
    for i in range(1000):
        for j in range(1000):
            C[i][j] = max(A[i][j], B[i][j])
    return C
""",
    "with a default argument and a docstring": '''
import numpy as np
def max_cpu(A, B, out=None):
    """Returns the maximum, without np.maximum."""
    C = np.zeros(A.shape) if out is None else out
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
''',
}

MAX |= {
    "arrays of a constant": """
import numpy as np
def max_cpu(A, B):
    C = -np.ones(A.shape) * 1
    C = C - 1
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] * (A[i, j] > B[i, j]) + B[i, j] * (A[i, j] <= B[i, j])
    return C.astype(int)
""",
    "room made of nothing of A": """
def max_cpu(A, B):
    C = 0 * A
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
""",
    "nditer with its index": """
import numpy as np
def max_cpu(A, B):
    C = np.empty_like(A)
    it = np.nditer(A, flags=["multi_index"])
    for i in range(A.shape[0]):
        while not it.finished:
            index = it.multi_index
            C[index] = A[index] if A[index] > B[index] else B[index]
            it.iternext()
    return C
""",
    "ndenumerate": """
import numpy as np
def max_cpu(A, B):
    C = np.empty_like(A)
    for (i, j), a in np.ndenumerate(A):
        C[i, j] = a if a > B[i, j] else B[i, j]
    return C
""",
    "nested unpacking": """
import numpy as np
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i, (row_a, row_b) in enumerate(zip(A, B)):
        for j, (a, b) in enumerate(zip(row_a, row_b)):
            C[i][j] = a + (b - a) * (b > a)
    return C
""",
    "the largest so far": """
import numpy as np
def max_cpu(A, B):
    C = np.zeros(A.shape, dtype=int)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            best = -1
            for value in (A[i, j], B[i, j]):
                if value > best:
                    best = value
            C[i, j] = best
    return C
""",
    "row lists stored into an array": """
import numpy as np
def max_cpu(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        C[i] = [max(a, b) for a, b in zip(A[i], B[i])]
    return C
""",
}

GPU = {
    "tiles in shared memory": """
import math
import numpy as np
from numba import cuda, float64
TILE = 32
@cuda.jit
def max_kernel(X, C):
    a = cuda.shared.array(shape=(TILE, TILE), dtype=float64)
    b = cuda.shared.array((TILE, TILE), float64)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    n, m = X.shape
    for row in range(0, n, TILE):
        for column in range(0, n, TILE):
            total = 0.0
            for start in range(math.ceil(m / TILE)):
                if row + x < n and start * TILE + y < m:
                    a[x, y] = X[row + x, start * TILE + y]
                else:
                    a[x, y] = 0
                b[x, y] = X[column + x, start * TILE + y] if column + x < n else 0.0
                cuda.syncthreads()
                for k in range(TILE):
                    total += a[x, k] * b[y, k]
                cuda.syncthreads()
            if row + x < n and column + y < n:
                C[row + x, column + y] = total
def max_gpu(X):
    C_d = cuda.device_array((X.shape[0], X.shape[0]), dtype=np.float64)
    max_kernel[1, (32, 32)](cuda.to_device(np.ascontiguousarray(X)), C_d)
    return C_d.copy_to_host()
""",
    "atomic add, local memory, device function, lock": """
from numba import cuda
import numpy as np
@cuda.jit(device=True)
def larger(a, b):
    return a if a > b else b
@cuda.jit
def max_kernel(A, B, C, lock):
    pos = cuda.grid(2)
    if pos[0] < C.shape[0] and pos[1] < C.shape[1]:
        part = cuda.local.array(2, np.int64)
        part[0] = A[pos]
        part[1] = B[pos]
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.atomic.add(C, pos, larger(part[0], part[1]))
        lock[0] = 0
def max_gpu(A, B):
    C = cuda.to_device(np.zeros(A.shape, dtype=A.dtype))
    max_kernel[(50, 20), (20, 50)](A, B, C, cuda.to_device(np.zeros(1, dtype=np.int32)))
    return C.copy_to_host()
""",
    "one thread per element": """
from numba import cuda
import numpy as np
@cuda.jit
def max_kernel(A, B, C):
    i = cuda.blockIdx.x
    j = cuda.threadIdx.x
    if i < A.shape[0] and j < A.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])
def max_gpu(A, B):
    C = np.zeros_like(A)
    A_d = cuda.to_device(A)
    B_d = cuda.to_device(B)
    C_d = cuda.to_device(C)
    max_kernel[1000, 1000](A_d, B_d, C_d)
    cuda.synchronize()
    return C_d.copy_to_host()
""",
    "grid stride and device array": """
import math
import numpy as np
from numba import cuda, njit, prange, float32
@cuda.jit("void(int64[:,:], int64[:,:], int64[:,:])")
def max_kernel(A, B, C):
    start, step = cuda.grid(1), cuda.gridsize(1)
    for k in range(start, A.size, step):
        i, j = k // A.shape[1], k % A.shape[1]
        cuda.atomic.max(C, (i, j), A[i, j])
        cuda.atomic.max(C, (i, j), B[i, j])
def max_gpu(A, B):
    threads = 1000
    blocks = int(np.ceil(A.size / threads))
    stream = cuda.stream()
    C = cuda.device_array(A.shape, dtype=A.dtype, stream=stream)
    max_kernel[blocks, threads, stream](cuda.to_device(A, stream), cuda.to_device(B, stream), C)
    stream.synchronize()
    result = np.empty(A.shape, dtype=A.dtype)
    C.copy_to_host(result)
    return result
""",
    "flattened arrays and grid(2)": """
import numpy as np
import numba
from numba import cuda
@numba.cuda.jit()
def max_kernel(a, b, c):
    k = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if k < a.size:
        if a[k] > b[k]:
            c[k] = a[k]
        else:
            c[k] = b[k]
def max_gpu(A, B):
    a = cuda.to_device(np.ascontiguousarray(A).ravel())
    b = cuda.to_device(np.ascontiguousarray(B).reshape(-1))
    c = cuda.device_array_like(a)
    max_kernel[(1000, 1), (1000, 1)](a, b, c)
    return c.copy_to_host().reshape(A.shape)
""",
}

MATMUL = {
    "a decorator that is a class": """
import time
import numpy as np
class Timer:
    def __init__(self, function):
        self.function = function
    def __call__(self, *args):
        start = time.time()
        result = self.function(*args)
        self.last = time.time() - start
        return result
@Timer
def matmul_transpose_trivial(X):
    C = np.zeros((len(X), len(X)))
    for i in range(len(X)):
        for j in range(len(X)):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C
""",
    "a decorator that wraps": """
import functools
import numpy as np
def counted(f):
    @functools.wraps(f)
    def inner(X):
        return f(X)
    return inner
@counted
def matmul_transpose_trivial(X):
    C = np.zeros((len(X), len(X)))
    for i in range(len(X)):
        for j in range(len(X)):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C
""",
    "places of half the matrix": """
import numpy as np
from itertools import combinations_with_replacement
def matmul_transpose_trivial(X):
    C = np.zeros((len(X), len(X)))
    for i in range(1):
        for p, q in combinations_with_replacement(range(len(X)), 2):
            for k in range(X.shape[1]):
                C[p, q] += X[p, k] * X[q, k]
            C[q, p] = C[p, q]
    return C
""",
    "columns by zip(*X)": """
import numpy as np
def matmul_transpose_trivial(X):
    columns = [list(column) for column in zip(*X)]
    rows = list(zip(*columns))
    return np.array([[sum(x * y for x, y in zip(a, b)) for b in rows] for a in rows])
""",
    "three loops": """
import numpy as np
def matmul_transpose_trivial(X):
    n, m = X.shape
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(m):
                C[i, j] += X[i, k] * X[j, k]
    return C
""",
    "with a transposed view": """
import numpy as np
def matmul_transpose_trivial(X):
    Xt = X.T
    C = np.zeros((X.shape[0], Xt.shape[1]))
    for i in range(X.shape[0]):
        for j in range(Xt.shape[1]):
            total = 0.0
            for k in range(X.shape[1]):
                total += X[i, k] * Xt[k, j]
            C[i, j] = total
    return C
""",
    "np.transpose and brackets": """
import numpy as np
def matmul_transpose_trivial(X):
    Y = np.transpose(X)
    C = np.zeros((len(X), len(X)), dtype=np.float64)
    for i in range(len(X)):
        for j in range(len(Y[0])):
            for k in range(len(Y)):
                C[i][j] += X[i][k] * Y[k][j]
    return C
""",
    "sum over a generator": """
import numpy as np
def matmul_transpose_trivial(X):
    return np.array([[sum(a * b for a, b in zip(r, s)) for s in X] for r in X])
""",
    "inner product in a helper": """
import numpy as np
def inner_product(u, v):
    total = 0
    for k in range(len(u)):
        total = total + u[k] * v[k]
    return total
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0],) * 2)
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = inner_product(X[i], X[j])
    return C
""",
    "own transposition first": """
import numpy as np
def transpose(X):
    T = np.empty((X.shape[1], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            T[j, i] = X[i, j]
    return T
def matmul_transpose_trivial(X):
    T = transpose(X)
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] = C[i, j] + X[i, k] * T[k, j]
    return C
""",
    "half of it, mirrored": """
import numpy as np
def matmul_transpose_trivial(X):
    n = X.shape[0]
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            s = 0
            for k in range(X.shape[1]):
                s += X[i, k] * X[j, k]
            C[i, j] = C[j, i] = s
    return C
""",
    "map, operator and lists": """
from operator import mul
def matmul_transpose_trivial(X):
    rows = X.tolist()
    return [[sum(map(mul, r, s)) for s in rows] for r in rows]
""",
    "product with repeat": """
import numpy as np
from itertools import product
def matmul_transpose_trivial(X):
    C = np.zeros((len(X), len(X)))
    for i, j in product(range(len(X)), repeat=2):
        for k in range(X.shape[1]):
            C[i, j] += X[i, k] * X[j, k]
    return C
""",
    "ndindex of a shape that is unpacked": """
import numpy as np
def matmul_transpose_trivial(X):
    C = np.zeros((len(X), len(X)))
    for i, j in np.ndindex(*C.shape):
        for k in range(X.shape[1]):
            C[i, j] += X[i, k] * X[j, k]
    return C
""",
    "product and ndindex": """
import itertools
import numpy as np
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i, j in itertools.product(range(X.shape[0]), range(X.shape[0])):
        for k in range(X.shape[1]):
            C[i, j] += X[i, k] * X[j, k]
    return C
""",
}

NJIT = {
    "decorator": "from numba import njit\n@njit\ndef max_numba(A, B):\n    return A\n",
    "decorator with options": "from numba import njit\n@njit(parallel=True, fastmath=True)\ndef max_numba(A, B):\n    return A\n",
    "cached": "import numba as nb\n@nb.njit(cache=True)\ndef max_numba(A, B):\n    return A\n",
    "jit in nopython mode": "from numba import jit\n@jit(nopython=True)\ndef max_numba(A, B):\n    return A\n",
    "jit, which is nopython by default": "import numba\n@numba.jit\ndef max_numba(A, B):\n    return A\n",
    "signature": "from numba import njit, int64\n@njit(int64[:, :](int64[:, :], int64[:, :]))\ndef max_numba(A, B):\n    return A\n",
    "signature as a text": "from numba import njit\n@njit('int64[:,:](int64[:,:], int64[:,:])')\ndef max_numba(A, B):\n    return A\n",
    "renamed": "from numba import njit as fast\n@fast()\ndef max_numba(A, B):\n    return A\n",
    "assigned": "from numba import njit\ndef f(A, B):\n    return A\nmax_numba = njit(f)\n",
    "assigned with options": "import numba\ndef f(A, B):\n    return A\nmax_numba = numba.njit(parallel=True)(f)\n",
    "lambda": "from numba import njit\nmax_numba = njit(lambda A, B: A)\n",
    "compiled helper": "from numba import njit\n@njit\ndef f(A, B):\n    return A\ndef max_numba(A, B):\n    return f(A, B)\n",
    "compiled inside": "from numba import njit\ndef max_numba(A, B):\n    @njit\n    def f(A, B):\n        return A\n    return f(A, B)\n",
    "imported where there is numba": """
try:
    from numba import njit
except ImportError:
    def njit(f):
        return f
@njit
def max_numba(A, B):
    return A
""",
    "everything imported": "from numba import *\n@njit\ndef max_numba(A, B):\n    return A\n",
    "option in a name": "import numba\nfast = numba.njit(cache=True)\n@fast\ndef max_numba(A, B):\n    return A\n",
    "made by a function": """
from numba import njit
def make():
    @njit
    def f(A, B):
        return A
    return f
max_numba = make()
""",
    "parallel loops": """
import numpy as np
from numba import njit, prange
@njit(parallel=True)
def max_numba(A, B):
    C = np.empty_like(A)
    for i in prange(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
""",
}
