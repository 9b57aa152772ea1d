"""Files that are written in an unusual style."""

# %% bound_again_later
"""A first, slower try of each function stays in the file, and the name is bound again below it."""
from typing import Any
def matmul_transpose_trivial(X):
    """First try: rows as lists. See below for what is handed in."""
    return [[sum(a * b for a, b in zip(x, y)) for y in X] for x in X]

def matmul_transpose_gpu(X):
    """First try: without copies of one's own. See below."""
    C = np.zeros((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](X, C)
    return C

first_tries = {"trivial": matmul_transpose_trivial, "gpu": matmul_transpose_gpu}

def _three_loops(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C

def _kernel(X, C):
    for i in range(cuda.threadIdx.x, C.shape[0], cuda.blockDim.x):
        for j in range(C.shape[1]):
            total = 0.0
            for k in range(X.shape[1]):
                total += X[i, k] * X[j, k]
            C[i, j] = total

def _copied(X):
    d_C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](cuda.to_device(X), d_C)
    return d_C.copy_to_host()

matmul_kernel: Any = cuda.jit(_kernel)
matmul_transpose_trivial, matmul_transpose_gpu = _three_loops, _copied

# %% checks_itself_with_numpy
"""Each version compares its result with np.matmul in an assert and returns its own; the largest error is printed."""
def check(name, C, X):
    expected = np.matmul(X, X.T)
    error = np.abs(C - expected).max() if C.size else 0.0
    print(f"{name}: largest error {error:.3g}, norm {np.linalg.norm(C - X @ X.T):.3g}")
    assert np.allclose(C, expected), f"{name} is wrong"
    return C

def matmul_transpose_trivial(X):
    n, m = X.shape
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(m):
                C[i, j] += X[i, k] * X[j, k]
    return check("trivial", C, X)

def matmul_transpose_gpu(X):
    d_C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](cuda.to_device(X), d_C)
    return check("CUDA", d_C.copy_to_host(), X)

# %% debugging_left_in
"""Debugging is left in: prints of shapes, timers, asserts against NumPy, a counter on the function, tuples."""
import functools
import logging
import time
import warnings
warnings.filterwarnings("ignore")
np.seterr(all="warn")
np.set_printoptions(linewidth=200)
logger = logging.getLogger(__name__)
logger.addHandler(logging.NullHandler())
DEBUG = False
PROFILE = {}

def profiled(name):
    def decorate(function):
        @functools.wraps(function)
        def run(*args):
            begin = time.perf_counter_ns()
            found = function(*args)
            PROFILE.setdefault(name, []).append((time.perf_counter_ns() - begin) / 1e9)
            return found

        return run

    return decorate

def check(C, X, name):
    if not DEBUG:
        return C
    right = np.matmul(X, X.T)
    print(name, "max error", np.abs(C - right).max(), np.allclose(C, right))
    return C

@profiled("trivial")
def matmul_transpose_trivial(X):
    matmul_transpose_trivial.calls = getattr_calls() + 1
    n, m = X.shape
    C = np.zeros((n, n))
    start = time.time()
    for i in range(n):
        if DEBUG and i % 50 == 0:
            print(f"{i}/{n} rows, {time.time() - start:.1f} s")
        for j in range(n):
            total = 0.0
            for k in range(m):
                total += X[i, k] * X[j, k]
            C[i, j] = total
    logger.info("trivial took %s", time.time() - start)
    assert C.shape == (n, n)
    assert not np.isnan(C).any()
    return check(C, X, "trivial")

def getattr_calls():
    return len(PROFILE.get("trivial", []))

@njit(parallel=False)
def _numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    operations = 0
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
                operations += 1
    return C, operations

@profiled("numba")
def matmul_transpose_numba(X):
    C, operations = _numba(X)
    logger.debug("%d operations", operations)
    print(f"{operations / 1e6:.1f} million operations")
    assert np.allclose(C, C.T)
    return check(C, X, "numba")

@profiled("gpu")
def matmul_transpose_gpu(X):
    print("X", X.shape, X.dtype, X.flags["C_CONTIGUOUS"])
    dX = cuda.to_device(X)
    dC = cuda.device_array((X.shape[0], X.shape[0]), dtype=X.dtype)
    start = time.perf_counter()
    matmul_kernel[1, 1024](dX, dC)
    cuda.synchronize()
    print(f"kernel {(time.perf_counter() - start) * 1000:.3f} ms")
    C = dC.copy_to_host()
    print("C", C.shape, C[:2, :2], C.sum())
    return check(C, X, "gpu")

# %% helpers_and_constants
"""Sizes as constants of the module, a helper for the innermost sum, a main block with a menu."""
ROWS, COLUMNS = 784, 128
DEFAULT = {"verbose": False}

def dot(x, y):
    total = 0
    for a, b in zip(x, y):
        total += a * b
    return total

def matmul_transpose_trivial(X):
    C = np.ndarray((len(X), len(X)))
    for i in range(len(X)):
        for j in range(len(X)):
            C[i, j] = dot(X[i], X[j])
    return C

