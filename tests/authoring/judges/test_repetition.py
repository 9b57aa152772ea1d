"""Kernels whose threads repeat each other's work: told by two of them, and stopped only where it would take minutes."""

from types import SimpleNamespace

import numpy as np
import pytest
from numba import cuda

from grader.authoring import Note, StudentStopped, fail
from grader.authoring.judges import repetition
from grader.errors import StudentRaised
from grader.model import Finding
from grader.worker import explanation

SMALL, WIDE = (np.ones((4, 6)),), (np.ones((40, 60)),)


@cuda.jit
def all_of_it(x, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = x[i, j]


@cuda.jit
def all_of_a_row(x, out):
    for j in range(out.shape[1]):
        out[cuda.blockIdx.x, j] = x[cuda.blockIdx.x, j]


@cuda.jit
def its_own_entry(x, out):
    out[cuda.blockIdx.x, cuda.threadIdx.x] = x[cuda.blockIdx.x, cuda.threadIdx.x]


@cuda.jit
def its_share(x, out):
    for number in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[number // out.shape[1], number % out.shape[1]] = x[number // out.shape[1], number % out.shape[1]]


@cuda.jit
def its_own_tile(x, out):
    tile = cuda.shared.array(64, "float64")
    tile[cuda.threadIdx.x] = x[cuda.blockIdx.x, cuda.threadIdx.x]
    cuda.syncthreads()
    out[cuda.blockIdx.x, cuda.threadIdx.x] = tile[cuda.threadIdx.x]


def called(kernel, one_block=False, one_thread=False):
    def function(x):
        out = np.zeros(x.shape)
        kernel[1 if one_block else x.shape[0], 1 if one_thread else x.shape[1]](x, out)
        return out

    return function


class Judged:
    """A student whose function runs in this process."""

    def __init__(self, monkeypatch, function, call=lambda: None):
        functions = SimpleNamespace(function=function)
        slices = SimpleNamespace(load=lambda _: functions, call=lambda function, args, **_options: function(*args))
        monkeypatch.setattr(explanation, "the_slices", lambda: slices)
        self.tries, self.given_up, self._call = 0, {}, call
        self.note = Note()

    def ask_slices(self, _observer, name, args, **_options):
        try:
            return SimpleNamespace(value=getattr(explanation, name)(*args))
        except IndexError:
            fail("it raised")

    def call(self, _module, _function, _args, limit_s):
        assert limit_s == repetition.TRY_S
        self.tries += 1
        self._call()

    def give_up(self, module, function, fault):
        self.given_up[module, function] = fault

    def judge(self, device="cpu"):
        setup = SimpleNamespace(device=device)
        repetition.expect_shared_work(self, ("module", "function"), SMALL, WIDE, setup, self.note)


@pytest.mark.parametrize(
    "function",
    [called(its_own_entry), called(its_share), called(its_share, one_block=True), called(its_own_tile)],
)
def test_threads_that_share_the_work_are_left_alone(monkeypatch, function):
    judged = Judged(monkeypatch, function)
    judged.judge()
    assert (judged.tries, judged.note.remarks) == (0, [])


@pytest.mark.parametrize(
    "function",
    [
        called(all_of_it),
        called(all_of_a_row),
        called(all_of_it, one_block=True),
        called(all_of_it, one_thread=True),
    ],
)
def test_work_that_is_repeated_and_soon_done_is_a_remark(monkeypatch, function):
    judged = Judged(monkeypatch, function)
    judged.judge()
    (remark,) = judged.note.remarks
    assert "they write the same entries of out" in remark.message
    assert judged.tries == 0


def test_work_that_would_take_minutes_is_tried_for_a_moment_and_given_up(monkeypatch):
    def call():
        raise StudentStopped(Finding("Stopped."))

    judged = Judged(monkeypatch, called(all_of_it), call)
    monkeypatch.setattr(repetition, "HOPELESS_S", 0)
    with pytest.raises(StudentStopped) as stopped:
        judged.judge()
    assert "they write the same entries of out" in stopped.value.finding.message
    assert "2,400 threads" in stopped.value.finding.got
    assert judged.given_up == {("module", "function"): stopped.value}


@pytest.mark.parametrize("fault", [None, StudentRaised(Finding("It raised."), "ValueError")])
def test_what_does_end_in_time_is_judged_by_its_answers(monkeypatch, fault):
    def call():
        if fault:
            raise fault

    judged = Judged(monkeypatch, called(all_of_it), call)
    monkeypatch.setattr(repetition, "HOPELESS_S", 0)
    judged.judge()
    assert judged.tries == 1
    assert not judged.given_up


def test_a_kernel_that_raises_is_left_to_the_call_itself(monkeypatch):
    judged = Judged(monkeypatch, called(its_own_entry))
    monkeypatch.setattr(judged, "ask_slices", lambda *_, **__: fail("it raised"))
    judged.judge()
    assert not judged.note.remarks


def test_on_a_gpu_nobody_runs_two_threads_alone(monkeypatch):
    judged = Judged(monkeypatch, called(all_of_it))
    judged.judge(device="gpu")
    assert not judged.note.remarks


def test_times_are_told_in_minutes_or_hours():
    assert repetition._in_words(90) == "2 minutes"
    assert repetition._in_words(9 * 3600) == "9 hours"
