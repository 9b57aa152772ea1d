"""Products on a GPU, timed on the device: fresh numbers in each block, and a part to hold against what is right."""

import importlib
import time

import gemm
import numpy as np


def time_block(size, seed, rows, columns, calls):
    """Return the seconds of some products of `size` x `size` float32, and a part of the last one."""
    cuda = importlib.import_module("numba.cuda")
    A, B = (cuda.to_device(one) for one in draw(size, seed))
    C = cuda.device_array((size, size), np.float32)
    samples = []
    for _ in range(1 + calls):  # the first one compiles
        cuda.synchronize()
        start = time.perf_counter()
        gemm.gemm(1.0, A, B, 0.0, C)
        cuda.synchronize()
        samples.append(time.perf_counter() - start)
    return {"times_s": samples[1:], "part": C.copy_to_host()[np.ix_(rows, columns)]}


def draw(size, seed):
    """Return A and B."""
    rng = np.random.default_rng(seed)
    return (rng.standard_normal((size, size), dtype=np.float32) for _ in range(2))
