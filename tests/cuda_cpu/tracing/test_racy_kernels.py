"""Kernels with a data race, as students write them; check mode names array, lines and kind of each."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
import racy_kernels as racy
from racy_kernels import TILE

from grader.cuda_cpu import checking


@dataclass
class Racy:
    kernel: object
    grid: object
    block: object
    arguments: tuple
    array: str
    lines: tuple
    """Texts of the two lines; one text where both accesses are on one line."""
    where: str = "shared"
    """In shared memory; or in global memory, between threads of one block, or of several blocks."""
    kind: str = "read-write"
    shared_bytes: int = 0
    also: set = field(default_factory=set)
    """Further races of the same bug, as (array, kind)."""


def ones(*shape):
    return np.ones(shape)


def rising(count):
    return np.arange(float(count))


CASES = [
    Racy(
        racy.matmul_without_barrier_before_use,
        1,
        (TILE, TILE),
        (np.random.default_rng(1).random((TILE, 24)), ones(TILE, TILE)),
        "a",
        ("a[i, j] = x", "total +="),
    ),
    Racy(
        racy.matmul_without_barrier_after_use,
        1,
        (TILE, TILE),
        (np.random.default_rng(2).random((TILE, 24)), ones(TILE, TILE)),
        "a",
        ("a[i, j] = x", "total +="),
    ),
    Racy(racy.reduction_without_barrier_in_the_loop, 1, 64, (ones(64), ones(1)), "s", ("s[i] +=",)),
    Racy(racy.reduction_without_barrier_after_loading, 1, 64, (ones(64), ones(1)), "s", ("s[i] = x[i]", "s[i] +=")),
    Racy(
        racy.histogram_without_atomic,
        4,
        32,
        (np.arange(128) % 8, np.zeros(8, int)),
        "bins",
        ("bins[x[i]] += 1",),
        "blocks",
        also={("bins", "write-write")},
    ),
    Racy(
        racy.shared_histogram_without_atomic,
        1,
        64,
        (np.arange(64) % 8, np.zeros(8, int)),
        "local",
        ("local[x[i]] += 1",),
        also={("local", "write-write")},
    ),
    Racy(racy.stencil_in_place, 2, 32, (rising(64) ** 2,), "x", ("x[i] = (",), "blocks"),
    Racy(
        racy.neighbour_behind_a_barrier_of_the_block,
        4,
        16,
        (ones(64), ones(64)),
        "x",
        ("x[i] = i * 2", "out[i] = x[i - 1]"),
        "blocks",
    ),
    Racy(
        racy.sum_into_one_element,
        1,
        32,
        (ones(32), ones(1)),
        "out",
        ("out[0] += x[i]",),
        "global",
        also={("out", "write-write")},
    ),
    Racy(
        racy.transposition_without_barrier,
        1,
        (TILE, TILE),
        (rising(64).reshape(8, 8), ones(8, 8)),
        "tile",
        ("tile[i, j] = x", "out[i, j] = tile"),
    ),
    Racy(
        racy.zero_and_count_in_one_launch,
        2,
        16,
        (ones(32), ones(1)),
        "out",
        ("out[0] = 0", "cuda.atomic.add"),
        "blocks",
        kind="atomic-write",
    ),
    Racy(
        racy.atomic_sum_read_too_early,
        1,
        32,
        (ones(32), ones(1)),
        "total",
        ("cuda.atomic.add", "out[0] = total"),
        kind="atomic-read",
    ),
    Racy(
        racy.atomic_maximum_read_without_order,
        2,
        16,
        (rising(32), ones(1), ones(32)),
        "out",
        ("cuda.atomic.max", "seen[i] ="),
        "blocks",
        kind="atomic-read",
    ),
    Racy(racy.everybody_writes_its_number, 2, 4, (ones(1),), "out", ("out[0] = cuda",), "blocks", kind="write-write"),
    Racy(racy.broadcast_without_barrier, 1, 32, (rising(32), ones(32)), "s", ("s[0] = x[5]", "out[i] = s[0]")),
    Racy(racy.scan_in_place, 1, 64, (ones(64),), "s", ("s[i] += s[i - step]",)),
    Racy(
        racy.warp_sum_without_syncwarp,
        1,
        32,
        (ones(32), ones(8)),
        "s",
        ("s[i] += s[i + 16]", "out[i] = s[i] + s[i + 8]"),
    ),
    Racy(racy.overlapping_chunks, 1, 4, (ones(16),), "out", ("out[k] = i",), "global", kind="write-write"),
    Racy(racy.exchange_in_a_device_function, 1, 32, (rising(32),), "s", ("left = s[i ^ 1]", "s[i] = left")),
    Racy(racy.rows_through_slices, 1, 8, (ones(4, 3),), "out", ("row[0] = cuda",), "global", kind="write-write"),
    Racy(
        racy.dynamic_shared_without_barrier,
        1,
        32,
        (rising(32), ones(32)),
        "s",
        ("s[i] = x[i]", "out[i] = s["),
        shared_bytes=256,
    ),
    Racy(
        racy.warps_that_only_sync_themselves, 1, 64, (rising(64), ones(64)), "s", ("s[i] = x[i]", "out[i] = s[63 - i]")
    ),
    Racy(
        racy.blocks_that_only_sync_themselves,
        2,
        8,
        (ones(16), ones(16)),
        "x",
        ("x[x.size - 1 - i] = out", "out[0] = x[i]"),
        "blocks",
        also={("x", "read-write"), ("out", "write-write"), ("out", "read-write")},
    ),
]


def lines_with(text):
    lines = Path(racy.__file__).read_text().splitlines()
    return {number for number, line in enumerate(lines, 1) if text in line}


@pytest.fixture(params=CASES, ids=lambda case: case.kernel.py_func.__name__)
def checked(request):
    case = request.param
    with checking() as record:
        case.kernel[case.grid, case.block, 0, case.shared_bytes](*case.arguments)
    return case, record


def find(case, record):
    wanted = [lines_with(text) for text in case.lines]
    for race in record.races:
        lines = sorted({race.first.line, race.second.line})
        fits = len(lines) == len(wanted) and all(any(line in places for places in wanted) for line in lines)
        if race.array == case.array and race.kind == case.kind and fits:
            return race
    pytest.fail(f"not found among {record.describe()}")


def test_the_race_is_found_with_array_kind_and_both_lines(checked):
    case, record = checked
    race = find(case, record)
    assert race.space == ("shared" if case.where == "shared" else "global")
    assert race.kernel == case.kernel.py_func.__name__
    assert race.across_blocks == (case.where == "blocks")
    assert race.count >= 1
    assert (race.first.block, race.first.thread) != (race.second.block, race.second.thread)
    others = {(other.array, other.kind) for other in record.races} - {(case.array, case.kind)}
    assert others <= case.also
