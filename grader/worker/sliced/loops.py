"""Measure how a function of plain Python does its work; checks call this module in the worker of slices."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Self

import numpy as np

from grader.worker.sliced.calllog import current
from grader.worker.sliced.worker import the_slices

_AGAIN_S = 0.05
_ENOUGH_S = 0.08  # of processor time; a plain loop over a small matrix takes a thousandth of a second
_MOST_STEPS = 3_000_000  # counting stops here, after about 1 s; no honest function needs so many for a small matrix
_PYTHONS_OWN = str(Path(os.__file__).parent)
_NOT_PYTHONS = ("site-packages", "dist-packages")  # this file may lie there: in a kit, in a platform's package


class EnoughSeen(BaseException):
    """Raised to end the run. It is no `Exception`, so that student code does not catch it by accident."""


def look_in(module: str, function: str, args: Sequence[Any], limit_s: float) -> dict[str, Any]:
    """Call `module.function(*args)`, and end it when it has computed for `limit_s` seconds of processor time.

    Returns:
        `ended`: whether it came to its end by itself; `mixes`: NumPy's operations on whole arrays until then.
    """
    slices = the_slices()
    target = getattr(slices.load(module), function)
    former = signal.signal(signal.SIGPROF, _end)
    signal.setitimer(signal.ITIMER_PROF, limit_s, _AGAIN_S)
    try:
        try:
            _, work = slices.call(target, args, full=False)
        finally:  # inside: the timer may go off once more on the way here
            signal.setitimer(signal.ITIMER_PROF, 0)
        return {"ended": True, "mixes": list(work.mixes)}
    except EnoughSeen:
        return {"ended": False, "mixes": list(slices.seen_so_far().mixes)}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, former)


def _end(_number: int, _frame: object) -> None:
    raise EnoughSeen


def count_steps(module: str, function: str, small: Sequence[Any], larger: Sequence[Any]) -> dict[str, Any]:
    """Count what additional rows cost a function of two matrices, and a plain loop; no clock is used.

    The `larger` matrices have more rows than the `small` ones; the counts for the small ones are subtracted.

    Returns:
        `steps`: Python instructions for the additional rows, in the slice and in Python's library; `plain_steps`: the
        same for a plain loop of the grader (`visit`); `turns`: how often the slice's loops jump back; `calls`: how
        often its functions are entered; `waited_s`: for how many seconds it asked to sleep, in both calls.
    """
    target = getattr(the_slices().load(module), function)
    waits: list[float] = []

    def call(pair: Sequence[Any]) -> None:
        waits.append(the_slices().call(target, pair, full=False)[1].waited_s)

    before, after = (_count(partial(call, pair), current.folder, _PYTHONS_OWN) for pair in (small, larger))
    plain_before, plain_after = (_count(partial(visit, *pair), __file__) for pair in (small, larger))
    return {
        "steps": after.steps - before.steps,
        "plain_steps": plain_after.steps - plain_before.steps,
        "turns": after.turns - before.turns,
        "calls": after.calls - before.calls,
        "waited_s": sum(waits),
    }


def compare_times(module: str, function: str, args: Sequence[Any]) -> dict[str, Any]:
    """Call a function of two matrices and a plain loop by turns, and return the processor time of each in one call.

    A virtual machine subtracts the time that its host took, and does so late, so that a short call may seem to take no
    time. So both are called again and again, until the times are long enough to be trusted.

    Returns:
        `call_s`, `plain_s`: mean seconds of processor time; waiting for a processor is none. `waited_s`: for how many
        seconds the function asked to sleep.
    """
    target = getattr(the_slices().load(module), function)
    call_s, plain_s, waited_s, calls, plain_calls = 0.0, 0.0, 0.0, 0, 0
    while plain_s < _ENOUGH_S / 2:
        if call_s + plain_s < _ENOUGH_S:
            work = the_slices().call(target, args, full=False)[1]
            call_s += work.computed_s
            waited_s += work.waited_s
            calls += 1
        began_s = time.process_time()
        visit(*args)
        plain_s += time.process_time() - began_s
        plain_calls += 1
    return {"call_s": call_s / calls, "plain_s": plain_s / plain_calls, "waited_s": waited_s}


def _count(call: Callable[[], Any], *files: str) -> _Steps:
    with _Steps(files) as counted:
        call()
    return counted


def visit(first: Any, second: Any) -> Any:
    """Visit two matrices entry by entry, with two reads, a comparison and a write each: the loop to compare with."""
    result = np.empty_like(first)
    for i in range(len(first)):
        j = 0
        while j < first.shape[1]:
            less, more = first[i, j], second[i, j]
            result[i, j] = less if more > less else more  # noqa: FURB136 - the steps of a plain loop
            j += 1
    return result


class _Steps:
    """Counts what frames of some files execute, while it is entered."""

    def __init__(self, files: tuple[str, ...]) -> None:
        self.steps = 0  # instructions
        self.turns = 0  # jumps back, each of which begins another turn of a loop
        self.calls = 0  # functions that are entered, and generators that go on
        self._files = files

    def __enter__(self) -> Self:
        sys.settrace(self._enter_frame)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.settrace(None)

    def _enter_frame(self, frame: FrameType, _event: str, _arg: object) -> Any:
        file = frame.f_code.co_filename
        if not file.startswith(self._files) or (file != __file__ and any(part in file for part in _NOT_PYTHONS)):
            return None
        self.calls += 1
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        place = -1

        def trace_step(frame: FrameType, event: str, _arg: object) -> Any:
            nonlocal place
            if event == "opcode":
                self.steps += 1
                self.turns += frame.f_lasti < place
                place = frame.f_lasti
            if self.steps >= _MOST_STEPS:
                sys.settrace(None)
                frame.f_trace, frame.f_trace_opcodes = None, False
            return trace_step

        return trace_step
