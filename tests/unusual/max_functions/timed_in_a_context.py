"""A Timer as a context keeps its times; pids, types and sizes are printed; a profile decorator falls back.

slow: its neighbours of the same kind are in the fast set
"""

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
