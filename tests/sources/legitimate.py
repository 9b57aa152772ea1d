"""Ways of doing the homework rightly, as students write them; none may cost a point, nor be flagged.

Each is the text of a file: `name of the function: text`. The names of the texts say what is special.
"""
# ruff: noqa: E501 - a short file of a student stays on one line

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
