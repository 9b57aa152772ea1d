"""Classes, decorators and types.

slow: its neighbours of the same kind are in the fast set
"""

# %% classes_in_annotations
"""Annotations name the classes of arrays on the device and of NumPy's generators, which are asked for, too."""
from numba.cuda.cudadrv.devicearray import DeviceNDArray
def upload(M: np.ndarray | DeviceNDArray) -> DeviceNDArray:
    return M if isinstance(M, DeviceNDArray) else cuda.to_device(M)

def max_gpu(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    d_C = cuda.device_array_like(A)
    max_kernel[1000, 1000](upload(A), upload(upload(B)), d_C)
    return d_C.copy_to_host()

def rows_of(M: np.ndarray, rng: np.random.Generator | None = None) -> range:
    return range(len(M))

def max_cpu(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    C = np.zeros_like(A)
    for i in rows_of(A):
        for j in rows_of(A[i]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% decorated_and_logged
"""A decorator logs the time of each call; a dataclass says what to launch; streams and pinned memory."""
import functools
import itertools
import logging
import time
from dataclasses import dataclass
import numpy.typing as npt
from numba import prange
logger = logging.getLogger(__name__)
Matrix = npt.NDArray[np.int64]

@dataclass(frozen=True)
class LaunchConfig:
    """How many blocks and threads."""

    blocks: int = 1000
    threads: int = 1000

    def as_tuple(self) -> tuple[int, int]:
        """Return both."""
        return self.blocks, self.threads

CONFIG = LaunchConfig()

def timed(function):
    """Log how long a call takes."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            logger.info("%s took %.6f s", function.__name__, time.perf_counter() - start)

    return wrapper

@timed
def max_cpu(A: Matrix, B: Matrix) -> Matrix:
    """Compare element by element."""
    rows, cols = A.shape
    C = np.empty_like(A)
    for i, j in itertools.product(range(rows), range(cols)):
        C[i, j] = A[i, j] if A[i, j] >= B[i, j] else B[i, j]
    return C

@njit(parallel=True, fastmath=True)
def _max_numba(A, B):
    C = np.empty_like(A)
    for i in prange(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] >= B[i, j] else B[i, j]
    return C

@timed
def max_numba(A: Matrix, B: Matrix) -> Matrix:
    """Call the compiled loops."""
    return _max_numba(A, B)

@cuda.jit("void(int64[:,:], int64[:,:], int64[:,:])")
def max_kernel(A, B, C):
    """Eager signature; contiguous or not."""
    row, col = cuda.blockIdx.x, cuda.threadIdx.x
    if row < C.shape[0] and col < C.shape[1]:
        C[row, col] = A[row, col] if A[row, col] >= B[row, col] else B[row, col]

@timed
def max_gpu(A: Matrix, B: Matrix) -> Matrix:
    """Use a stream, asynchronous copies, and pinned memory for the result."""
    stream = cuda.stream()
    with stream.auto_synchronize():
        a = cuda.to_device(np.ascontiguousarray(A, dtype=np.int64), stream=stream)
        b = cuda.to_device(np.ascontiguousarray(B, dtype=np.int64), stream=stream)
        c = cuda.device_array(A.shape, np.int64, stream=stream)
        max_kernel[CONFIG.blocks, CONFIG.threads, stream](a, b, c)
        result = cuda.pinned_array(A.shape, np.int64)
        c.copy_to_host(result, stream=stream)
    return result

# %% decorators_that_are_objects
"""Decorators are a class, whose object takes the function's place, and a context manager that is stacked on it."""
import time
from contextlib import ContextDecorator
from functools import update_wrapper
class Counted:
    def __init__(self, function):
        update_wrapper(self, function)
        self.function = function
        self.calls = 0

    def __call__(self, *args, **kwargs):
        self.calls += 1
        return self.function(*args, **kwargs)

class Timed(ContextDecorator):
    def __init__(self, label):
        self.label = label

    def __enter__(self):
        self.began = time.monotonic()
        return self

    def __exit__(self, *error):
        print(f"{self.label}: {time.monotonic() - self.began:.3f} s")
        return None

@Timed("CPU")
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

@Counted
@Timed("CUDA")
def max_gpu(A, B):
    d_C = cuda.device_array_like(A)
    max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), d_C)
    print("call", max_gpu.calls)
    return d_C.copy_to_host()

# %% enum_and_named_tuple
"""The sizes are members of an enumeration, and the launch is a named tuple with a method."""
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

# %% own_fields_of_every_name
"""Fields and methods have the names that libraries use: type, base, parent, handle, compile; sizes are a named tuple."""
import sys
import warnings
from collections import namedtuple
from dataclasses import dataclass, field
from numba import NumbaPerformanceWarning, NumbaWarning
warnings.filterwarnings("ignore", category=NumbaPerformanceWarning)
Shape = namedtuple("Shape", "rows columns")
Launch = namedtuple("Launch", ["base", "handle"], defaults=[None])

@dataclass
class Task:
    type: str
    parent: object = None
    core: int = 0
    iters: int = 1
    doc: str = ""
    stats: dict = field(default_factory=dict)

    def compile(self):
        self.handle = Launch(base=Shape(1000, 1000))
        self.root = self if self.parent is None else self.parent.root
        return self

    def call(self, function, *args):
        self.root.stats[self.type] = self.root.stats.get(self.type, 0) + self.iters
        return function(*args)

    @property
    def base(self):
        return self.handle.base

def loud():
    return len(sys.argv) > 1 and "-v" in sys.argv[1:]

def max_cpu(A, B):
    task = Task("cpu", Task("all").compile()).compile()
    shape = Shape(*A.shape)
    C = np.zeros(shape, A.dtype)

    def run():
        for i in range(shape.rows):
            for j in range(shape.columns):
                C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

    task.call(run)
    if loud():
        print(task.parent.stats, task.doc, task.core)
    return C

def max_gpu(A, B):
    task = Task(type="gpu").compile()
    d_C = cuda.device_array_like(A)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)
        task.call(max_kernel[task.base.rows, task.base.columns], cuda.to_device(A), cuda.to_device(B), d_C)
    return d_C.copy_to_host()

