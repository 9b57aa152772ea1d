import dataclasses
import json

import numpy as np
import pytest
from cuda_cpu.written import kernel_of
from numba import cuda, njit

from grader.cuda_cpu import checking
from grader.cuda_cpu.tracing import layout, session, trace


@cuda.jit
def own_number(out, k):
    out[k] = cuda.grid(1) + 10 * cuda.threadIdx.y + 1


MATRIX_ELEMENT = kernel_of("out, i, j", "out[i, j] += 1")
MANY_LINES = kernel_of("out", "\n".join(f"out[{number}] += cuda.grid(1)" for number in range(7)))


@cuda.jit(device=True)
def add_neighbour(values, i):
    return values[0, i] + values[0, i - 1]


@cuda.jit
def shared_under_two_names(out):
    first = cuda.shared.array(3, np.float32)
    tile = cuda.shared.array((2, 8), np.float64)
    i = cuda.threadIdx.x
    first[0] = 1
    tile[0, i] = i
    out[i] = add_neighbour(tile, i)


@cuda.jit
def shared_that_is_half_written(out, limit):
    s = cuda.shared.array(8, np.float64)
    i = cuda.threadIdx.x
    if i < limit:
        s[i] = i
    cuda.syncthreads()
    out[i] = s[7 - i]


UNSTARTED = "s = cuda.shared.array(1, np.int64)\ncuda.atomic.add(s, 0, 1)\ncuda.syncthreads()\nout[0] = s[0]"


def launched(kernel, grid, block, *arguments):
    with checking() as record:
        kernel[grid, block](*arguments)
    return record


def test_threads_that_write_the_same_value_are_a_remark_and_no_race():
    record = launched(kernel_of("out", "out[0] = 7"), 1, 4, np.zeros(1))
    assert not record.races
    [remark] = record.remarks
    assert remark.same_value
    assert "harmless" in remark.describe()
    record = launched(kernel_of("x, out", "out[0] = x[cuda.grid(1)]"), 1, 4, np.array([7.0, 7, 1, 2]), np.zeros(1))
    assert [race.kind for race in record.races] == ["write-write"], "others of the same line write other values"


def test_the_example_names_both_threads_both_blocks_and_the_element():
    race = launched(own_number, (2, 2), (1, 2), np.zeros(5), 3).races[0]
    assert (race.array, race.index, race.kind, race.space) == ("out", (3,), "write-write", "global")
    assert (race.first.block, race.first.thread) == ((0, 0, 0), (0, 0, 0))
    assert (race.second.block, race.second.thread) == ((0, 0, 0), (0, 1, 0))
    assert race.across_blocks


@pytest.mark.parametrize("order", ["C", "F"])
def test_the_index_of_an_element_has_one_number_per_axis(order):
    record = launched(MATRIX_ELEMENT, 1, 2, np.zeros((3, 4), order=order), 2, 1)
    assert {race.index for race in record.races} == {(2, 1)}


def test_views_shared_arrays_and_arrays_in_tuples_have_names_and_indices_of_their_own():
    record = launched(own_number, 1, 2, cuda.to_device(np.zeros((4, 4)))[2], 3)
    assert record.races[0].index == (3,)
    record = launched(shared_under_two_names, 1, 8, np.zeros(8))
    assert [(race.array, race.index) for race in record.races] == [("tile", (0, 0))]
    record = launched(kernel_of("arrays", "arrays[1][2] = cuda.grid(1)"), 1, 2, (np.zeros(2), np.zeros(3)))
    assert (record.races[0].array, record.races[0].index) == ("arrays", (2,))


def test_functions_compiled_for_the_host_are_followed_inside_kernels():
    @njit
    def host_function(x):
        x[0] += 1

    @cuda.jit
    def kernel(x):
        host_function(x)

    assert {race.kind for race in launched(kernel, 1, 2, np.zeros(1)).races} == {"read-write", "write-write"}


def test_races_of_many_launches_are_one_entry_with_their_count_and_the_report_is_bounded():
    with checking() as record:
        for _ in range(5):
            own_number[1, 3](np.zeros(1), 0)
    assert record.launches == 5
    assert [race.count for race in record.races] == [10]
    record = launched(MANY_LINES, 1, 2, np.zeros(7))
    assert len(record.races) == 10
    assert record.dropped > 0
    assert "further places" in record.describe()[-1]


