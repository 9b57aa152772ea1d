"""Environment, warnings, recursion limit and logging are set at import; the kernel is timed by events.

slow: its neighbours of the same kind are in the fast set
"""

import os
import sys
import warnings
import logging
os.environ["NUMBA_CUDA_LOG_LEVEL"] = "WARNING"
os.environ.setdefault("NUMBA_NUM_THREADS", "1")
warnings.filterwarnings("ignore")
warnings.simplefilter("ignore", category=DeprecationWarning)
logging.getLogger("numba").setLevel(logging.WARNING)
sys.setrecursionlimit(10000)
np.set_printoptions(threshold=sys.maxsize)
np.random.seed(42)


@cuda.jit
def max_kernel(A, B, C):
    i = cuda.blockIdx.x
    j = cuda.threadIdx.x
    if i >= C.shape[0] or j >= C.shape[1]:
        return
    C[i, j] = A[i, j]
    if B[i, j] > C[i, j]:
        C[i, j] = B[i, j]


def max_gpu(A, B, verbose=False):
    if not cuda.is_available():
        raise RuntimeError("no GPU")
    assert A.shape == B.shape, "shapes differ"
    C = np.zeros(A.shape, dtype=A.dtype)
    d_A, d_B, d_C = [cuda.to_device(M) for M in (A, B, C)]
    start = cuda.event()
    end = cuda.event()
    start.record()
    max_kernel[1000, 1000](d_A, d_B, d_C)
    end.record()
    end.synchronize()
    ms = cuda.event_elapsed_time(start, end)
    if verbose:
        print(f"kernel: {ms} ms")
    try:
        return d_C.copy_to_host()
    finally:
        del d_A, d_B, d_C


@njit
def _max_numba(A, B, C):
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[i, j] = A[i, j] if A[i, j] >= B[i, j] else B[i, j]


def max_numba(A, B):
    C = np.empty(A.shape, dtype=A.dtype)
    _max_numba(A, B, C)
    return C


def max_cpu(A, B):
    rows, cols = len(A), len(A[0])
    C = np.full((rows, cols), -1)
    for i in range(rows):
        for j in range(cols):
            x, y = A.item(i, j), B.item((i, j))
            C.itemset((i, j), x if x > y else y) if hasattr(C, "itemset") else C.__setitem__((i, j), x if x > y else y)
    return C
