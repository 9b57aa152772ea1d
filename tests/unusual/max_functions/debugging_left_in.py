"""Everything that was there for debugging is left in: prints, counters, timers, asserts, flags, a demo.

slow: its neighbours of the same kind are in the fast set
"""

import functools
import logging
import sys
import time
import traceback
import warnings
from timeit import default_timer as timer
from pprint import pprint

DEBUG = False
VERBOSE = 0
logging.getLogger(__name__).addHandler(logging.NullHandler())
logger = logging.getLogger("max")
logger.setLevel(logging.DEBUG)
logger.addHandler(logging.NullHandler())
warnings.filterwarnings("ignore")
np.random.seed(0)
np.set_printoptions(precision=3, suppress=True)
calls = {"cpu": 0, "numba": 0, "gpu": 0}
times = []


def debug(*args, **kwargs):
    if DEBUG:
        print("[DEBUG]", *args, **kwargs, file=sys.stderr)


@functools.lru_cache(maxsize=None)
def grid_of(shape):
    debug("grid of", shape)
    return 1000, 1000


def max_cpu(A, B):
    calls["cpu"] += 1
    start = time.perf_counter()
    assert A.shape == B.shape, f"{A.shape} != {B.shape}"
    assert isinstance(A, np.ndarray) and A.ndim == 2
    debug("A", A[0, :5], "B", B[0, :5])
    C = np.zeros(A.shape, dtype=A.dtype)
    count_a = count_b = 0
    for i in range(A.shape[0]):
        if VERBOSE > 1 and i % 100 == 0:
            print(f"row {i} of {A.shape[0]}", end="\r", flush=True)
        for j in range(A.shape[1]):
            if A[i, j] > B[i, j]:
                C[i, j] = A[i, j]
                count_a += 1
            else:
                C[i, j] = B[i, j]
                count_b += 1
            # print(i, j, C[i, j])
    elapsed = time.perf_counter() - start
    times.append(elapsed)
    print(f"max_cpu took {elapsed:.3f} s, A was larger {count_a} times, B {count_b} times")
    debug(C.min(), C.max(), C.mean(), np.unique(C)[:5])
    return C


@njit(cache=False)
def max_numba(A, B):
    C = np.zeros(A.shape, dtype=A.dtype)
    count = 0
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
            count += 1
    # print("count", count)
    return C


def max_gpu(A, B):
    calls["gpu"] += 1
    t0 = timer()
    dA, dB = cuda.to_device(A), cuda.to_device(B)
    dC = cuda.device_array(A.shape, A.dtype)
    t1 = timer()
    max_kernel[grid_of(A.shape)](dA, dB, dC)
    cuda.synchronize()
    t2 = timer()
    C = dC.copy_to_host()
    t3 = timer()
    logger.debug("copy %.3f kernel %.3f back %.3f", t1 - t0, t2 - t1, t3 - t2)
    if DEBUG:
        expected = np.maximum(A, B)
        assert np.array_equal(C, expected), np.argwhere(C != expected)[:5]
    return C


def test_max():
    A = np.random.randint(0, 256, (1000, 1000))
    B = np.random.randint(0, 256, (1000, 1000))
    for f in (max_cpu, max_numba, max_gpu):
        try:
            assert np.array_equal(f(A, B), np.maximum(A, B)), f.__name__
        except Exception:
            traceback.print_exc()
    pprint(calls)


if __name__ == "__main__":
    DEBUG = True
    test_max()
