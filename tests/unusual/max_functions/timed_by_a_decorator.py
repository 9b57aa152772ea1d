"""A decorator of one's own times every function; counts come from a dataclass.

slow: its neighbours of the same kind are in the fast set
"""

from dataclasses import dataclass
from functools import partial, wraps, reduce
from itertools import product
import time


@dataclass
class Config:
    blocks: int = 1000
    threads: int = 1000


CONFIG = Config()


def timer(fn):
    @wraps(fn)
    def inner(*args, **kwargs):
        start = time.perf_counter()
        out = fn(*args, **kwargs)
        print(f"{fn.__name__}: {time.perf_counter() - start:.4f}")
        return out
    return inner


@cuda.jit(fastmath=True)
def max_kernel(A, B, C):
    bx, tx = cuda.blockIdx.x, cuda.threadIdx.x
    if bx < C.shape[0] and tx < C.shape[1]:
        C[bx, tx] = A[bx, tx] if A[bx, tx] > B[bx, tx] else B[bx, tx]


@timer
def max_gpu(A, B):
    C = cuda.device_array(A.shape, np.int32)
    launcher = max_kernel[CONFIG.blocks, CONFIG.threads]
    launcher(cuda.to_device(A.astype(np.int32)), cuda.to_device(B.astype(np.int32)), C)
    return C.copy_to_host()


@timer
def max_cpu(A, B):
    C = np.zeros(A.shape, dtype=A.dtype)
    for i, j in product(range(A.shape[0]), range(A.shape[1])):
        C[i, j] = reduce(lambda p, q: p if p > q else q, (A[i, j], B[i, j]))
    return C


@njit
def _fill(A, B, C):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i][j] = max(A[i][j], B[i][j])
    return C


@timer
def max_numba(A, B):
    return _fill(A, B, np.empty_like(A))
