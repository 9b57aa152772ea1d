"""Kernels without a data race; check mode must stay silent, or an honest student is accused."""

import numpy as np
import pytest
from cuda_cpu.written import LOCKED, WARP_SUM, kernel_of
from numba import cuda, float64, int32
from racy_kernels import TILE, histogram, stencil, tiled_matmul, transposition, tree_reduction
from rows import each

from grader.cuda_cpu import checking

pytestmark = pytest.mark.wide


@cuda.jit
def scan_with_two_buffers(x):
    s = cuda.shared.array((2, 64), float64)
    i = cuda.threadIdx.x
    here = 0
    s[here, i] = x[i]
    cuda.syncthreads()
    step = 1
    while step < 64:
        s[1 - here, i] = s[here, i] + (s[here, i - step] if i >= step else 0.0)
        here = 1 - here
        cuda.syncthreads()
        step *= 2
    x[i] = s[here, i]


@cuda.jit
def last_block_adds_up(x, partial, count, out):
    last = cuda.shared.array(1, int32)
    block = cuda.blockIdx.x
    if cuda.threadIdx.x == 0:
        partial[block] = x[block]
        cuda.threadfence()
        last[0] = cuda.atomic.add(count, 0, 1) == cuda.gridDim.x - 1
    cuda.syncthreads()
    if last[0] and cuda.threadIdx.x == 1:
        total = 0.0
        for k in range(cuda.gridDim.x):
            total += partial[k]
        out[0] = total


@cuda.jit
def warp_sum_with_syncwarp(x, out):
    s = cuda.shared.array(32, float64)
    i = cuda.threadIdx.x
    s[i] = x[i]
    cuda.syncwarp()
    step = 16
    while step > 0:
        mine = s[i] + s[(i + step) % 32]
        cuda.syncwarp()
        s[i] = mine
        cuda.syncwarp()
        step //= 2
    if i == 0:
        out[0] = s[0]


@cuda.jit
def local_scratch(x, out):
    scratch = cuda.local.array(4, float64)
    i = cuda.grid(1)
    for k in range(4):
        scratch[k] = x[i] + k
    out[i] = scratch[0] + scratch[3]


@cuda.jit(device=True)
def square(x, i):
    return x[i] * x[i]


@cuda.jit
def one_dynamic_buffer_for_two(x, out):
    s = cuda.shared.array(0, float64)
    i = cuda.threadIdx.x
    n = cuda.blockDim.x
    left, right = s[:n], s[n:]
    left[i] = x[i]
    right[i] = -x[i]
    cuda.syncthreads()
    out[i] = left[n - 1 - i] + right[n - 1 - i]


def ones(*shape):
    return np.ones(shape)


def device_halves():
    whole = cuda.device_array(64, np.float64)
    return whole[:32], whole[32:]


