"""Kernels whose requests can be counted by hand."""

import dataclasses
import json
from pathlib import Path

import numpy as np
from cuda_cpu.written import WARP_SUM, kernel_of
from numba import cuda, float32
from rows import each

from grader.cuda_cpu import counting
from grader.cuda_cpu.tracing import trace


def count(kernel, grid, block, *arguments, shared_bytes=0):
    with counting() as record:
        kernel[grid, block, 0, shared_bytes](*arguments)
    [costs] = record.launches
    assert not record.notes
    return costs


def place(costs, kind, array=""):
    [found] = [one for one in costs.places if (one.kind, one.array) == (kind, array)]
    return found


@cuda.jit
def copy(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i]


COPY_WITH_STRIDE = kernel_of("x, y, stride", "i = cuda.grid(1)\ny[i] = x[i * stride]")


COLUMNS = "i, total = cuda.grid(1), 0.0\nfor j in range(x.shape[1]):\n    total += x[i, j]\nout[i] = total"
READ_BY_COLUMNS = kernel_of("x, out", COLUMNS)
WITH_STRIDE = "s = cuda.shared.array(1024, np.int32)\ni = cuda.threadIdx.x\ns[i * stride] = i\nout[i] = s[0]"
SHARED_WITH_STRIDE = kernel_of("out, stride", WITH_STRIDE)
LOADS = "i, total = cuda.threadIdx.x, 0.0\nfor _ in range(rounds):\n    total += x[i]\nout[i] = total"
MANY_LOADS = kernel_of("x, out, rounds", LOADS)


def transposition(width):
    @cuda.jit
    def kernel(x, y):
        tile = cuda.shared.array((32, width), float32)
        i, j = cuda.threadIdx.y, cuda.threadIdx.x
        tile[i, j] = x[i, j]
        cuda.syncthreads()
        y[i, j] = tile[j, i]

    return kernel


SHARED = "s = cuda.shared.array(64, np.{})\ni = cuda.threadIdx.x\ns[i] = i\nout[i] = s[i]"
ODD_AND_EVEN = kernel_of("x", "i = cuda.grid(1)\nif i % 2:\n    x[i] = 1\nelse:\n    x[i] = 2")
HALVES_OF_THE_BLOCK = kernel_of("x", "i = cuda.threadIdx.x\nif i < 32:\n    x[i] = 1\nelse:\n    x[i] = 2")
LOOP_OF_ITS_OWN_LENGTH = kernel_of("x", "i, k = cuda.grid(1), 0\nwhile k < i % 4:\n    x[i] += 1\n    k += 1")
BARRIERS = "for _ in range(3):\n    cuda.syncthreads()\n"
THREE_BARRIERS = kernel_of("x", f"{BARRIERS}if cuda.threadIdx.x == 0:\n    x[cuda.blockIdx.x] = 1")


def test_neighbouring_threads_that_load_neighbouring_elements_are_coalesced():
    costs = count(copy, 4, 64, np.zeros(250, np.float32), np.zeros(250, np.float32))
    load = place(costs, "load", "x")
    assert (load.accesses, load.requests, load.lanes) == (250, 8, 250)
    assert (load.sectors, load.least_sectors, load.coalesced) == (32, 32, 8)
    assert (load.lines, load.least_lines, load.worst) == (8, 8, 1)
    assert [costs.total("accesses", kind, "global") for kind in ("load", "store")] == [250, 250]
    assert costs.total("least_sectors") == costs.total("sectors")
    assert (costs.threads, costs.active_threads, costs.warps) == (256, 250, 8)


@each("stride, sectors, lines", [(1, 4, 1), (2, 8, 2), (4, 16, 4), (8, 32, 8), (32, 32, 32), (0, 1, 1)])
def test_a_stride_costs_sectors_as_the_best_practices_guide_says(stride, sectors, lines):
    costs = count(COPY_WITH_STRIDE, 1, 32, np.zeros(1024, np.float32), np.zeros(32, np.float32), stride)
    load = place(costs, "load", "x")
    assert (load.requests, load.sectors, load.lines) == (1, sectors, lines)
    assert load.coalesced == (1 if stride < 2 else 0)


