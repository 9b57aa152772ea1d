"""Kernels with a data race, as students write them; check mode names array, lines and kind of each."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
import racy_kernels as racy
from racy_kernels import TILE
from rows import each

from grader.cuda_cpu import checking


@dataclass
class Racy:
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


DRAWN = np.random.default_rng(1).random((TILE, 24))
SQUARE = (TILE, TILE)
BINS = np.zeros(8, int)
OF_BLOCKS = {("x", "read-write"), ("out", "write-write"), ("out", "read-write")}
CASES = {
    "matmul_without_barrier_before_use": Racy(1, SQUARE, (DRAWN, ones(*SQUARE)), "a", ("a[i, j] = x", "total +=")),
    "matmul_without_barrier_after_use": Racy(1, SQUARE, (DRAWN, ones(*SQUARE)), "a", ("a[i, j] = x", "total +=")),
    "reduction_without_barrier_in_the_loop": Racy(1, 64, (ones(64), ones(1)), "s", ("s[i] +=",)),
    "reduction_without_barrier_after_loading": Racy(1, 64, (ones(64), ones(1)), "s", ("s[i] = x[cuda", "s[i] +=")),
    "histogram_without_atomic": Racy(
        4, 32, (np.arange(128) % 8, BINS), "bins", ("bins[x[i]] += 1",), "blocks", also={("bins", "write-write")}
    ),
    "shared_histogram_without_atomic": Racy(
        1, 64, (np.arange(64) % 8, BINS), "local", ("cuda.atomic.add(local",), also={("local", "write-write")}
    ),
    "stencil_in_place": Racy(2, 32, (rising(64) ** 2, ones(64)), "x", ("y[i] = (",), "blocks"),
    "neighbour_behind_a_barrier_of_the_block": Racy(
        4, 16, (ones(64), ones(64)), "x", ("x[i] = i * 2", "out[i] = x[i - 1]"), "blocks"
    ),
    "sum_into_one_element": Racy(
        1, 32, (ones(32), ones(1)), "out", ("out[0] += x[i]",), "global", also={("out", "write-write")}
    ),
    "transposition_without_barrier": Racy(
        1, SQUARE, (DRAWN, ones(*SQUARE)), "tile", ("tile[i, j] = x", "out[i, j] = tile")
    ),
    "transposition_with_a_fence": Racy(
        1, SQUARE, (DRAWN, ones(*SQUARE)), "tile", ("tile[i, j] = x", "out[i, j] = tile")
    ),
    "zero_and_count_in_one_launch": Racy(
        2, 16, (ones(32), ones(1)), "out", ("out[0] = 0", "cuda.atomic.add"), "blocks", kind="atomic-write"
    ),
    "atomic_sum_read_too_early": Racy(
        1, 32, (ones(32), ones(1)), "total", ("cuda.atomic.add", "out[0] = total"), kind="atomic-read"
    ),
    "atomic_maximum_read_without_order": Racy(
        2, 16, (rising(32), ones(1), ones(32)), "out", ("cuda.atomic.max", "seen[i] ="), "blocks", kind="atomic-read"
    ),
    "everybody_writes_its_number": Racy(2, 4, (ones(1),), "out", ("out[0] = cuda",), "blocks", kind="write-write"),
    "broadcast_without_barrier": Racy(1, 32, (rising(32), ones(32)), "s", ("s[0] = x[5]", "out[i] = s[0]")),
    "scan_in_place": Racy(1, 64, (ones(64),), "s", ("s[i] += s[i - step]",)),
    "warp_sum_without_syncwarp": Racy(1, 32, (ones(32), ones(8)), "s", ("s[i] += s[i + 16]", "out[i] = s[i] + s")),
    "overlapping_chunks": Racy(1, 4, (ones(16),), "out", ("out[k] = i",), "global", kind="write-write"),
    "exchange_in_a_device_function": Racy(1, 32, (rising(32),), "s", ("left = s[i ^ 1]", "s[i] = left")),
    "rows_through_slices": Racy(1, 8, (ones(4, 3),), "out", ("row[0] = cuda",), "global", kind="write-write"),
    "dynamic_shared_without_barrier": Racy(
        1, 32, (rising(32), ones(32)), "s", ("s[i] = x[i]", "out[i] = s["), shared_bytes=256
    ),
    "warps_that_only_sync_themselves": Racy(1, 64, (rising(64), ones(64)), "s", ("s[i] = x[i]", "out[i] = s[63 - i]")),
    "blocks_that_only_sync_themselves": Racy(
        2, 8, (ones(16), ones(16)), "x", ("x[x.size - 1 - i] = out", "out[0] = x[i]"), "blocks", also=OF_BLOCKS
    ),
    "one_block_adds_to_what_another_reads": Racy(2, 1, (ones(1), ones(1)), "x", ("out[0] = x[0]", "x[0] +="), "blocks"),
}
"""Name of the kernel -> its launch, and the race that is found in it."""


def find(case, record):
    source = [*enumerate(Path(racy.__file__).read_text().splitlines(), 1)]
    wanted = [{number for number, line in source if text in line} for text in case.lines]
    for race in record.races:
        lines = sorted({race.first.line, race.second.line})
        fits = len(lines) == len(wanted) and all(any(line in places for places in wanted) for line in lines)
        if race.array == case.array and race.kind == case.kind and fits:
            return race
    pytest.fail(f"not found among {record.describe()}")


@each("name", [*CASES])
def test_the_race_is_found_with_array_kind_and_both_lines(name):
    case = CASES[name]
    kernels = vars(racy) | {kernel.__name__: kernel for kernel in racy.CHANGED}
    with checking() as record:
        kernels[name][case.grid, case.block, 0, case.shared_bytes](*case.arguments)
    race = find(case, record)
    assert race.space == ("shared" if case.where == "shared" else "global")
    assert race.kernel == name
    assert race.across_blocks == (case.where == "blocks")
    assert race.count >= 1
    assert (race.first.block, race.first.thread) != (race.second.block, race.second.thread)
    assert {(other.array, other.kind) for other in record.races} <= {(case.array, case.kind), *case.also}
