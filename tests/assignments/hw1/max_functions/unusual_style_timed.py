"""Files that print, time, count or check themselves."""

# %% asserts_for_each_element
"""Indices and numbers are checked in the loop, by helpers that call helpers, and converted twice."""
def checked(value):
    if value < 0 or value > 255:
        raise ValueError(f"{value} is no brightness")
    return int(value)

def larger(a, b):
    if checked(a) > checked(b):
        return a
    return b

def max_cpu(A, B):
    assert A.shape == B.shape, "the shapes differ"
    C = np.zeros(A.shape, dtype=A.dtype)
    for i in range(len(A)):
        assert len(A[i]) == len(B[i])
        for j in range(len(A[i])):
            assert 0 <= i < A.shape[0]
            assert 0 <= j < A.shape[1]
            C[i][j] = larger(int(A[i][j]), int(B[i][j]))
            assert C[i][j] >= A[i][j]
            assert C[i][j] >= B[i][j]
    return C

# %% benchmark_with_everything
"""No graded function needs the rest: threads, processes, plots, pickles, the environment and a command line."""
import argparse
import json
import os
import pickle
import platform
import shutil
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from timeit import Timer
__author__ = "Student A, Student B"
__email__ = "a@campus.technion.ac.il", "b@campus.technion.ac.il"

CORES = os.environ.get("SLURM_CPUS_PER_TASK", os.cpu_count())
lock = threading.Lock()
results = {}

def max_cpu(A, B):
    C = np.zeros((1000, 1000), dtype=int)
    for i in range(1000):
        for j in range(1000):
            C[i, j] = max(A[i, j], B[i, j])
    return C

def time_one(name, function, A, B):
    seconds = min(Timer(lambda: function(A, B)).repeat(REPEATS, 1))
    with lock:
        results[name] = seconds

def device_name():
    if shutil.which("nvidia-smi") is None:
        return platform.processor()
    return subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout

def plot(path="times.png"):
    import matplotlib.pyplot as plt

    plt.bar(results.keys(), results.values())
    plt.ylabel("seconds")
    plt.savefig(path)

def save(path):
    with open(path, "wb") as stream:
        pickle.dump(results, stream)
    with open(path + ".json", "w") as stream:
        json.dump({"device": device_name(), "cores": CORES, **results}, stream)

def max_comparisons():
    parser = argparse.ArgumentParser()
    parser.add_argument("--save", default="")
    parser.add_argument("--plot", action="store_true")
    arguments = parser.parse_args()
    A, B = np.random.randint(0, 256, (2, 1000, 1000))
    with ThreadPoolExecutor(max_workers=1) as pool:
        for name in ("max_cpu", "max_numba", "max_gpu"):
            pool.submit(time_one, name, globals()[name], A, B)
    for name, seconds in sorted(results.items()):
        print("     [*]", name, seconds)
    if arguments.save:
        save(arguments.save)
    if arguments.plot:
        plot()
    return 0

# %% checks_itself_with_numpy
"""Each version compares its result with np.maximum before it returns its own: a check, not the work."""
def check(name, C, A, B):
    expected = np.maximum(A, B)
    assert C.shape == expected.shape
    assert np.array_equal(C, expected), f"{name} is wrong in {np.count_nonzero(C != expected)} places"
    print(f"[+] {name} passed")