def test_an_offset_of_one_element_costs_a_sector_unless_it_is_in_a_host_array_which_is_copied():
    kernel = kernel_of("x, y", "i = cuda.grid(1)\ny[i] = x[i + 1]")
    load = place(count(kernel, 1, 32, np.zeros(64, np.float32), np.zeros(32, np.float32)), "load", "x")
    assert (load.sectors, load.least_sectors, load.lines, load.coalesced) == (5, 4, 2, 0)
    whole = np.zeros(65, np.float32)
    costs = count(copy, 1, 32, cuda.to_device(whole)[1:33], cuda.device_array(32, np.float32))
    assert place(costs, "load", "x").sectors == 5
    costs = count(copy, 1, 32, whole[1:33], np.zeros(32, np.float32))
    assert place(costs, "load", "x").sectors == 4, "it is copied"


def test_rows_read_by_neighbouring_threads_touch_one_line_each_and_a_broadcast_costs_one_sector():
    load = place(count(READ_BY_COLUMNS, 1, 32, np.zeros((32, 32)), np.zeros(32)), "load", "x")
    assert (load.requests, load.lines, load.least_lines, load.sectors) == (32, 32 * 32, 2 * 32, 32 * 32)
    in_fortran_order = count(READ_BY_COLUMNS, 1, 32, np.zeros((32, 32), order="F"), np.zeros(32))
    assert place(in_fortran_order, "load", "x").lines == 2 * 32
    twice = kernel_of("x, y", "y[cuda.grid(1)] = x[cuda.grid(1)] + x[32 * cuda.grid(1)]")
    load = place(count(twice, 1, 32, np.zeros(1024, np.float32), np.zeros(32, np.float32)), "load", "x")
    assert (load.requests, load.lines, load.worst) == (2, 1 + 32, 32), "of a line that loads in two ways"
    load = place(count(kernel_of("x, y", "y[cuda.grid(1)] = x[0]"), 1, 64, np.zeros(1), np.zeros(64)), "load", "x")
    assert (load.requests, load.sectors, load.least_sectors, load.coalesced) == (2, 2, 2, 2)
    by_numpy = count(kernel_of("x, y", "y[cuda.grid(1)] = x[1:].sum()"), 1, 32, np.zeros(32), np.zeros(32))
    assert by_numpy.total("accesses", "load", "global") == 32 * 31


def test_columns_of_a_square_tile_conflict_32_fold_and_padding_removes_the_conflicts():
    x = np.zeros((32, 32), np.float32)
    costs = count(transposition(32), 1, (32, 32), x, x.copy())
    load = place(costs, "load", "tile")
    assert (load.requests, load.passes, load.least_passes, load.worst, load.conflicts) == (32, 1024, 32, 32, 32)
    store = place(costs, "store", "tile")
    assert (store.passes, store.conflicts) == (32, 0)
    costs = count(transposition(33), 1, (32, 32), x, x.copy())
    load = place(costs, "load", "tile")
    assert (load.requests, load.passes, load.worst, load.conflicts) == (32, 32, 1, 0)
    assert costs.total("conflicts") == 0


@each("stride, ways", [(1, 1), (2, 2), (3, 1), (4, 4), (16, 16), (31, 1), (32, 32)])
def test_bank_conflicts_follow_the_common_divisor_of_stride_and_32(stride, ways):
    costs = count(SHARED_WITH_STRIDE, 1, 32, np.zeros(32, np.int32), stride)
    assert place(costs, "store", "s").passes == ways
    assert place(costs, "load", "s").passes == 1  # all lanes read one word


