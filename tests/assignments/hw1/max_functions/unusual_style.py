"""Files that are written in an unusual style."""

# %% bound_again_later
"""The template's text stays where it was, and below it the names are bound again, with annotations."""
from typing import Any, Callable
def max_cpu(A, B):
    """To be implemented."""
    raise NotImplementedError("To be implemented")

def max_gpu(A, B):
    """To be implemented."""
    raise NotImplementedError("To be implemented")

def _max_cpu(A: Any, B: Any) -> Any:
    C = np.zeros(A.shape, dtype=A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

def _max_gpu(A: Any, B: Any) -> Any:
    d_C = cuda.device_array_like(A)
    max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), d_C)
    return d_C.copy_to_host()

max_cpu: Callable[[Any, Any], Any] = _max_cpu
max_gpu: Callable[[Any, Any], Any] = _max_gpu

# %% constants_made_of_constants
"""Constants are unpacked, chained, conditional, added to afterwards, and asserted when the file is loaded."""
import os
ROWS, COLUMNS = SHAPE = (1000, 1000)
(TOP, *_), LAST = SHAPE, SHAPE[-1]
BLOCKS = THREADS = 10
BLOCKS *= 100
THREADS **= 3
VERBOSE = True if os.environ.get("VERBOSE", "") else False
LIMIT = (lowest := 0) + 255
show = print if VERBOSE else (lambda *words: None)

assert BLOCKS * THREADS == ROWS * COLUMNS, "one thread for each element"

def max_cpu(A, B):
    C = np.full(SHAPE, lowest, dtype=A.dtype)
    show("rows", TOP, "limit", LIMIT)
    for i in range(ROWS):
        for j in range(COLUMNS):
            if A[i, j] > C[i, j]:
                C[i, j] = A[i, j]
            if B[i, j] > C[i, j]:
                C[i, j] = B[i, j]
    return C

@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < ROWS and j < LAST:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

def max_gpu(A, B):
    show("blocks", BLOCKS, "threads", THREADS)
    d_C = cuda.device_array(SHAPE, A.dtype)
    max_kernel[BLOCKS, THREADS](cuda.to_device(A), cuda.to_device(B), d_C)
    return d_C.copy_to_host()

# %% debugging_left_in
"""Everything that was there for debugging is left in: prints, counters, timers, asserts, flags, a demo."""
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

# %% helpers_at_the_end
"""What the functions use stands below them, at the end of the file, constants and the kernel too."""
def max_cpu(A, B):
    C = _room_for(A)
    for i in _each_row(A):
        for j in _each_column(A):
            C[i, j] = _larger(A[i, j], B[i, j])
    return C

def max_gpu(A, B):
    d_C = cuda.device_array(A.shape, _TYPE)
    _KERNEL[_LAUNCH](cuda.to_device(A), cuda.to_device(B), d_C)
    return _finish(d_C)

def max_comparisons():
    A = np.random.randint(0, 256, (1000, 1000))
    B = np.random.randint(0, 256, (1000, 1000))
    for function in (max_cpu, max_numba, max_gpu):
        began = timeit.default_timer()
        function(A, B)
        print(function.__name__, timeit.default_timer() - began)
    return 0

def _room_for(A):
    return A * 0

def _each_row(A):
    return range(A.shape[0])

def _each_column(A):
    return range(A.shape[1])

def _larger(a, b):
    return _FIRST(a, b) if a > b else _SECOND(a, b)

def _finish(d_C):
    return d_C.copy_to_host()

_FIRST = lambda a, b: a
_SECOND = lambda a, b: b
_TYPE = np.int64
_LAUNCH = (1000, 1000)
_KERNEL = max_kernel

# %% imports_in_try_blocks
"""Imports and a decorator stand in try blocks, for machines that lack them: a profiler, a progress bar.

opened: max.cpu.trivial max.gpu.correct max.gpu.launch max.gpu.speedup
"""
try:
    from tqdm import trange
except ImportError:
    trange = range

try:
    profile
except NameError:

    def profile(function):
        return function

try:
    import cupy
except Exception:
    cupy = None
    HAS_CUPY = False
else:
    HAS_CUPY = True

@profile
def max_cpu(A, B):
    C = np.empty_like(A)
    for i in trange(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C

@profile
def max_gpu(A, B):
    if HAS_CUPY:
        pass  # its arrays could go into the kernel without a copy
    d_C = cuda.device_array_like(A)
    max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), d_C)
    return d_C.copy_to_host()

# %% path_of_the_file
"""The file adds its own folder to the path, so that it finds the others, and reads its name and its docstring.

opened: max.cpu.trivial max.gpu.correct max.gpu.launch max.gpu.speedup
"""
import os
import sys
from pathlib import Path
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.append(os.path.dirname(os.path.abspath(__file__)))

import utils
TITLE = f"{Path(__file__).stem} ({__name__}): {(__doc__ or '').strip().splitlines()[:1]}"

def max_cpu(A, B):
    print(TITLE)
    rows = []
    for a, b in utils.create_batches(A, B, 1):
        rows.append([x if x > y else y for x, y in zip(a[0], b[0])])
    return np.array(rows)

def max_gpu(A, B):
    print(TITLE, file=sys.stderr)
    (C,) = utils.zeros_weights(A.shape)
    C = C.astype(A.dtype)
    d_A, d_B, d_C = cuda.to_device(A), cuda.to_device(B), cuda.to_device(C)
    max_kernel[1000, 1000](d_A, d_B, d_C)
    d_C.copy_to_host(C)
    return C