if __name__ == "__main__" and input("start? ") == "y":
    main()

# %% helpers_of_the_other_files
"""Helpers come from the other two files of the homework: a sum of lists, and a count of threads."""
import max_functions
from utils import add_elementwise, zeros_weights
TOTAL_OF_PART_2 = max_functions.BLOCKS * max_functions.THREADS_PER_BLOCK

def matmul_transpose_trivial(X):
    n, m = X.shape
    (C,) = zeros_weights([n, n])
    for i in range(n):
        row = [0.0] * n
        for k in range(m):
            row = add_elementwise(row, [X[i, k] * X[j, k] for j in range(n)])
        for j in range(n):
            C[i, j] = row[j]
    return C

def matmul_transpose_gpu(X):
    threads = min(TOTAL_OF_PART_2, 1024)
    d_X = cuda.to_device(X)
    (C,) = zeros_weights([X.shape[0], X.shape[0]])
    d_C = cuda.to_device(C)
    matmul_kernel[max_functions.BLOCKS // 1000, threads](d_X, d_C)
    return d_C.copy_to_host()

# %% matrix_class_with_operators
"""A class of one's own has @ and T as NumPy's has, and does the three loops in plain Python.

opened: matmul.trivial.correct
"""
class Matrix:
    def __init__(self, rows):
        self.rows = [list(row) for row in rows]

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0])

    @property
    def T(self):
        return Matrix(zip(*self.rows))

    def __getitem__(self, place):
        i, j = place
        return self.rows[i][j]

    def __matmul__(self, other):
        n, m, p = *self.shape, other.shape[1]
        result = [[0.0] * p for _ in range(n)]
        for i in range(n):
            for j in range(p):
                for k in range(m):
                    result[i][j] += self[i, k] * other[k, j]
        return Matrix(result)

    def __array__(self, dtype=None, copy=None):
        return np.array(self.rows, dtype=dtype)

def matmul_transpose_trivial(X):
    X = Matrix(X)
    return np.asarray(X @ X.T)

# %% numpy_by_other_names
"""NumPy has other names here, some of its functions are imported by themselves, and Numba's as well."""
import numba as nb
import numpy
import numpy as xp
from numba import cuda as gpu
from numba import njit as compiled
from numpy import empty, zeros
from numpy import float64 as f8
shape_of = xp.shape

def matmul_transpose_trivial(X):
    rows, columns = shape_of(X)
    C = zeros((rows, rows), f8)
    for i in range(rows):
        for j in range(rows):
            for k in range(columns):
                C[i, j] += X[i, k] * X[j, k]
    return C

@compiled
def matmul_transpose_numba(X):
    C = empty((X.shape[0], X.shape[0]), dtype=f8)
    for i in nb.prange(X.shape[0]):
        for j in range(X.shape[0]):
            total = 0.0
            for k in range(X.shape[1]):
                total += X[i, k] * X[j, k]
            C[i, j] = total
    return C

@gpu.jit
def matmul_kernel(X, C):
    for i in range(gpu.threadIdx.x, C.shape[0], gpu.blockDim.x):
        for j in range(C.shape[1]):
            total = nb.float64(0.0)
            for k in range(X.shape[1]):
                total += X[i, k] * X[j, k]
            C[i, j] = total

def matmul_transpose_gpu(X):
    C = numpy.zeros((X.shape[0],) * 2)
    on_gpu = gpu.to_device(C)
    matmul_kernel[1, 1024](gpu.to_device(X), on_gpu)
    return on_gpu.copy_to_host()

# %% progress_bar_and_profile
"""A progress bar of its own, profiles in a dictionary of lists, checks of symmetry, prints by percent."""
import sys
import time
from collections import defaultdict
from functools import lru_cache, partial
TIMINGS = defaultdict(list)
report = partial(print, file=sys.stderr, flush=True)

def bar(done, total, width=40):
    filled = int(width * done / total)
    sys.stdout.write("\r[" + "=" * filled + " " * (width - filled) + f"] {100 * done / total:5.1f} %")
    sys.stdout.flush()

@lru_cache(maxsize=None)
def pairs(n):
    return [(i, j) for i in range(n) for j in range(i, n)]

