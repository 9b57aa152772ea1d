"""Types of every kind: a protocol, a type variable, aliases, and imports that only a type checker makes.

slow: its neighbours of the same kind are in the fast set
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.int64]

Number = TypeVar("Number", int, float)
Chooser: TypeAlias = Callable[[Number, Number], Number]
ROWS: Final[int] = 1000
COLUMNS: Final = 1000


class HasShape(Protocol):
    shape: tuple[int, int]

    def __getitem__(self, index: tuple[int, int]) -> int: ...


def larger(a: Number, b: Number) -> Number:
    return a if a >= b else b


def fill(A: HasShape, B: HasShape, C: "Matrix", choose: Chooser) -> None:
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = choose(A[i, j], B[i, j])


def max_cpu(A: "Matrix", B: "Matrix") -> "Matrix":
    C: "Matrix" = np.empty(A.shape, dtype=A.dtype)
    fill(A, B, C, larger)
    return C


@cuda.jit
def max_kernel(A, B, C) -> None:
    i: int = cuda.blockIdx.x
    j: int = cuda.threadIdx.x
    if i < ROWS and j < COLUMNS:
        C[i, j] = max(A[i, j], B[i, j])


def max_gpu(A: "Matrix", B: "Matrix") -> "Matrix":
    d_C = cuda.device_array((ROWS, COLUMNS), dtype=A.dtype)
    max_kernel[ROWS, COLUMNS](cuda.to_device(A), cuda.to_device(B), d_C)
    return d_C.copy_to_host()
