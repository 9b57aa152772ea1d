"""How long student code is waited for: in one call, and in all calls of a grading together."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

MOST_TIMES = 3
"""So many times its limit a worker gets at most where the machine keeps the processor from it."""
_FIRST_LOOK_S = 0.5
"""Calls that take no longer are not looked at."""
_IDLE = 0.1
"""A machine of whose processors this share is idle keeps nobody from one."""
_LEAST_S = 1.0
"""With less than this left, no call is begun."""


@dataclass(frozen=True, slots=True)
class Look:
    """What some processes had and wanted so far, and their machine, in seconds since they and it began."""

    computed_s: float = 0.0
    waited_s: dict[int, float] | None = field(default_factory=dict)
    """Thread -> for how long it could have run and had no processor; None where the system does not tell."""
    stolen_s: tuple[float, ...] = ()
    """For each processor of a virtual machine, what its host took from it."""
    idle_s: float = 0.0
    """Of all processors together."""

    def kept_s(self, before: Look, elapsed_s: float) -> float:
        """Return for how long the machine kept a processor from the thread that waited longest, since `before`."""
        if self.waited_s is None or before.waited_s is None:
            is_idle = self.idle_s - before.idle_s >= _IDLE * elapsed_s * len(self.stolen_s)
            waited_s = 0.0 if is_idle else elapsed_s - (self.computed_s - before.computed_s)
        else:
            known_s = before.waited_s
            waited_s = max((now_s - known_s.get(thread, 0.0) for thread, now_s in self.waited_s.items()), default=0.0)
        pairs = zip(self.stolen_s, before.stolen_s, strict=False)
        return waited_s + max((now_s - before_s for now_s, before_s in pairs), default=0.0)


class CallDeadline:
    """Until when the answer of one call is waited for: its limit, without the time in which it had no processor.

    Of `limit_s`, `spent_s` may be over already, if the call ran while something else was waited for.
    """

    def __init__(self, limit_s: float, spent_s: float = 0.0) -> None:
        now_s = time.monotonic()
        self._began_s, self._limit_s = now_s - spent_s, limit_s
        self._ends_s = self._began_s + limit_s
        self._looks_s = min(now_s + min(_FIRST_LOOK_S, limit_s / 2), self._ends_s)
        self._before: Look | None = None
        self._had_s = spent_s

    @property
    def left_s(self) -> float:
        """Seconds until `extend` is to be asked, at least a thousandth."""
        return max((self._looks_s if self._before is None else self._ends_s) - time.monotonic(), 0.001)

    def extend(self, pid: int) -> bool:
        """Look at the processes below `pid`; return whether there is time left.

        A call that has computed for as long as its limit, on however many processors, gets no more.
        """
        now_s, now = time.monotonic(), look(pid)
        if self._before is None:
            self._before = Look(idle_s=now.idle_s) if self._had_s else now
            if now_s < self._ends_s:
                return True
        has_computed = now.computed_s - self._before.computed_s >= self._limit_s
        more_s = 0.0 if has_computed else min(self._find_kept_s(now), (MOST_TIMES - 1) * self._limit_s)
        self._ends_s = self._began_s + self._limit_s + more_s
        return self._ends_s > now_s

    def kept_s(self, pid: int) -> float:
        """Return for how long the machine kept the processes below `pid` from a processor; 0 for a short call."""
        return 0.0 if self._before is None else self._find_kept_s(look(pid))

    def _find_kept_s(self, now: Look) -> float:
        elapsed_s = time.monotonic() - self._began_s
        return min(now.kept_s(self._before or Look(), elapsed_s), elapsed_s)


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


def look(pid: int) -> Look:
    """Return what the processes below `pid` had and wanted so far.

    Linux counts what a thread waited in `/proc/<pid>/task/<thread>/schedstat`, in nanoseconds.
    """
    import psutil  # noqa: PLC0415 - only calls that take long need it

    computed_s, waited_s = 0.0, {}
    with suppress(psutil.Error):
        for process in psutil.Process(pid).children(recursive=True):
            with suppress(psutil.Error, OSError):
                times = process.cpu_times()
                computed_s += times.user + times.system
                for file in Path(f"/proc/{process.pid}/task").glob("*/schedstat"):
                    waited_s[int(file.parent.name)] = int(file.read_text().split()[1]) / 1e9
    processors = psutil.cpu_times(percpu=True)
    stolen_s = tuple(getattr(processor, "steal", 0.0) for processor in processors)
    idle_s = sum(processor.idle + getattr(processor, "iowait", 0.0) for processor in processors)
    return Look(computed_s, waited_s or None, stolen_s, idle_s)