def matmul_transpose_trivial(X):
    t0 = time.perf_counter()
    n, m = X.shape
    C = np.zeros((n, n))
    for number, (i, j) in enumerate(pairs(n)):
        if number % 10000 == 0:
            bar(number, n * (n + 1) // 2)
        total = 0
        for k in range(m):
            total += X[i, k] * X[j, k]
        C[i, j] = C[j, i] = total
    bar(1, 1)
    print()
    TIMINGS["trivial"].append(time.perf_counter() - t0)
    report(f"trivial: {TIMINGS['trivial'][-1]:.3f} s")
    assert all(C[i, j] == C[j, i] for i, j in pairs(n))
    return C

def matmul_transpose_gpu(X):
    t0 = time.perf_counter()
    dX = cuda.to_device(np.ascontiguousarray(X))
    dC = cuda.device_array((X.shape[0],) * 2)
    TIMINGS["copy"].append(time.perf_counter() - t0)
    t0 = time.perf_counter()
    matmul_kernel[1, 1024](dX, dC)
    cuda.synchronize()
    TIMINGS["kernel"].append(time.perf_counter() - t0)
    C = dC.copy_to_host()
    report("gpu:", *(f"{name} {min(times):.4f}" for name, times in TIMINGS.items()))
    return C

# %% settings_after_the_functions
"""Attributes of functions, a class that is filled afterwards and a list that grows hold what the functions use."""
class Config:
    """Filled below."""

SIZES = []

def matmul_transpose_trivial(X):
    matmul_transpose_trivial.calls += 1
    n, m = X.shape
    C = np.full((n, n), Config.start)
    for i in range(n):
        for j in range(n):
            for k in range(m):
                C[i, j] += X[i, k] * X[j, k]
    return C

def matmul_transpose_gpu(X):
    d_C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[SIZES[0], SIZES[1]](cuda.to_device(X), d_C)
    return d_C.copy_to_host()

matmul_transpose_trivial.calls = 0
Config.start = 0.0
SIZES.append(1)
SIZES += [1024]

# %% timed_versions_in_a_class
"""The versions are static methods of a class, which also times them; functions of the module hand on."""
import statistics
import time
class Product:
    history = {}

    class Clock:
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            self.began = time.perf_counter_ns()

        def __exit__(self, *_):
            Product.history.setdefault(self.name, []).append(time.perf_counter_ns() - self.began)

    @staticmethod
    def trivial(X):
        C = np.zeros((X.shape[0], X.shape[0]))
        for i in range(X.shape[0]):
            for j in range(X.shape[0]):
                for k in range(X.shape[1]):
                    C[i, j] += X[i, k] * X[j, k]
        return C

    @classmethod
    def on_gpu(cls, X, kernel):
        with cls.Clock("gpu"):
            d_C = cuda.device_array((X.shape[0], X.shape[0]))
            kernel[1, 1024](cuda.to_device(X), d_C)
            return d_C.copy_to_host()

    @classmethod
    def summary(cls):
        return {name: statistics.median(times) for name, times in cls.history.items()}

def matmul_transpose_trivial(X):
    with Product.Clock("trivial"):
        return Product.trivial(X)

def matmul_transpose_gpu(X):
    return Product.on_gpu(X, matmul_kernel)

# %% timeit_partial
"""`functools.partial` binds what is timed."""
from functools import partial
def matmul_comparisons():
    """Print the best time of 3 x 100 calls of each, in seconds."""
    X = np.random.randn(784, 128)
    for function in (_multiply, matmul_transpose_numba, matmul_transpose_gpu):
        print(min(timeit.repeat(partial(function, X), number=CALLS, repeat=REPEATS)))

# %% transpose_made_first
"""The transpose is made first; the three loops multiply."""
def matmul_transpose_trivial(X):
    T = np.transpose(X)
    C = np.zeros((X.shape[0], T.shape[1]))
    for i in range(X.shape[0]):
        for j in range(T.shape[1]):
            total = 0
            for k in range(X.shape[1]):
                total += X[i, k] * T[k, j]
            C[i, j] = total
    return C

@njit
def matmul_transpose_numba(X):
    T = X.T
    C = np.zeros((X.shape[0], T.shape[1]), dtype=X.dtype)
    for i in range(X.shape[0]):
        for j in range(T.shape[1]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * T[k, j]
    return C

def matmul_transpose_gpu(X):
    C = cuda.to_device(np.zeros((X.shape[0], X.shape[0])))
    matmul_kernel[1, 1024](cuda.to_device(np.ascontiguousarray(X)), C)
    return C.copy_to_host()

# %% validates_and_describes
"""NumPy validates and describes argument and result, and the symmetry of the result is asserted."""
import logging
import warnings
logger = logging.getLogger(__name__)

def validated(X):
    X = np.asarray(X)
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(f"expected a matrix, got the shape {X.shape}")
    if not np.issubdtype(X.dtype, np.floating):
        warnings.warn("X is converted to floats", stacklevel=2)
        X = X.astype(float)
    if not np.all(np.isfinite(X)):
        raise ValueError("X has numbers that are not finite")
    logger.info("%s: %g to %g, mean %g", X.shape, np.min(X), np.max(X), np.mean(X))
    return X

def described(C):
    assert np.allclose(C, C.T), "not symmetric"
    assert (np.diagonal(C) >= 0).all() and np.trace(C) >= 0
    logger.info("sum %g, eigenvalues from %g", C.sum(), np.linalg.eigvalsh(C[:5, :5]).min())
    return C

def matmul_transpose_trivial(X):
    X = validated(X)
    n, m = X.shape
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(m):
                C[i, j] += X[i, k] * X[j, k]
    squares = [sum(x * x for x in row) for row in X]
    np.testing.assert_allclose(np.diag(C), squares)
    return described(C)

def matmul_transpose_gpu(X):
    X = validated(X)
    d_C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](cuda.to_device(X), d_C)
    return described(d_C.copy_to_host())
