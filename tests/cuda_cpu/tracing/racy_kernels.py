"""Kernels with a data race each, as students write them, and right ones beside; `test_racy_kernels` tells the races."""

import inspect
from pathlib import Path

from numba import cuda, float64, int64

TILE = 8


@cuda.jit
def tiled_matmul(x, c):
    a = cuda.shared.array((TILE, TILE), float64)
    i, j = cuda.threadIdx.y, cuda.threadIdx.x
    total = 0.0
    for k in range(0, x.shape[1], TILE):
        a[i, j] = x[i, k + j]
        cuda.syncthreads()
        for q in range(TILE):
            total += a[i, q] * a[j, q]
        cuda.syncthreads()
    c[i, j] = total


@cuda.jit
def tree_reduction(x, out):
    s = cuda.shared.array(64, float64)
    i = cuda.threadIdx.x
    s[i] = x[cuda.grid(1)]
    cuda.syncthreads()
    step = 32
    while step > 0:
        if i < step:
            s[i] += s[i + step]
        cuda.syncthreads()
        step //= 2
    if i == 0:
        cuda.atomic.add(out, 0, s[0])


@cuda.jit
def histogram(x, bins):
    local = cuda.shared.array(8, int64)
    i = cuda.threadIdx.x
    if i < 8:
        local[i] = 0
    cuda.syncthreads()
    cuda.atomic.add(local, x[cuda.grid(1)], 1)
    cuda.syncthreads()
    if i < 8:
        cuda.atomic.add(bins, i, local[i])


@cuda.jit
def stencil(x, y):
    i = cuda.grid(1)
    if 0 < i < x.size - 1:
        y[i] = (x[i - 1] + x[i + 1]) / 2


@cuda.jit
def transposition(x, out):
    tile = cuda.shared.array((TILE, 9), float64)
    i, j = cuda.threadIdx.y, cuda.threadIdx.x
    tile[i, j] = x[i, j]
    cuda.syncthreads()
    out[i, j] = tile[j, i]


def changed(kernel, name, old="cuda.syncthreads()", new="pass", place=0):
    """Return a kernel of another name on the same lines, with `new` in the place of one `old`."""
    code = kernel.py_func.__code__
    lines = Path(code.co_filename).read_text().splitlines(keepends=True)[code.co_firstlineno :]
    parts = "".join(inspect.getblock(lines)).replace(f"def {kernel.__name__}(", f"def {name}(").split(old)
    text = f"{old.join(parts[: place + 1])}{new}{old.join(parts[place + 1 :])}"
    scope = {**globals()}
    exec(compile("\n" * code.co_firstlineno + text, code.co_filename, "exec"), scope)
    return cuda.jit(scope[name])


CHANGED = [
    changed(tiled_matmul, "matmul_without_barrier_before_use"),
    changed(tiled_matmul, "matmul_without_barrier_after_use", place=1),
    changed(tree_reduction, "reduction_without_barrier_after_loading"),
    changed(tree_reduction, "reduction_without_barrier_in_the_loop", place=1),
    changed(stencil, "stencil_in_place", "y[i]", "x[i]"),
    changed(transposition, "transposition_without_barrier"),
    changed(transposition, "transposition_with_a_fence", new="cuda.threadfence()"),
    changed(
        histogram, "shared_histogram_without_atomic", "cuda.atomic.add(local, x[cuda.grid(1)], 1)", "local[x[i]] += 1"
    ),
]


@cuda.jit
def histogram_without_atomic(x, bins):
    i = cuda.grid(1)
    if i < x.size:
        bins[x[i]] += 1


@cuda.jit
def neighbour_behind_a_barrier_of_the_block(x, out):
    i = cuda.grid(1)
    x[i] = i * 2.0
    cuda.syncthreads()
    if i > 0:
        out[i] = x[i - 1]


@cuda.jit
def sum_into_one_element(x, out):
    i = cuda.grid(1)
    out[0] += x[i]


@cuda.jit
def zero_and_count_in_one_launch(x, out):
    i = cuda.grid(1)
    if i == 0:
        out[0] = 0
    cuda.atomic.add(out, 0, x[i])


@cuda.jit
def atomic_sum_read_too_early(x, out):
    total = cuda.shared.array(1, float64)
    i = cuda.threadIdx.x
    if i == 0:
        total[0] = 0
    cuda.syncthreads()
    cuda.atomic.add(total, 0, x[i])
    if i == 0:
        out[0] = total[0]


@cuda.jit
def atomic_maximum_read_without_order(x, out, seen):
    i = cuda.grid(1)
    cuda.atomic.max(out, 0, x[i])
    seen[i] = out[0]


@cuda.jit
def everybody_writes_its_number(out):
    out[0] = cuda.grid(1)


@cuda.jit
def broadcast_without_barrier(x, out):
    s = cuda.shared.array(1, float64)
    i = cuda.threadIdx.x
    if i == 5:
        s[0] = x[5]
    out[i] = s[0]


@cuda.jit
def scan_in_place(x):
    s = cuda.shared.array(64, float64)
    i = cuda.threadIdx.x
    s[i] = x[i]
    cuda.syncthreads()
    step = 1
    while step < 64:
        if i >= step:
            s[i] += s[i - step]
        cuda.syncthreads()
        step *= 2
    x[i] = s[i]


@cuda.jit
def warp_sum_without_syncwarp(x, out):
    s = cuda.shared.array(32, float64)
    i = cuda.threadIdx.x
    s[i] = x[i]
    cuda.syncwarp()
    if i < 16:
        s[i] += s[i + 16]
    if i < 8:
        out[i] = s[i] + s[i + 8]


@cuda.jit
def overlapping_chunks(out):
    i = cuda.grid(1)
    for k in range(i * 4, min(i * 4 + 5, out.size)):
        out[k] = i


@cuda.jit(device=True)
def swap_neighbours(s, i):
    left = s[i ^ 1]
    s[i] = left


@cuda.jit
def exchange_in_a_device_function(x):
    s = cuda.shared.array(32, float64)
    i = cuda.threadIdx.x
    s[i] = x[i]
    cuda.syncthreads()
    swap_neighbours(s, i)
    cuda.syncthreads()
    x[i] = s[i]


@cuda.jit
def rows_through_slices(out):
    row = out[cuda.threadIdx.x // 2]
    row[0] = cuda.threadIdx.x


@cuda.jit
def dynamic_shared_without_barrier(x, out):
    s = cuda.shared.array(0, float64)
    i = cuda.threadIdx.x
    s[i] = x[i]
    out[i] = s[cuda.blockDim.x - 1 - i]


@cuda.jit
def warps_that_only_sync_themselves(x, out):
    s = cuda.shared.array(64, float64)
    i = cuda.threadIdx.x
    s[i] = x[i]
    cuda.syncwarp()
    out[i] = s[63 - i]


@cuda.jit
def blocks_that_only_sync_themselves(x, out):
    i = cuda.grid(1)
    x[i] = i
    cuda.cg.this_grid().sync()
    out[i] = x[x.size - 1 - i]
    cuda.syncthreads()
    x[x.size - 1 - i] = out[i] + 1
    out[0] = x[i]


@cuda.jit
def one_block_adds_to_what_another_reads(x, out):
    if cuda.blockIdx.x == 0:
        out[0] = x[0]
    else:
        x[0] += 1