def test_what_was_found_before_a_fault_is_kept():
    kernel = kernel_of("out", "out[0] = cuda.grid(1)\nout[cuda.grid(1) + 1] = 0")
    with checking() as record, pytest.raises(IndexError, match="out of bounds"):
        kernel[1, 4](np.zeros(3))
    assert record.races[0].kind == "write-write"


def test_checks_change_no_answer_and_record_nothing_outside_of_their_block():
    with checking() as record:
        pass
    own_number[1, 3](np.zeros(1), 0)
    assert record.launches == 0
    plain, checked = np.zeros(7), np.zeros(7)
    MANY_LINES[2, 5](plain)
    with checking():
        MANY_LINES[2, 5](checked)
    np.testing.assert_array_equal(plain, checked)


def test_an_array_or_a_launch_that_is_too_large_is_named_and_not_followed(monkeypatch):
    monkeypatch.setattr(trace, "MAX_CELLS", 10)
    record = launched(own_number, 1, 3, np.zeros(11), 0)
    assert not record.races
    assert record.notes == ["kernel own_number: the array out has too many elements and was not checked"]
    monkeypatch.setattr(session, "MAX_INTERVALS", 4)
    out = np.zeros(1)
    record = launched(own_number, 4, 1, out, 0)
    assert (out[0], record.launches) == (4, 0)
    assert record.notes == ["kernel own_number: a launch of 4 or more blocks is not followed"]


def test_intervals_that_run_out_end_the_checks_and_are_named(monkeypatch):
    fill = trace.Trace._fill

    def fill_late(self):
        fill(self)
        self.words["last"] = layout.MAX_INTERVALS - 4

    monkeypatch.setattr(trace.Trace, "_fill", fill_late)
    record = launched(own_number, 9, 1, np.zeros(1), 0)
    assert [race.count for race in record.races] == [1]
    assert "only the first part was checked: the launch has too many blocks and barriers" in record.notes[0]


def test_an_array_for_which_there_is_no_memory_is_named(monkeypatch):
    def no_memory(count, kind=np.int64):
        if count == 11 * layout.PLANE_COUNT:
            raise MemoryError
        return np.zeros(max(1, count), kind)

    monkeypatch.setattr(trace, "_zeros", no_memory)
    record = launched(own_number, 1, 3, np.zeros(11), 0)
    assert record.notes == ["kernel own_number: the array out has too many elements and was not checked"]


def test_the_advice_depends_on_who_races_and_a_race_becomes_plain_json():
    with checking() as record:
        MATRIX_ELEMENT[1, 2](np.zeros((1, 1)), 0, 0)
        own_number[2, 1](np.zeros(1), 0)
    sentences = " ".join(record.describe())
    assert "cuda.atomic.add" in sentences
    assert "own the element" in sentences
    text = json.dumps(dataclasses.asdict(launched(own_number, 1, 3, np.zeros(1), 0)))
    assert json.loads(text)["races"][0]["kind"] == "write-write"


def test_one_million_threads_are_followed():
    a = np.random.default_rng(3).integers(0, 256, (1000, 1000))
    c = np.zeros_like(a)
    kernel = kernel_of("a, b, c", "i, j = cuda.blockIdx.x, cuda.threadIdx.x\nc[i, j] = max(a[i, j], b[i, j])")
    record = launched(kernel, 1000, 1000, a, a.T.copy(), c)
    np.testing.assert_array_equal(c, np.maximum(a, a.T))
    assert not record.describe()


def test_shared_memory_that_nobody_wrote_is_told_for_each_block_and_is_no_race():
    record = launched(shared_that_is_half_written, 2, 8, np.zeros(8), 6)
    assert not record.races
    [unwritten] = record.unwritten
    assert (unwritten.array, unwritten.index, unwritten.count) == ("s", (7,), 4)
    assert unwritten.access.thread == (0, 0, 0)
    assert "does not clear shared memory" in unwritten.describe()
    assert not launched(shared_that_is_half_written, 1, 8, np.zeros(8), 8).describe()
    assert [one.count for one in launched(kernel_of("out", UNSTARTED), 3, 4, np.zeros(1)).unwritten] == [3]
