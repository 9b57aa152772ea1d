"""Debugging is left in: prints of shapes, timers, asserts against NumPy, a counter on the function, tuples.

slow: its neighbours of the same kind are in the fast set
"""

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