# %% protocols_and_type_variables
"""Types of every kind: a protocol, a type variable, aliases, and imports that only a type checker makes."""
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

# %% protocols_enums_and_dataclasses
"""Type hints with Protocol, TypeVar, dataclasses and Enum; backends are objects that keep their times."""
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Callable, ClassVar, Protocol, TypeVar, runtime_checkable, Any
import numpy.typing as npt
IntMatrix = npt.NDArray[np.int64]
T = TypeVar("T", bound=np.generic)

class Kind(Enum):
    CPU = auto()
    NUMBA = "numba"
    GPU = "gpu"

    @property
    def label(self) -> str:
        return f"[*] {self.name.title()}"

class Maximum(Protocol):
    def __call__(self, A: IntMatrix, B: IntMatrix) -> IntMatrix: ...

@dataclass(order=True)
class Timing:
    seconds: float
    kind: Kind = field(default=Kind.CPU, compare=False)
    notes: list[str] = field(default_factory=list, compare=False)
    total: ClassVar[float] = 0.0

    def __str__(self) -> str:
        return f"{self.kind.label}: {self.seconds:.4f}"

class Backend(ABC):
    kind: Kind

    def __init__(self) -> None:
        self.timings: list[Timing] = []

    @abstractmethod
    def compute(self, A: IntMatrix, B: IntMatrix) -> IntMatrix:
        ...

    def __call__(self, A: IntMatrix, B: IntMatrix) -> IntMatrix:
        start = time.perf_counter()
        try:
            return self.compute(A, B)
        finally:
            self.timings.append(Timing(time.perf_counter() - start, self.kind))

class CpuBackend(Backend):
    kind = Kind.CPU

    def compute(self, A, B):
        return np.array([[a if a > b else b for a, b in zip(*rows)] for rows in zip(A, B)], dtype=A.dtype)