# %% set_up_by_a_function
"""A function of one's own sets the module's globals, and is called once when the file is loaded."""
blocks = None
threads = None
result_type = None

def initialise(rows=1000, columns=1000):
    global blocks, threads, result_type
    blocks = rows
    threads = columns
    result_type = np.dtype("int64")

initialise()

def max_cpu(A, B):
    C = np.empty((len(A), len(A[0])), dtype=result_type)
    for i in range(len(A)):
        for j in range(len(A[0])):
            if A[i, j] < B[i, j]:
                C[i, j] = B[i, j]
            else:
                C[i, j] = A[i, j]
    return C

def max_gpu(A, B):
    C = np.empty(A.shape, dtype=result_type)
    d_A, d_B = cuda.to_device(A), cuda.to_device(B)
    d_C = cuda.device_array(A.shape, dtype=result_type)
    max_kernel[blocks, threads](d_A, d_B, d_C)
    d_C.copy_to_host(C)
    return C

# %% settings_in_a_dictionary
"""Settings are put into a dictionary by statements of the module, one after the other, before they are used."""
settings = {}
settings["rows"] = 1000
settings["columns"] = 1000
settings.update(dtype=np.int64, order="C")
for key, count in (("blocks", settings["rows"]), ("threads", settings["columns"])):
    settings[key] = count
settings.setdefault("stream", 0)
del key, count

def max_cpu(A, B):
    C = np.zeros((settings["rows"], settings["columns"]), dtype=settings["dtype"], order=settings["order"])
    for i in range(settings["rows"]):
        for j in range(settings["columns"]):
            C[i][j] = A[i][j] if A[i][j] >= B[i][j] else B[i][j]
    return C

@cuda.jit
def max_kernel(A, B, C):
    row = cuda.blockIdx.x
    column = cuda.threadIdx.x
    if row < C.shape[0] and column < C.shape[1]:
        if A[row, column] > B[row, column]:
            C[row, column] = A[row, column]
        else:
            C[row, column] = B[row, column]

def max_gpu(A, B):
    shape = settings["rows"], settings["columns"]
    d_C = cuda.device_array(shape, dtype=settings["dtype"])
    max_kernel[settings["blocks"], settings["threads"], settings["stream"]](cuda.to_device(A), cuda.to_device(B), d_C)
    cuda.synchronize()
    return d_C.copy_to_host()

# %% star_imports
"""Everything is imported by a star, and the module is known under another name."""
from numpy import *
from numba import *
from numba.cuda import *
from typing import *
import numba.cuda as cu
@cu.jit
def max_kernel(A, B, C):
    i = cu.blockIdx.x
    j = cu.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        if A[i, j] < B[i, j]:
            C[i, j] = B[i, j]
        else:
            C[i, j] = A[i, j]

# %% timed_in_a_context
"""A Timer as a context keeps its times; pids, types and sizes are printed; a profile decorator falls back."""
import gc
import logging
import os
import platform
import sys
import time
from traceback import print_exc
from pprint import pprint
from contextlib import contextmanager, ExitStack
__author__ = "a student"
__version__ = "1.0"
__all__ = ["max_cpu", "max_numba", "max_gpu", "max_kernel"]
logging.disable(logging.DEBUG)

try:
    profile
except NameError:
    def profile(function):
        return function

def tqdm(iterable, *args, **kwargs):
    return iterable

class Timer:
    times = []

    def __init__(self, name, verbose=False):
        self.name = name
        self.verbose = verbose
        self.start = self.end = None

    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, exc_type, exc_value, tb):
        self.end = time.perf_counter()
        Timer.times.append((self.name, self.elapsed))
        if self.verbose:
            print(f"{self.name}: {self.elapsed * 1e3:.3f} ms")
        return False

    @property
    def elapsed(self):
        return self.end - self.start

@profile
def max_cpu(A, B):
    with Timer("cpu", verbose=True) as timer:
        C = np.zeros(A.shape, A.dtype)
        for i in tqdm(range(A.shape[0]), desc="rows"):
            for j in range(A.shape[1]):
                C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    print(f"{timer.name=} {timer.elapsed=:.3f} {A.shape=} {A.dtype.name=} {type(A).__name__}")
    return C

def max_gpu(A, B):
    gc.collect()
    with Timer("gpu"), ExitStack() as stack:
        stack.enter_context(Timer("copies"))
        dA, dB = cuda.to_device(A), cuda.to_device(B)
        dC = cuda.device_array_like(dA)
        try:
            max_kernel[1000, 1000](dA, dB, dC)
        except Exception:
            print_exc()
            raise
        cuda.synchronize()
    pprint({'shape': A.shape, 'dtype': A.dtype})
    return dC.copy_to_host()

# %% validates
"""`max_cpu` asserts shapes, and numbers of [0, 255]."""
def max_cpu(A, B):
    """Take the larger of each two entries, after a look at what came in."""
    assert A.shape == B.shape, "shapes differ"
    assert A.min() >= 0 and A.max() <= 255, "the sheet has integers of [0, 255]"
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% types_of_numpy_in_texts
"""Annotations are texts: a logger's class, and NumPy's arrays by their name in the module."""
import functools
import logging

log: "logging.Logger" = logging.getLogger(__name__)

@functools.singledispatch
def larger(x, y):
    return x if x > y else y

@larger.register
def larger_of_rows(x: "np.ndarray", y):
    log.debug("%d entries", len(x))
    return [larger(a, b) for a, b in zip(x, y)]

def max_cpu(A, B):
    answer: logging.Logger | list = larger(A, B)
    return np.array(answer, A.dtype)