def test_doubles_are_served_half_a_warp_at_a_time_without_conflict_and_bytes_of_one_word_at_once():
    store = place(count(kernel_of("out", SHARED.format("float64")), 1, 64, np.zeros(64)), "store", "s")
    assert (store.requests, store.passes, store.least_passes, store.conflicts) == (2, 4, 4, 0)
    store = place(count(kernel_of("out", SHARED.format("uint8")), 1, 32, np.zeros(32)), "store", "s")
    assert (store.passes, store.conflicts) == (1, 0)


def test_a_branch_inside_warps_is_divergent_and_one_between_warps_is_not():
    branch = place(count(ODD_AND_EVEN, 2, 64, np.zeros(128)), "branch")
    assert (branch.requests, branch.divergent, branch.lanes) == (4, 4, 128)
    costs = count(HALVES_OF_THE_BLOCK, 1, 64, np.zeros(64))
    assert (place(costs, "branch").requests, costs.divergent_branches) == (2, 0)


def test_lanes_leave_a_loop_at_different_rounds():
    costs = count(LOOP_OF_ITS_OWN_LENGTH, 1, 32, np.zeros(32))
    branch = place(costs, "branch")
    assert (branch.accesses, (branch.requests, branch.divergent)) == (32 * (1 + 2 + 3 + 4) // 4, (4, 3))
    load = place(costs, "load", "x")
    assert (load.requests, load.lanes) == (3, 24 + 16 + 8)


def test_atomic_operations_on_one_element_crowd():
    in_one = kernel_of("x, out", "cuda.atomic.add(out, 0, x[cuda.grid(1)])")
    in_bins = kernel_of("x, out", "cuda.atomic.add(out, x[cuda.grid(1)], 1)")
    crowded = place(count(in_one, 2, 64, np.zeros(128), np.zeros(1)), "atomic", "out")
    assert (crowded.accesses, crowded.requests, crowded.passes, crowded.least_passes) == (128, 4, 128, 4)
    spread = place(count(in_bins, 1, 64, np.arange(64), np.zeros(64, int)), "atomic", "out")
    assert (spread.passes, spread.least_passes) == (2, 2)


def test_barriers_are_counted_per_block_and_per_thread():
    costs = count(THREE_BARRIERS, 4, 40, np.zeros(4))
    assert (costs.barriers, (costs.threads, costs.active_threads, costs.warps)) == (12, (160, 4, 8))


def test_requests_on_both_sides_of_a_warp_operation_are_put_together():
    costs = count(kernel_of("x", f"{WARP_SUM}x[cuda.grid(1)] = value"), 1, 64, np.zeros(64, np.float32))
    assert (place(costs, "load", "x").requests, place(costs, "store", "x").requests) == (2, 2)
    assert (place(costs, "store", "x").sectors, costs.exchanges) == (8, 5 * 64)


def test_what_does_not_fit_is_said(monkeypatch):
    monkeypatch.setattr(trace.layout, "MAX_GROUPS", 10)
    load = place(count(MANY_LOADS, 1, 32, np.zeros(32), np.zeros(32), 20), "load", "x")
    assert (load.accesses, load.requests + load.left_out // 32) == (640, 20)
    assert load.left_out > 0


def test_figures_name_file_and_line_are_plain_json_and_each_launch_has_an_entry():
    load = place(count(copy, 1, 32, np.zeros(32), np.zeros(32)), "load", "x")
    assert Path(load.filename).name == "test_costs.py"
    assert "y[i] = x[i]" in Path(load.filename).read_text().splitlines()[load.line - 1]
    costs = count(copy, 1, 32, np.zeros(32), np.zeros(32))
    assert json.loads(json.dumps(dataclasses.asdict(costs)))["kernel"] == "copy"
    with counting() as record:
        for size in (10, 20):
            copy[1, 32](np.zeros(size), np.zeros(size))
    assert [costs.total("accesses", "load", "global") for costs in record.launches] == [10, 20]
