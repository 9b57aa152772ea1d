"""Races behind numbers that are right here: what is found on a small launch, and what is left alone."""

from types import SimpleNamespace

import numpy as np
import pytest
from numba import cuda, float64

from grader.authoring import StudentFault, fail
from grader.authoring.judges import races
from grader.worker import explanation

TINY = (np.arange(1.0, 17.0).reshape(4, 4),)
WIDE = (np.arange(1.0, 65.0).reshape(8, 8),)


@cuda.jit(device=True)
def add_to(out, i, value):
    out[i] += value


@cuda.jit
def accumulates_in_a_device_function(x, out):
    add_to(out, cuda.threadIdx.x % 2, x[0, cuda.threadIdx.x])


@cuda.jit
def accumulates_in_a_view(x, out):
    half = out[:2]
    half[cuda.threadIdx.x % 2] += x[0, cuda.threadIdx.x]


@cuda.jit
def reads_the_neighbour(x, first, second):
    i = cuda.threadIdx.x
    first[i] = second[i + 1] + x[0, i]


@cuda.jit
def last_writer_wins(x, out):
    out[0] = x[0, cuda.threadIdx.x]


@cuda.jit
def later_block_wins(x, out):
    out[0] = x[0, cuda.blockIdx.x]


@cuda.jit
def all_write_the_same(x, out):
    out[0] = x.shape[0]


@cuda.jit
def sums_are_atomic(x, out):
    cuda.atomic.add(out, 0, x[0, cuda.threadIdx.x])


@cuda.jit
def made_for_eight_columns(x, out):
    out[0] += x[0, cuda.threadIdx.x + 4]


@cuda.jit
def racing_on_small_arrays_only(x, out):
    out[cuda.threadIdx.x * x.shape[0] // 8] = x[0, cuda.threadIdx.x]


@cuda.jit
def sums_of_many(x, out):
    total = cuda.local.array(1, float64)
    total[0] = 0
    for _ in range(4000):
        total[0] += x[0, cuda.threadIdx.x]
    out[cuda.threadIdx.x] = total[0]


def called(kernel, blocks=1):
    def function(x):
        out = cuda.to_device(np.zeros(16))
        kernel[blocks, 4](x, out)
        return out.copy_to_host()

    return function


def aliased(x):
    memory = cuda.to_device(np.zeros(16))
    reads_the_neighbour[1, 4](x, memory[:8], memory[:8])
    return memory.copy_to_host()


@pytest.fixture
def asked(monkeypatch):
    """Let the observer run in this process; return the sizes of what it was asked for."""
    functions = SimpleNamespace()
    sizes = []

    def observe(_student, _observer, name, args, _nothing):
        sizes.append(args[2][0].shape[0])
        try:
            return getattr(explanation, name)(*args)
        except IndexError:
            fail("it raised")

    slices = SimpleNamespace(load=lambda _: functions, call=lambda function, args, **_options: function(*args))
    monkeypatch.setattr(explanation, "the_slices", lambda: slices)
    monkeypatch.setattr(races.slices, "observe", observe)
    return functions, sizes


def flags_of(asked, function, wide=(), device="cpu"):
    asked[0].function = function
    flags = []
    note = SimpleNamespace(flag=flags.append)
    student = SimpleNamespace(doubts_about={})
    with races.explained(student, ("module", "function"), TINY, SimpleNamespace(device=device), note, wide):
        pass
    return flags


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (called(accumulates_in_a_device_function), "read-write race on out"),
        (called(accumulates_in_a_view), "read-write race on out"),
        (aliased, "read-write race on"),
        (called(last_writer_wins), "write-write race on out"),
        (called(later_block_wins, blocks=2), "write-write race on out"),
    ],
)
def test_a_race_behind_right_numbers_is_flagged(asked, function, kind):
    (flag,) = flags_of(asked, function)
    assert flag.startswith("right here, where threads take turns")
    assert kind in flag


@pytest.mark.parametrize("function", [called(all_write_the_same, blocks=3), called(sums_are_atomic, blocks=2)])
def test_what_comes_out_right_in_every_order_is_not_flagged(asked, function):
    assert not flags_of(asked, function, WIDE)
    assert asked[1] == [4]


def test_a_kernel_made_for_the_sheets_size_is_followed_there(asked):
    assert not flags_of(asked, called(made_for_eight_columns))
    assert flags_of(asked, called(made_for_eight_columns), WIDE)
    assert asked[1] == [4, 4, 8]


def test_a_race_that_the_sheets_size_does_not_have_is_not_flagged(asked):
    assert flags_of(asked, called(racing_on_small_arrays_only))
    assert not flags_of(asked, called(racing_on_small_arrays_only), WIDE)


def test_long_loops_are_followed_in_part(asked):
    assert not flags_of(asked, called(sums_of_many), WIDE)
    assert asked[1] == [4, 8]


def test_on_a_gpu_nobody_can_follow(asked):
    assert not flags_of(asked, called(last_writer_wins), device="gpu")
    assert not asked[1]


def test_wrong_numbers_get_the_race_for_a_hint(asked):
    asked[0].function = called(last_writer_wins)
    setup = SimpleNamespace(device="cpu")
    with pytest.raises(StudentFault) as caught, races.explained(None, ("module", "function"), TINY, setup, None):
        fail("wrong numbers")
    assert "write-write race on out" in caught.value.finding.hint
    with pytest.raises(StudentFault) as caught, races.explained(None, ("module", "function"), TINY, setup, None):
        fail("wrong numbers", hint="the last row is missing")
    assert caught.value.finding.hint == "the last row is missing"