class GpuBackend(Backend):
    kind = Kind.GPU

    def compute(self, A, B):
        C = np.zeros_like(A)
        max_kernel[1000, 1000](A, B, C)
        return C

BACKENDS: dict[Kind, Backend] = {backend.kind: backend for backend in (CpuBackend(), GpuBackend())}

def max_cpu(A: IntMatrix, B: IntMatrix) -> IntMatrix:
    return BACKENDS[Kind.CPU](A, B)

def max_gpu(A: IntMatrix, B: IntMatrix) -> IntMatrix:
    return BACKENDS[Kind.GPU](A, B)

# %% registered_by_a_decorator
"""A decorator with an argument enters every version in a dictionary, which only the comparison reads."""
VERSIONS = {}

def version(name, calls=20):
    def enter(function):
        VERSIONS[name] = (function, calls)
        return function

    return enter

@version("CPU", calls=3)
def max_cpu(A, B):
    C = np.zeros_like(A)
    for row in range(A.shape[0]):
        for column in range(A.shape[1]):
            a, b = A[row, column], B[row, column]
            if a > b:
                C[row, column] = a
            else:
                C[row, column] = b
    return C

@version("Numba")
@njit
def max_numba(A, B):
    C = np.zeros_like(A)
    for row in range(A.shape[0]):
        for column in range(A.shape[1]):
            a, b = A[row, column], B[row, column]
            C[row, column] = a if a > b else b
    return C

@version("CUDA")
def max_gpu(A, B):
    C = cuda.device_array_like(A)
    max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()

def max_comparisons():
    A = np.random.randint(0, 256, (1000, 1000))
    B = np.random.randint(0, 256, (1000, 1000))
    for name, (function, calls) in VERSIONS.items():
        print(name, timeit.timeit(lambda: function(A, B), number=calls) / calls)
    return 0

# %% try_and_finally
"""Errors are turned into messages, times are taken in a finally, and warnings are caught."""
import contextlib
import time
import warnings
@contextlib.contextmanager
def stopwatch(name):
    began = time.perf_counter()
    try:
        yield
    finally:
        print(f"{name}: {time.perf_counter() - began:.6f} s")

def max_cpu(A, B):
    with stopwatch("CPU"), np.errstate(all="raise"), contextlib.suppress(KeyError):
        C = np.empty(A.shape, A.dtype)
        for i in range(A.shape[0]):
            try:
                for j in range(A.shape[1]):
                    C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
            except IndexError as error:
                raise ValueError(f"row {i}: B is smaller than A") from error
        return C

def max_gpu(A, B):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with stopwatch("CUDA"):
            d_C = cuda.device_array_like(A)
            try:
                max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), d_C)
            except Exception:
                print("launch failed")
                raise
            else:
                return d_C.copy_to_host()
            finally:
                del d_C

# %% types_by_platform
"""NumPy's integer has 32 bits on some machines: an if of the module picks the types that are written down."""
import sys
import numba
from numba import int32, int64
if np.dtype(int).itemsize == 8:
    integer = int64

    def as_matrix(M):
        return np.ascontiguousarray(M, dtype=np.int64)

else:
    integer = int32

    def as_matrix(M):
        return np.ascontiguousarray(M, dtype=np.int32)

matrix = integer[:, ::1]
LOOPS = xrange if sys.version_info < (3,) else range

@njit(matrix(matrix, matrix))
def _max_numba(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

def max_cpu(A, B):
    C = as_matrix(np.zeros(A.shape))
    for i in LOOPS(A.shape[0]):
        for j in LOOPS(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

def max_numba(A, B):
    return _max_numba(as_matrix(A), as_matrix(B))

@cuda.jit(numba.void(matrix, matrix, matrix))
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

def max_gpu(A, B):
    d_A, d_B = cuda.to_device(as_matrix(A)), cuda.to_device(as_matrix(B))
    d_C = cuda.device_array_like(d_A)
    max_kernel[1000, 1000](d_A, d_B, d_C)
    return d_C.copy_to_host()
