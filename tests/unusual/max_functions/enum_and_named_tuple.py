"""The sizes are members of an enumeration, and the launch is a named tuple with a method.

slow: its neighbours of the same kind are in the fast set
"""

from enum import Enum, IntEnum, auto
from typing import NamedTuple


class Size(IntEnum):
    ROWS = 1000
    COLUMNS = 1000


class Where(Enum):
    PYTHON = auto()
    NUMBA = auto()
    CUDA = auto()

    def __str__(self):
        return self.name.lower()


class Launch(NamedTuple):
    blocks: int
    threads: int = Size.COLUMNS.value

    @property
    def total(self):
        return self.blocks * self.threads

    def check(self, matrix):
        assert self.total >= matrix.size, f"{self.total} threads are too few"
        return self


LAUNCH = Launch(blocks=Size.ROWS.value)


def max_cpu(A, B):
    C = np.zeros(A.shape, dtype=A.dtype)
    for i in range(Size.ROWS):
        for j in range(Size.COLUMNS):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    print(f"done on {Where.PYTHON}")
    return C


@cuda.jit
def max_kernel(A, B, C):
    i = cuda.blockIdx.x
    j = cuda.threadIdx.x
    if i < A.shape[0] and j < A.shape[1]:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]


def max_gpu(A, B):
    blocks, threads = LAUNCH.check(A)
    d_C = cuda.device_array_like(A)
    max_kernel[blocks, threads](cuda.to_device(A), cuda.to_device(B), d_C)
    print(f"done on {Where.CUDA}")
    return d_C.copy_to_host()
