"""How a function of plain Python goes through its work: called by checks as a module of the worker of slices."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, Self

import numpy as np

from grader.worker.sliced.book import current
from grader.worker.sliced.worker import plain, the_slices

_AGAIN_S = 0.05
_CALLS = 3
_MOST_STEPS = 3_000_000
"""Counting stops here: a second of it, and more than any honest way needs for a small matrix."""


class EnoughSeen(BaseException):
    """The run may end. No `Exception`, so that student code does not catch it by accident."""


def look_in(module: str, function: str, args: Sequence[Any], limit_s: float) -> dict[str, Any]:
    """Call `module.function(*args)`, and end it after `limit_s` seconds.

    Returns:
        `ended`: whether it came to its end by itself; `value`: what it then returned; `mixes`: NumPy's operations on
        whole arrays until then; `label`: that of the value.
    """
    slices = the_slices()
    target = getattr(slices.load(module), function)
    former = signal.signal(signal.SIGALRM, _end)
    signal.setitimer(signal.ITIMER_REAL, limit_s, _AGAIN_S)
    try:
        value, seen = slices.call(target, args, full=False)
        signal.setitimer(signal.ITIMER_REAL, 0)
        return {"ended": True, "value": plain(value), "mixes": list(seen.mixes), "label": list(seen.label)}
    except EnoughSeen:
        seen = slices.seen_so_far()
        return {"ended": False, "value": None, "mixes": list(seen.mixes), "label": []}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


def _end(_number: int, _frame: object) -> None:
    raise EnoughSeen


def measure_steps(module: str, function: str, small: Sequence[Any], larger: Sequence[Any]) -> dict[str, Any]:
    """Compare a function of two matrices with a plain loop: how many steps, and how long, more rows take.

    Args:
        module: Name of the slice's module.
        function: Name of a function of two matrices.
        small: Two matrices.
        larger: Two matrices with more rows; what takes the same for both is left out.

    Returns:
        `steps`, `plain_steps`: instructions of Python that are executed for the further rows, in the slice and in a
        loop of ours; `call_s`, `plain_s`: how long they take; `small_s`: how long the small matrices take; `grows`: how
        many times as long the larger call takes.
    """
    slices = the_slices()
    target = getattr(slices.load(module), function)
    calls = [lambda pair=pair: slices.call(target, pair, full=False) for pair in (small, larger)]
    plain = [lambda pair=pair: visit(*pair) for pair in (small, larger)]
    (small_s, larger_s), (plain_small_s, plain_larger_s) = (tuple(map(_shortest_s, each)) for each in (calls, plain))
    steps = [_count(call, current.folder) for call in calls]
    plain_steps = [_count(call, __file__) for call in plain]
    return {
        "steps": steps[1] - steps[0],
        "plain_steps": plain_steps[1] - plain_steps[0],
        "call_s": larger_s - small_s,
        "plain_s": plain_larger_s - plain_small_s,
        "small_s": small_s,
        "grows": larger_s / small_s,
    }


def _shortest_s(call: Callable[[], Any]) -> float:
    return min(_time(call) for _ in range(_CALLS))


def _count(call: Callable[[], Any], files: str) -> int:
    with _Steps(files) as steps:
        call()
    return steps.count


def _time(call: Callable[[], Any]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


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
    """Counts the instructions that frames of some files execute, while it is entered."""

    def __init__(self, files: str) -> None:
        self.count = 0
        self._files = files

    def __enter__(self) -> Self:
        sys.settrace(self._enter_frame)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.settrace(None)

    def _enter_frame(self, frame: FrameType, _event: str, _arg: object) -> Any:
        if not frame.f_code.co_filename.startswith(self._files):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self._trace_line

    def _trace_line(self, frame: FrameType, _event: str, _arg: object) -> Any:
        self.count += 1
        if self.count >= _MOST_STEPS:
            sys.settrace(None)
            frame.f_trace, frame.f_trace_opcodes = None, False
        return self._trace_line
