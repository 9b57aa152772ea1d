"""How long student code is waited for: in one call, and in all calls of a grading together."""

from __future__ import annotations

import time
from contextlib import suppress

MOST_TIMES = 3
"""So many times its limit a worker gets at most where the machine keeps the processor from it."""
_LOOK_S = 0.5
"""For so long a silent worker is watched; a processor's time is counted in hundredths of a second."""
_RUNNING = 0.8
"""A worker that gets this share of a core is not kept from it."""
_IDLE = 0.1
"""A machine of whose processors this share is idle keeps nobody from one."""
_LEAST_S = 1.0
"""With less than this left, no call is begun."""


class Patience:
    """Until when the answer of one call is waited for: longer where other programs take the processor.

    Of `limit_s`, `spent_s` may be over already, if the call ran while something else was waited for.
    """

    def __init__(self, limit_s: float, spent_s: float = 0.0) -> None:
        self._began_s = time.monotonic() - spent_s
        self._limit_s = limit_s
        self._ends_s = self._began_s + limit_s

    @property
    def left_s(self) -> float:
        """Seconds until the end, at least a thousandth."""
        return max(self._ends_s - time.monotonic(), 0.001)

    def extend(self, pid: int) -> bool:
        """Look at the processes below `pid` for half a second; return whether they are given more time, once.

        They are if they get less than a core while none is idle: as much more as gives them what a core of their own
        would have given.
        """
        if self._ends_s > self._began_s + self._limit_s:
            return False
        share, idle = watch_processor(pid, min(_LOOK_S, self._limit_s))
        if share >= _RUNNING or idle >= _IDLE:
            return False
        self._ends_s = self._began_s + self._limit_s * min(1 / max(share, 1e-3), MOST_TIMES)
        return True


class Allowance:
    """What all calls of one grading may take together, so that it ends in time whatever is handed in."""

    def __init__(self, seconds: float) -> None:
        self._left_s = seconds

    def limit(self, wanted_s: float) -> float:
        """Return the limit of a next call: what it wants, but never more than half of what is left; 0 for none."""
        return min(wanted_s, self._left_s / 2) if self._left_s >= _LEAST_S else 0.0

    def spend(self, seconds: float) -> None:
        """Take away what a call took."""
        self._left_s -= seconds


def watch_processor(pid: int, seconds: float) -> tuple[float, float]:
    """Return which share of a core the processes below `pid` get, and which share of the machine's cores is idle."""
    import psutil  # noqa: PLC0415 - hardly any grading needs it

    before_s, before = _used_s(pid), psutil.cpu_times()
    time.sleep(seconds)
    after = psutil.cpu_times()
    all_s = sum(after) - sum(before)
    idle_s = after.idle - before.idle + getattr(after, "iowait", 0.0) - getattr(before, "iowait", 0.0)
    return (_used_s(pid) - before_s) / seconds, idle_s / all_s if all_s > 0 else 1.0


def _used_s(pid: int) -> float:
    """Return how much processor time the processes below `pid` have used so far, in seconds."""
    import psutil  # noqa: PLC0415 - as above

    used = 0.0
    with suppress(psutil.Error):
        for process in psutil.Process(pid).children(recursive=True):
            with suppress(psutil.Error):
                times = process.cpu_times()
                used += times.user + times.system
    return used
