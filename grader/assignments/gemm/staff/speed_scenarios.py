"""Products on a GPU, timed on the device: fresh numbers in each block, and a part of each product to compare."""

import importlib
import time

import gemm
import numpy as np


def time_block(size, seed, order, rows, columns):
    """Return the seconds of products of `size` x `size` float32, and a part of each.

    `order` says which two of three matrices are multiplied, never the same two again: a submission gains nothing if it
    keeps an earlier product. The first product compiles, and is not among the seconds.
    """
    cuda = importlib.import_module("numba.cuda")
    arrays = [cuda.to_device(matrix) for matrix in draw(size, seed)]
    C = cuda.to_device(np.zeros((size, size), np.float32))  # no old numbers: another check tells if C is read
    samples, parts = [], []
    for left, right in order:
        cuda.synchronize()
        start = time.perf_counter()
        gemm.gemm(1.0, arrays[left], arrays[right], 0.0, C)
        cuda.synchronize()
        samples.append(time.perf_counter() - start)
        parts.append(C.copy_to_host()[np.ix_(rows, columns)])
    return {"times_s": samples[1:], "parts": parts}


def draw(size, seed):
    """Return three matrices."""
    rng = np.random.default_rng(seed)
    return [rng.standard_normal((size, size), dtype=np.float32) for _ in range(3)]