XY = np.dtype([("x", np.int32), ("y", np.int32)])
MAXIMUM = kernel_of("a, b, c", "i, j = cuda.blockIdx.x, cuda.threadIdx.x\nc[i, j] = max(a[i, j], b[i, j])")
GRID_STRIDE = kernel_of("x, y", "for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):\n    y[i] += 2 * x[i]")
BYTES_NEXT_TO_EACH_OTHER = kernel_of("out", "out[cuda.grid(1)] = cuda.grid(1)")
HALVES_OF_ONE_ARRAY = kernel_of("low, high", "i = cuda.grid(1)\nlow[i] = i\nhigh[i] = low[i]")
FIELDS = "i = cuda.grid(1)\nif i % 2:\n    records[i // 2].x = i\nelse:\n    records[i // 2].y = i"
GRID_SYNC = "cuda.cg.this_grid().sync()"
BEHIND_IT = f"x[i] = i\n{GRID_SYNC}\nout[i] = x[x.size - 1 - i]\n{GRID_SYNC}\nx[x.size - 1 - i] = out[i]"
REVERSED = "s[3 - i] = x[cuda.grid(1)]\ncuda.syncthreads()\nout[cuda.grid(1)] = s[i]"
OF_THE_NEXT_BLOCK = kernel_of("x, out", f"s = cuda.shared.array(4, np.float64)\ni = cuda.threadIdx.x\n{REVERSED}")
SQUARES = kernel_of("x, out", "i = cuda.grid(1)\nout[i] = square(x, 0) + square(x, i)", names={"square": square})
EVERYBODY_READS_ONE_ELEMENT = kernel_of("x, out", "out[cuda.grid(1)] = x[0] + x[-1]")
A_LOCK = kernel_of("x, lock, out", LOCKED.format("x[cuda.grid(1)]"))
SUM_OF_WARPS = kernel_of("x, out", f"{WARP_SUM}if cuda.laneid == 0:\n    cuda.atomic.add(out, 0, value)")
CASES = [
    (MAXIMUM, 16, 32, lambda: (ones(16, 32), ones(16, 32), ones(16, 32)), 0),
    (GRID_STRIDE, 2, 16, lambda: (ones(100), ones(100)), 0),
    (tiled_matmul, 1, (TILE, TILE), lambda: (ones(TILE, 24), ones(TILE, TILE)), 0),
    (tree_reduction, 3, 64, lambda: (ones(192), ones(1)), 0),
    (histogram, 3, 64, lambda: (np.arange(192) % 8, np.zeros(8, int)), 0),
    (stencil, 2, 32, lambda: (ones(64), ones(64)), 0),
    (scan_with_two_buffers, 1, 64, lambda: (ones(64),), 0),
    (transposition, 1, (TILE, TILE), lambda: (ones(8, 8), ones(8, 8)), 0),
    (last_block_adds_up, 8, 32, lambda: (ones(8), ones(8), np.zeros(1, np.int32), ones(1)), 0),
    (A_LOCK, 4, 8, lambda: (ones(32), np.zeros(1, np.int32), ones(1)), 0),
    (warp_sum_with_syncwarp, 1, 32, lambda: (ones(32), ones(1)), 0),
    (SUM_OF_WARPS, 2, 64, lambda: (ones(128), ones(1)), 0),
    (BYTES_NEXT_TO_EACH_OTHER, 4, 16, lambda: (np.zeros(64, np.uint8),), 0),
    (HALVES_OF_ONE_ARRAY, 2, 16, device_halves, 0),
    (kernel_of("records", FIELDS), 2, 16, lambda: (np.zeros(16, XY),), 0),
    (local_scratch, 2, 32, lambda: (ones(64), ones(64)), 0),
    (kernel_of("x, out", f"i = cuda.grid(1)\n{BEHIND_IT}"), 4, 16, lambda: (ones(64), ones(64)), 0),
    (SQUARES, 2, 32, lambda: (ones(64), ones(64)), 0),
    (one_dynamic_buffer_for_two, 1, 16, lambda: (ones(16), cuda.device_array(16)), 256),
    (OF_THE_NEXT_BLOCK, 4, 4, lambda: (ones(16), ones(16)), 0),
    (EVERYBODY_READS_ONE_ELEMENT, 4, 16, lambda: (ones(64), ones(64)), 0),
]


@each("kernel, grid, block, make_arguments, shared_bytes", CASES)
def test_nothing_is_reported(kernel, grid, block, make_arguments, shared_bytes):
    with checking() as record:
        kernel[grid, block, 0, shared_bytes](*make_arguments())
    assert (record.describe(), record.launches) == ([], 1)
    assert not record.notes


def test_launches_never_race_with_each_other():
    x = cuda.to_device(np.zeros(64))
    with checking() as record:
        for _ in range(3):
            local_scratch[2, 32](x, x)
            stencil[2, 32](x, cuda.device_array(64))
    assert record.launches == 6
    assert not record.describe()
