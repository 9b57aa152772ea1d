"""Kernels of the executor beside the same loops in `njit`, and on several cores: part of `make bench-executor`.

The loops do what the kernels do, block by block and thread by thread, with an array in the place of shared memory, so
that a ratio says what threads, barriers and shared memory cost, and not what another algorithm would gain.
"""

import math
import os
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from executor_kernels import block_sum_kernel, max_kernel, softmax_kernel, tiles_kernel
from numba import njit

SIDE: Final = 1000
TILES_SHAPE: Final = (1024, 256)
TILE: Final = 16
SUM_BLOCKS: Final = 20_000
SUM_THREADS: Final = 256
SOFTMAX_SHAPE: Final = (4000, 1000)
REPEATS: Final = 7


@njit
def max_loops(a: Any, b: Any, out: Any) -> None:
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = max(a[i, j], b[i, j])


@njit
def tiles_loops(x: Any, out: Any) -> None:  # noqa: C901 - a loop for each index of a launch
    """Compute X @ X.T block by block, as `tiles_kernel` does."""
    n, m = x.shape
    left = np.empty((TILE, TILE))
    right = np.empty((TILE, TILE))
    totals = np.empty((TILE, TILE))
    for row in range(0, n, TILE):
        for column in range(0, n, TILE):
            totals[:] = 0.0
            for start in range(0, m, TILE):
                for ty in range(TILE):
                    for tx in range(TILE):
                        left[ty, tx] = x[row + ty, start + tx]
                        right[ty, tx] = x[column + tx, start + ty]
                for ty in range(TILE):
                    for tx in range(TILE):
                        total = totals[ty, tx]
                        for k in range(TILE):
                            total += left[ty, k] * right[k, tx]
                        totals[ty, tx] = total
            for ty in range(TILE):
                for tx in range(TILE):
                    out[row + ty, column + tx] = totals[ty, tx]


@njit
def block_sum_loops(x: Any, sums: Any) -> None:
    """Add up each block's numbers in halves, as `block_sum_kernel` does."""
    part = np.empty(SUM_THREADS)
    for block in range(sums.size):
        for t in range(SUM_THREADS):
            part[t] = x[block * SUM_THREADS + t]
        half = SUM_THREADS // 2
        while half:
            for t in range(half):
                part[t] += part[t + half]
            half //= 2
        sums[block] = part[0]


@njit
def softmax_loops(x: Any, out: Any) -> None:  # noqa: C901 - a loop for each step of a block
    """Compute the softmax of each row as `softmax_kernel` does, with as many partial results as it has threads."""
    part = np.empty(SUM_THREADS)
    for row in range(x.shape[0]):
        for t in range(SUM_THREADS):
            largest = x[row, 0]
            for j in range(t, x.shape[1], SUM_THREADS):
                largest = max(largest, x[row, j])
            part[t] = largest
        half = SUM_THREADS // 2
        while half:
            for t in range(half):
                part[t] = max(part[t], part[t + half])
            half //= 2
        largest = part[0]
        for t in range(SUM_THREADS):
            total = 0.0
            for j in range(t, x.shape[1], SUM_THREADS):
                out[row, j] = math.exp(x[row, j] - largest)
                total += out[row, j]
            part[t] = total
        half = SUM_THREADS // 2
        while half:
            for t in range(half):
                part[t] += part[t + half]
            half //= 2
        for t in range(SUM_THREADS):
            for j in range(t, x.shape[1], SUM_THREADS):
                out[row, j] /= part[0]


def measure(most_cores: int) -> dict[str, dict[str, float]]:
    """Return for each kernel how many times as long it takes as loops in `njit`, and as fast it is on all cores.

    Kernel and loops take turns; the least of `REPEATS` counts. `njit_s`, `executor_s` and `first_s`, the first launch
    with compilation, are seconds of processor time on one core.
    """
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 256, (2, SIDE, SIDE))
    x = rng.random(TILES_SHAPE)
    numbers = rng.random(SUM_BLOCKS * SUM_THREADS)
    square = np.zeros((TILES_SHAPE[0], TILES_SHAPE[0]))
    rows = rng.random(SOFTMAX_SHAPE)
    blocks = TILES_SHAPE[0] // TILE
    return {
        "maximum": _compare(max_loops, max_kernel[SIDE, SIDE], (a, b), np.zeros_like(a), most_cores),
        "tiles": _compare(tiles_loops, tiles_kernel[(blocks, blocks), (TILE, TILE)], (x,), square, most_cores),
        "reduction": _compare(
            block_sum_loops, block_sum_kernel[SUM_BLOCKS, SUM_THREADS], (numbers,), np.zeros(SUM_BLOCKS), most_cores
        ),
        "softmax": _compare(
            softmax_loops, softmax_kernel[SOFTMAX_SHAPE[0], SUM_THREADS], (rows,), np.zeros_like(rows), most_cores
        ),
    }


def _compare(
    loops: Callable[..., None], kernel: Callable[..., None], given: tuple[Any, ...], out: Any, most_cores: int
) -> dict[str, float]:
    wall: dict[str, list[float]] = {"njit": [], "executor": [], "all": []}
    processor: dict[str, list[float]] = {"njit": [], "executor": [], "all": []}  # on one core: neighbours do not count
    right = out
    for _ in range(1 + REPEATS):  # the first compiles
        for name, call, cores in (("njit", loops, 1), ("executor", kernel, 1), ("all", kernel, most_cores)):
            os.environ["CUDA_CPU_CORES"] = str(cores)
            out[:] = 0
            began = time.perf_counter(), time.process_time()
            call(*given, out)
            wall[name].append(time.perf_counter() - began[0])
            processor[name].append(time.process_time() - began[1])
            right = out.copy() if name == "njit" else right
            assert np.allclose(out, right)
    njit_s, executor_s = (min(processor[name][1:]) for name in ("njit", "executor"))
    return {
        "vs_njit": executor_s / njit_s,
        "njit_s": njit_s,
        "executor_s": executor_s,
        "first_s": processor["executor"][0],
        "times_as_fast": min(wall["executor"][1:]) / min(wall["all"][1:]),
    }
