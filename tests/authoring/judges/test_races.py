"""Kernels whose threads repeat each other's work: told by two of them, and stopped only where it would take minutes."""

from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pytest
from rows import each
from sliced_handins import open_text

from grader.authoring import Note, StudentStopped, fail
from grader.authoring.judges import races
from grader.errors import StudentRaised
from grader.model import Finding

SMALL, WIDE = (np.ones((4, 6)),), (np.ones((40, 60)),)
ENDLESS = (np.ones((4000, 1000), np.float32),)
"""Four million threads that write four million numbers each: an hour, however fast the machine."""
KERNELS = """
    import numpy as np
    from numba import cuda

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
    def first_does_all(x, out):
        if cuda.grid(1) == 0:
            for n in range(out.size):
                out[n // out.shape[1], n % out.shape[1]] = x[n // out.shape[1], n % out.shape[1]]

    @cuda.jit
    def last_does_all(x, out):
        if cuda.grid(1) == cuda.gridsize(1) - 1:
            for n in range(out.size):
                out[n // out.shape[1], n % out.shape[1]] = x[n // out.shape[1], n % out.shape[1]]

    @cuda.jit
    def its_own_tile(x, out):
        tile = cuda.shared.array(64, "float64")
        tile[cuda.threadIdx.x] = x[cuda.blockIdx.x, cuda.threadIdx.x]
        cuda.syncthreads()
        out[cuda.blockIdx.x, cuda.threadIdx.x] = tile[cuda.threadIdx.x]
"""
CALL = """
    def call_{name}(x):
        out = np.zeros(x.shape, x.dtype)
        {kernel}[{launch}](x, out)
        return out
"""
WAYS = {"": "x.shape[0], x.shape[1]", "_with_one_block": "1, x.shape[1]", "_with_one_thread_each": "x.shape[0], 1"}
NAMES = ("first_does_all", "last_does_all", "all_of_it", "all_of_a_row", "its_own_entry", "its_share", "its_own_tile")
REPEATED = {"array": "out", "threads": 2400, "is_idle": False}
"""What the worker says of two threads that both wrote all entries."""


@pytest.fixture(scope="module")
def handin(tmp_path_factory):
    calls = {kernel + way: {"kernel": kernel, "launch": WAYS[way]} for kernel in NAMES for way in WAYS}
    text = KERNELS + "".join(CALL.format(name=name, **call) for name, call in calls.items())
    graded = [("shared", f"call_{name}") for name in calls]
    with closing(open_text(tmp_path_factory.mktemp("shared"), "shared", text, graded)) as opened:
        yield opened


class Judged:
    """A student whose kernels are looked at by `ask_slices`, and whose whole run is `call`."""

    def __init__(self, ask_slices, call=lambda: None):
        self.ask_slices, self._call = ask_slices, call
        self.tries, self.given_up, self.doubts_about, self.note = 0, {}, {}, Note()

    def run(self, _module, _function, _args, limit_s):
        assert limit_s == races.TRY_S
        self.tries += 1
        self._call()

    def give_up(self, module, function, fault):
        self.given_up[module, function] = fault

    def judge(self, function="call_all_of_it", wide=WIDE, device="cpu"):
        setup = SimpleNamespace(device=device)
        races.expect_shared_work(self, ("shared", function), SMALL, wide, setup, self.note)


def saying(predicted_s):
    """Return what asks a worker that says that all threads would take so long."""
    return lambda *_args, **_options: SimpleNamespace(value={**REPEATED, "predicted_s": predicted_s})


def stop():
    raise StudentStopped(Finding("Stopped."))


@each("function", ["its_own_entry", "its_share", "its_share_with_one_block", "its_own_tile"])
def test_threads_that_share_the_work_are_left_alone(handin, function):
    judged = Judged(handin.ask_slices)
    judged.judge(f"call_{function}")
    assert (judged.tries, judged.note.remarks, judged.note.flags) == (0, [], [])


@each("function", ["first_does_all", "first_does_all_with_one_block", "last_does_all", "last_does_all_with_one_block"])
def test_one_thread_that_does_all_the_work_is_flagged(handin, function):
    judged = Judged(handin.ask_slices)
    judged.judge(f"call_{function}")
    (flag,) = judged.note.flags
    assert "one at least does next to nothing" in flag
    assert (judged.tries, judged.note.remarks) == (0, [])


@each("function", ["all_of_it", "all_of_a_row", "all_of_it_with_one_block", "all_of_it_with_one_thread_each"])
def test_work_that_is_repeated_and_soon_done_is_a_remark(handin, function):
    judged = Judged(handin.ask_slices)
    judged.judge(f"call_{function}")
    (remark,) = judged.note.remarks
    assert "they write the same entries of out" in remark.message
    assert judged.tries == 0


def test_work_that_would_take_minutes_is_tried_for_a_moment_and_given_up(handin):
    judged = Judged(handin.ask_slices, stop)
    with pytest.raises(StudentStopped) as stopped:
        judged.judge(wide=ENDLESS)
    assert "they write the same entries of out" in stopped.value.finding.message
    assert "4,000,000 threads" in stopped.value.finding.got
    assert (judged.tries, judged.given_up) == (1, {("shared", "call_all_of_it"): stopped.value})


@pytest.mark.parametrize(("predicted_s", "words"), [(90.0, "take 2 minutes one"), (9 * 3600.0, "take 9 hours one")])
def test_times_are_told_in_minutes_or_hours(predicted_s, words):
    with pytest.raises(StudentStopped) as stopped:
        Judged(saying(predicted_s), stop).judge()
    assert words in stopped.value.finding.got


@pytest.mark.parametrize("fault", [None, StudentRaised(Finding("It raised."), "ValueError")])
def test_what_does_end_in_time_is_judged_by_its_answers(fault):
    def call():
        if fault:
            raise fault

    judged = Judged(saying(3600.0), call)
    judged.judge()
    assert judged.tries == 1
    assert not judged.given_up


def test_a_kernel_that_raises_is_left_to_the_call_itself():
    judged = Judged(lambda *_args, **_options: fail("it raised"))
    judged.judge()
    assert not judged.note.remarks


def test_on_a_gpu_nobody_runs_two_threads_alone():
    judged = Judged(saying(1.0))
    judged.judge(device="gpu")
    assert not judged.note.remarks
    judged.judge(device="cpu")
    assert judged.note.remarks
