"""Compiled in unusual ways."""

# %% njit_by_call
"""The plain function is compiled when it is called."""
_compiled = None

def matmul_transpose_numba(X):
    global _compiled
    if _compiled is None:
        _compiled = njit(matmul_transpose_trivial)
    return _compiled(X)

# %% numba_class
"""Numba compiles a class that holds the rows, and a compiled function asks its object for each product.

opened: matmul.numba.compiled
"""
from numba.experimental import jitclass
@jitclass([("rows", float64[:, :])])
class Rows:
    def __init__(self, rows):
        self.rows = rows

    def product(self, i, j):
        total = 0.0
        for k in range(self.rows.shape[1]):
            total += self.rows[i, k] * self.rows[j, k]
        return total

@njit
def matmul_transpose_numba(X):
    rows = Rows(X)
    C = np.empty((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = rows.product(i, j)
    return C

# %% numba_closure_inside
"""Functions are defined inside the compiled one and see its variables; a global tuple gives the order of loops."""
ORDER = (0, 1)

@njit
def matmul_transpose_numba(X):
    n, m = X.shape
    C = np.zeros((n, n))

    def product(i, j, k):
        return X[i, k] * X[j, k]

    for half in ORDER:
        for i in range(half, n, 2):
            for j in range(n):
                C[i, j] = sum([product(i, j, k) for k in range(m)])
    return C

# %% numba_factory_with_closure
"""A factory returns the compiled function, which has a tile size and another compiled function in its closure."""
def make_product(tile, **options):
    @njit
    def dot(X, i, j):
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * X[j, k]
        return total

    @njit(**options)
    def product(X):
        n = X.shape[0]
        C = np.zeros((n, n))
        for top in range(0, n, tile):
            for side in range(0, n, tile):
                for i in range(top, min(top + tile, n)):
                    for j in range(side, min(side + tile, n)):
                        C[i, j] = dot(X, i, j)
        return C

    return product

matmul_transpose_numba = make_product(tile=64, fastmath=True)

# %% numba_lists_in_and_out
"""Compiled loops append to lists of Python's kind, which become the matrix afterwards."""
@njit
def products(X):
    entries = []
    for i in range(len(X)):
        for j in range(len(X)):
            total = 0.0
            for a, b in zip(X[i], X[j]):
                total += a * b
            entries.append(total)
    return entries

def matmul_transpose_numba(X):
    return np.array(products(X)).reshape(len(X), -1)

# %% numba_prange_cached
"""prange in parallel, with a cache on disk; half of the result is mirrored."""
from numba import prange
@njit(parallel=True, cache=True)
def matmul_transpose_numba(X):
    n, m = X.shape
    C = np.empty((n, n))
    for i in prange(n):
        for j in range(i + 1):
            total = 0.0
            for k in range(m):
                total += X[i, k] * X[j, k]
            C[i, j] = total
            C[j, i] = total
    return C

# %% numba_types_of_variables
"""Several signatures are compiled at import, with the types of variables in a dictionary."""
from numba import float32, uint32
single = float32[:, ::1]
double = float64[:, ::1]

@njit([double(double), single(single)], locals={"total": float64, "k": uint32})
def compiled_product(X):
    C = np.empty((X.shape[0], X.shape[0]), X.dtype)
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            total = 0
            for k in range(X.shape[1]):
                total += X[i, k] * X[j, k]
            C[i, j] = total
    return C

def matmul_transpose_numba(X):
    return compiled_product(np.ascontiguousarray(X))

# %% slow_to_compile
"""Many functions are compiled for one product."""
@njit
def _multiply(a, b):
    return a * b

@njit
def _sum_of_products(X, i, j):
    total = 0.0
    for k in range(X.shape[1]):
        total = _add(total, _multiply(X[i, k], X[j, k]))
    return total

@njit
def _add(a, b):
    return a + b

@njit(error_model="numpy", boundscheck=True)
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = _sum_of_products(X, i, j)
    return C

# %% trivial_is_what_njit_was_made_of
"""The trivial version runs the plain function that njit was put on: one text for both.

opened: matmul.trivial.correct
"""
@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C

def matmul_transpose_trivial(X):
    return matmul_transpose_numba.py_func(X)
