"""How a function of plain Python goes through its work: called by checks as a module of the worker of slices."""

from __future__ import annotations

import signal
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.worker.sliced.worker import plain, the_slices

_AGAIN_S = 0.05


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


def time_plain_loop(first: Any, second: Any) -> float:
    """Return the seconds that a plain loop of ours takes for the maximum of two matrices, in this very worker."""
    one, other = np.asarray(first), np.asarray(second)
    result = np.empty_like(one)
    began = time.perf_counter()
    for i in range(one.shape[0]):
        for j in range(one.shape[1]):
            if one[i, j] > other[i, j]:
                result[i, j] = one[i, j]
            else:
                result[i, j] = other[i, j]
    return time.perf_counter() - began

