"""Kernels with a data race, as students write them; check mode names array, lines and kind of each."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from numba import cuda, float64, int64

from grader.cuda_cpu import checking

TILE = 8


@dataclass
class Racy:
    kernel: object
    grid: object
    block: object
    arguments: tuple
    array: str
    kind: str
    lines: tuple
    """Texts of the two lines; one text where both accesses are on one line."""
    space: str = "global"
    across_blocks: bool = False
    shared_bytes: int = 0
    also: set = field(default_factory=set)
    """Further races of the same bug, as (array, kind)."""


@cuda.jit
def matmul_without_barrier_before_use(x, c):
    a = cuda.shared.array((TILE, TILE), float64)
    i, j = cuda.threadIdx.y, cuda.threadIdx.x
    total = 0.0
    for k in range(0, x.shape[1], TILE):
        a[i, j] = x[i, k + j]
        for q in range(TILE):
            total += a[i, q] * a[j, q]
        cuda.syncthreads()
    c[i, j] = total


@cuda.jit
def matmul_without_barrier_after_use(x, c):
    a = cuda.shared.array((TILE, TILE), float64)
    i, j = cuda.threadIdx.y, cuda.threadIdx.x
    total = 0.0
    for k in range(0, x.shape[1], TILE):
        a[i, j] = x[i, k + j]
        cuda.syncthreads()
        for q in range(TILE):
            total += a[i, q] * a[j, q]
    c[i, j] = total


@cuda.jit
def reduction_without_barrier_in_the_loop(x, out):
    s = cuda.shared.array(64, float64)
    i = cuda.threadIdx.x
    s[i] = x[i]
    cuda.syncthreads()
    step = 32
    while step > 0:
        if i < step:
            s[i] += s[i + step]
        step //= 2
    if i == 0:
        out[0] = s[0]


@cuda.jit
def reduction_without_barrier_after_loading(x, out):
    s = cuda.shared.array(64, float64)
    i = cuda.threadIdx.x
    s[i] = x[i]
    step = 32
    while step > 0:
        if i < step:
            s[i] += s[i + step]
        cuda.syncthreads()
        step //= 2
    if i == 0:
        out[0] = s[0]


@cuda.jit
def histogram_without_atomic(x, bins):
    i = cuda.grid(1)
    if i < x.size:
        bins[x[i]] += 1


@cuda.jit
def shared_histogram_without_atomic(x, bins):
    local = cuda.shared.array(8, int64)
    i = cuda.threadIdx.x
    if i < 8:
        local[i] = 0
    cuda.syncthreads()
    local[x[i]] += 1
    cuda.syncthreads()
    if i < 8:
        bins[i] = local[i]


@cuda.jit
def stencil_in_place(x):
    i = cuda.grid(1)
    if 0 < i < x.size - 1:
        x[i] = (x[i - 1] + x[i + 1]) / 2


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
def transposition_without_barrier(x, out):
    tile = cuda.shared.array((TILE, TILE), float64)
    i, j = cuda.threadIdx.y, cuda.threadIdx.x
    tile[i, j] = x[i, j]
    out[i, j] = tile[j, i]


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


def ones(*shape):
    return np.ones(shape)


def rising(count):
    return np.arange(float(count))


CASES = [
    Racy(
        matmul_without_barrier_before_use,
        1,
        (TILE, TILE),
        (np.random.default_rng(1).random((TILE, 24)), ones(TILE, TILE)),
        "a",
        "read-write",
        ("a[i, j] = x", "total +="),
        "shared",
    ),
    Racy(
        matmul_without_barrier_after_use,
        1,
        (TILE, TILE),
        (np.random.default_rng(2).random((TILE, 24)), ones(TILE, TILE)),
        "a",
        "read-write",
        ("a[i, j] = x", "total +="),
        "shared",
    ),
    Racy(reduction_without_barrier_in_the_loop, 1, 64, (ones(64), ones(1)), "s", "read-write", ("s[i] +=",), "shared"),
    Racy(
        reduction_without_barrier_after_loading,
        1,
        64,
        (ones(64), ones(1)),
        "s",
        "read-write",
        ("s[i] = x[i]", "s[i] +="),
        "shared",
    ),
    Racy(
        histogram_without_atomic,
        4,
        32,
        (np.arange(128) % 8, np.zeros(8, int)),
        "bins",
        "read-write",
        ("bins[x[i]] += 1",),
        across_blocks=True,
        also={("bins", "write-write")},
    ),
    Racy(
        shared_histogram_without_atomic,
        1,
        64,
        (np.arange(64) % 8, np.zeros(8, int)),
        "local",
        "read-write",
        ("local[x[i]] += 1",),
        "shared",
        also={("local", "write-write")},
    ),
    Racy(stencil_in_place, 2, 32, (rising(64) ** 2,), "x", "read-write", ("x[i] = (",), across_blocks=True),
    Racy(
        neighbour_behind_a_barrier_of_the_block,
        4,
        16,
        (ones(64), ones(64)),
        "x",
        "read-write",
        ("x[i] = i * 2", "out[i] = x[i - 1]"),
        across_blocks=True,
    ),
    Racy(
        sum_into_one_element,
        1,
        32,
        (ones(32), ones(1)),
        "out",
        "read-write",
        ("out[0] += x[i]",),
        also={("out", "write-write")},
    ),
    Racy(
        transposition_without_barrier,
        1,
        (TILE, TILE),
        (rising(64).reshape(8, 8), ones(8, 8)),
        "tile",
        "read-write",
        ("tile[i, j] = x", "out[i, j] = tile"),
        "shared",
    ),
    Racy(
        zero_and_count_in_one_launch,
        2,
        16,
        (ones(32), ones(1)),
        "out",
        "atomic-write",
        ("out[0] = 0", "cuda.atomic.add"),
        across_blocks=True,
    ),
    Racy(
        atomic_sum_read_too_early,
        1,
        32,
        (ones(32), ones(1)),
        "total",
        "atomic-read",
        ("cuda.atomic.add", "out[0] = total"),
        "shared",
    ),
    Racy(
        atomic_maximum_read_without_order,
        2,
        16,
        (rising(32), ones(1), ones(32)),
        "out",
        "atomic-read",
        ("cuda.atomic.max", "seen[i] ="),
        across_blocks=True,
    ),
    Racy(everybody_writes_its_number, 2, 4, (ones(1),), "out", "write-write", ("out[0] = cuda",), across_blocks=True),
    Racy(
        broadcast_without_barrier,
        1,
        32,
        (rising(32), ones(32)),
        "s",
        "read-write",
        ("s[0] = x[5]", "out[i] = s[0]"),
        "shared",
    ),
    Racy(scan_in_place, 1, 64, (ones(64),), "s", "read-write", ("s[i] += s[i - step]",), "shared"),
    Racy(
        warp_sum_without_syncwarp,
        1,
        32,
        (ones(32), ones(8)),
        "s",
        "read-write",
        ("s[i] += s[i + 16]", "out[i] = s[i] + s[i + 8]"),
        "shared",
    ),
    Racy(overlapping_chunks, 1, 4, (ones(16),), "out", "write-write", ("out[k] = i",)),
    Racy(
        exchange_in_a_device_function,
        1,
        32,
        (rising(32),),
        "s",
        "read-write",
        ("left = s[i ^ 1]", "s[i] = left"),
        "shared",
    ),
    Racy(rows_through_slices, 1, 8, (ones(4, 3),), "out", "write-write", ("row[0] = cuda",)),
    Racy(
        dynamic_shared_without_barrier,
        1,
        32,
        (rising(32), ones(32)),
        "s",
        "read-write",
        ("s[i] = x[i]", "out[i] = s["),
        "shared",
        shared_bytes=256,
    ),
    Racy(
        warps_that_only_sync_themselves,
        1,
        64,
        (rising(64), ones(64)),
        "s",
        "read-write",
        ("s[i] = x[i]", "out[i] = s[63 - i]"),
        "shared",
    ),
    Racy(
        blocks_that_only_sync_themselves,
        2,
        8,
        (ones(16), ones(16)),
        "x",
        "read-write",
        ("x[x.size - 1 - i] = out", "out[0] = x[i]"),
        across_blocks=True,
        also={("x", "read-write"), ("out", "write-write"), ("out", "read-write")},
    ),
]


def line_of(text):
    """The only line of this file above the cases that holds the text inside the kernel's source."""
    lines = Path(__file__).read_text().splitlines()
    return {number for number, line in enumerate(lines, 1) if text in line}


@pytest.fixture(params=CASES, ids=lambda case: case.kernel.py_func.__name__)
def checked(request):
    case = request.param
    with checking() as record:
        case.kernel[case.grid, case.block, 0, case.shared_bytes](*case.arguments)
    return case, record


def find(case, record):
    wanted = [line_of(text) for text in case.lines]
    for race in record.races:
        lines = sorted({race.first.line, race.second.line})
        fits = len(lines) == len(wanted) and all(any(line in places for places in wanted) for line in lines)
        if race.array == case.array and race.kind == case.kind and fits:
            return race
    pytest.fail(f"not found among {record.describe()}")


def test_the_race_is_found_with_array_kind_and_both_lines(checked):
    case, record = checked
    race = find(case, record)
    assert race.space == case.space
    assert race.kernel == case.kernel.py_func.__name__
    assert race.across_blocks == case.across_blocks
    assert race.count >= 1
    assert (race.first.block, race.first.thread) != (race.second.block, race.second.thread)
    others = {(other.array, other.kind) for other in record.races} - {(case.array, case.kind)}
    assert others <= case.also
