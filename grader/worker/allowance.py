"""How long the grader waits for student code: in one call, and in all calls of a grading together."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

MOST_TIMES = 3  # a call gets at most so many times its limit, if the machine gives its worker no processor
_FIRST_LOOK_S = 0.5  # the grader does not inspect the processes of calls that take no longer than this
_IDLE = 0.1  # if this share of a machine's processors is idle, no process is waiting for one
_LEAST_S = 1.0  # with less than this left, no call is begun


@dataclass(frozen=True, slots=True)
class Look:
    """Processor times of some processes, and of their machine, in seconds since each of them began."""

    computed_s: float = 0.0
    waited_s: dict[int, float] | None = field(default_factory=dict)
    """Thread -> for how long it could have run and had no processor; None where the system does not tell."""
    stolen_s: tuple[float, ...] = ()  # for each processor of a virtual machine, the time that the host took from it
    idle_s: float = 0.0  # idle time of all processors together

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
    """Until when the grader waits for one call: its limit, and the time in which the call had no processor.

    `spent_s` of `limit_s` are over already, if the call ran while the grader waited for something else.
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
        """Seconds until `extend` must be called, at least a thousandth."""
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
        self.calls_again = True
        """Whether a function that was stopped is called once more; not worth it in a check without points."""

    def limit(self, wanted_s: float) -> float:
        """Return the limit of the next call: `wanted_s`, but at most half of what is left; 0 if it may not begin."""
        return min(wanted_s, self._left_s / 2) if self._left_s >= _LEAST_S else 0.0

    def spend(self, seconds: float) -> None:
        """Subtract the seconds that a call took."""
        self._left_s -= seconds


def look(pid: int) -> Look:
    """Return the processor times of the processes below `pid`, and of the machine, so far.

    Linux counts the waiting time of a thread in `/proc/<pid>/task/<thread>/schedstat`, in nanoseconds.
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