def max_cpu(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    check("CPU", C, A, B)
    return C

def max_gpu(A, B):
    d_A = cuda.to_device(A)
    d_B = cuda.to_device(B)
    d_C = cuda.device_array_like(A)
    max_kernel[1000, 1000](d_A, d_B, d_C)
    C = d_C.copy_to_host()
    check("CUDA", C, A, B)
    return C

# %% closures_that_count
"""Functions inside functions keep count of comparisons in a variable of the outer one."""
def make_comparer(verbose=False):
    comparisons = 0
    wins = {"A": 0, "B": 0}

    def compare(a, b):
        nonlocal comparisons
        comparisons += 1
        if a > b:
            wins["A"] += 1
            return a
        wins["B"] += 1
        return b

    def report():
        if verbose:
            print(f"{comparisons} comparisons, won by {wins}")
        return comparisons

    compare.report = report
    return compare

def max_cpu(A, B):
    compare = make_comparer(verbose=True)

    def row(i):
        return [compare(A[i, j], B[i, j]) for j in range(A.shape[1])]

    C = np.array([row(i) for i in range(A.shape[0])])
    assert compare.report() == A.size
    return C

def make_max_numba():
    @njit
    def larger(a, b):
        return a if a > b else b

    @njit
    def loops(A, B):
        C = np.empty_like(A)
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                C[i, j] = larger(A[i, j], B[i, j])
        return C

    return loops

max_numba = make_max_numba()

# %% counts_its_calls
"""Calls are counted on a class, on functions and on the kernel; a first call warms up; a flag is set by `main`."""
from dataclasses import dataclass
VERBOSE = False

class Config:
    calls = 0
    rows = None

Config.columns = 1000

@dataclass
class Launch:
    griddim: int = 1000
    blockdim: int = 1000
    stream: int = 0
    sharedmem: int = 0

    def of(self, kernel):
        return kernel[self.griddim, self.blockdim, self.stream, self.sharedmem]

def max_cpu(A, B):
    max_cpu.calls += 1
    if VERBOSE:
        print("call", max_cpu.calls)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

max_cpu.calls = 0

@njit
def compiled(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

compiled.calls = 0

def max_numba(A, B):
    Config.calls += 1
    compiled.calls += 1
    return compiled(A, B)

@cuda.jit
def max_kernel(A, B, C):
    for i in range(cuda.blockIdx.x, C.shape[0], cuda.gridDim.x):
        for j in range(cuda.threadIdx.x, C.shape[1], cuda.blockDim.x):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

max_kernel.launches = 0

def max_gpu(A, B):
    Config.calls += 1
    Config.rows = A.shape[0]
    max_kernel.launches += 1
    d_C = cuda.device_array(A.shape, A.dtype)
    Launch().of(max_kernel)(cuda.to_device(A), cuda.to_device(B), d_C)
    return d_C.copy_to_host()

small = np.zeros((2, 2), dtype=int)
max_numba(small, small)
max_gpu(small, small)

def main():
    global VERBOSE
    VERBOSE = "-v" in sys.argv
    print(max_cpu(small, small))

# %% formats_its_progress
"""Formats a line about each tenth row, with a text of the module by the operator, and one by the method."""
LINE = "%d of %d rows"

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        if i % 100 == 0:
            print(LINE % (i, A.shape[0]), "row {0:>5} of {1.shape[0]}".format(i, A))
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% log_file_and_dates
"""A log file is named by a path, and dates and durations are noted; built-in functions are taken back by their names.
"""
import logging
from builtins import max, range
from datetime import datetime, timedelta
from pathlib import Path
LOG = Path("logs") / "max_functions.log"
logging.basicConfig(filename=LOG.name, level=logging.INFO, format="%(asctime)s %(message)s")
logger = logging.getLogger(__name__)
began = datetime.now()
longest = timedelta(seconds=0)

def max_cpu(A, B):
    global longest
    start = datetime.now()
    C = np.zeros_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    longest = max(longest, datetime.now() - start)
    logger.info("%s: %.3f s", start.isoformat(), longest.total_seconds())
    return C

# %% prints_statistics
"""Arguments are validated and described by NumPy, with means, sums and histograms; the loops are one's own."""
import logging
log = logging.getLogger("max")

def describe(name, M):
    log.info("%s: mean %.2f, std %.2f, sum %d", name, M.mean(), np.std(M), np.sum(M))
    print(name, "median", np.median(M), "quartiles", np.percentile(M, [25, 75]), "counts", np.bincount(M.ravel())[:3])

def validate(A, B):
    if A.ndim != 2 or A.shape != B.shape:
        raise ValueError(f"shapes {A.shape} and {B.shape} differ")
    if not np.isfinite(A).all() or not np.all(np.isfinite(B)):
        raise ValueError("not a number")
    if np.any(A < 0) or np.any(B < 0) or (A > 255).any() or (B > 255).any():
        raise ValueError("out of range")

def max_cpu(A, B):
    validate(A, B)
    describe("A", A)
    describe("B", B)
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    describe("C", C)
    print("from A:", np.mean(C == A), "from B:", np.mean(C == B), "larger by", (C - A).mean())
    return C

def max_gpu(A, B):
    validate(A, B)
    d_C = cuda.device_array_like(A)
    max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), d_C)
    C = d_C.copy_to_host()
    describe("C", C)
    assert (C >= A).all() and (C >= B).all()
    return C

# %% progress_printed
"""Progress is written over and over the same line, with times of the processor, and a bell at the end."""
import time
def progress(done, total, width=40):
    filled = width * done // total
    sys.stdout.write(f"\r[{'#' * filled:<{width}}] {done / total:4.0%} {time.process_time():.1f} s")
    sys.stdout.flush()

def max_cpu(A, B):
    C = np.zeros_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
        if i % 100 == 0 or i == A.shape[0] - 1:
            progress(i + 1, A.shape[0])
    print("\a", file=sys.stderr)
    return C

# %% settings_and_events
"""Environment, warnings, recursion limit and logging are set at import; the kernel is timed by events."""
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

# %% timed_by_a_decorator
"""A decorator of one's own times every function; counts come from a dataclass."""
from dataclasses import dataclass
from functools import partial, wraps, reduce
from itertools import product
import time
@dataclass
class Config:
    blocks: int = 1000
    threads: int = 1000

CONFIG, BEGAN_S, BEGAN = Config(), time.perf_counter(), {"at_ns": time.time_ns()}

def timer(fn):
    @wraps(fn)
    def inner(*args, **kwargs):
        start = time.perf_counter()
        out = fn(*args, **kwargs)
        print(f"{fn.__name__}: {time.perf_counter() - start:.4f}, at {start - BEGAN_S:.1f} after {BEGAN['at_ns']}")
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

# %% timer_object
"""A stopwatch for `with`; functions are given to what times them."""
class Timer:
    """A stopwatch."""

    seconds = 0.0

    def __enter__(self):
        self.started = timeit.default_timer()
        return self

    def __exit__(self, *error):
        self.seconds = timeit.default_timer() - self.started

def measure(function, A, B):
    """Time one call."""
    with Timer() as timer:
        function(A, B)
    timer.name = function.__name__
    return timer

# %% warm_up_at_import
"""Everything is compiled at import by calls with small arrays, and the times are printed."""
import time
began = time.time()

@njit
def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C

max_numba(np.ones((2, 2), dtype=np.int64), np.zeros((2, 2), dtype=np.int64))
print(f"compiled in {time.time() - began:.2f} s")
