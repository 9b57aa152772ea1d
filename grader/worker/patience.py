"""How long student code is waited for: in one call, and in all calls of a grading together."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

MOST_TIMES = 3
"""So many times its limit a worker gets at most where the machine keeps the processor from it."""
_LOOK_S = 0.5
"""For so long a silent worker is watched; a processor's time is counted in hundredths of a second."""
_RUNNING = 0.8
"""A worker that gets this share of a core is not kept from it."""
_IDLE = 0.1
"""A machine of whose processors this share is idle keeps nobody from one."""
_WAITED = 0.1
"""A worker that waits for a core for less than this share of the time sleeps, and wants none."""
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

        They are if they want a core, and get less than one while none is idle: as much more as gives them what a core
        of their own would have given.
        """
        if self._ends_s > self._began_s + self._limit_s:
            return False
        share, waited, idle = watch_processor(pid, min(_LOOK_S, self._limit_s))
        if share >= _RUNNING or waited < _WAITED or idle >= _IDLE:
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


def watch_processor(pid: int, seconds: float) -> tuple[float, float, float]:
    """Return which share of a core the processes below `pid` get and wait for, and which share of all cores is idle.

    Where the system does not tell what is waited for, they wait for all that they do not get.
    """
    import psutil  # noqa: PLC0415 - hardly any grading needs it

    (used_s, waited_s), before = _spent(pid), psutil.cpu_times()
    time.sleep(seconds)
    (used_after_s, waited_after_s), after = _spent(pid), psutil.cpu_times()
    all_s = sum(after) - sum(before)
    idle_s = after.idle - before.idle + getattr(after, "iowait", 0.0) - getattr(before, "iowait", 0.0)
    share = (used_after_s - used_s) / seconds
    waited = 1 - share if waited_s is None or waited_after_s is None else (waited_after_s - waited_s) / seconds
    return share, waited, idle_s / all_s if all_s > 0 else 1.0


def _spent(pid: int) -> tuple[float, float | None]:
    """Return how long the processes below `pid` have had a core and have waited for one so far, in seconds.

    Linux counts the second in `/proc/<pid>/task/<thread>/schedstat`, in nanoseconds; None elsewhere.
    """
    import psutil  # noqa: PLC0415 - as above

    used_s, waited_s = 0.0, None
    with suppress(psutil.Error):
        for process in psutil.Process(pid).children(recursive=True):
            with suppress(psutil.Error, OSError):
                times = process.cpu_times()
                used_s += times.user + times.system
                for file in Path(f"/proc/{process.pid}/task").glob("*/schedstat"):
                    waited_s = (waited_s or 0.0) + int(file.read_text().split()[1]) / 1e9
    return used_s, waited_s
