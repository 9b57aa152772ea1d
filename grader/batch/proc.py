"""What processes take and processors leave, read from /proc; empty answers where there is none."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_UTIME, _STIME = 11, 12
"""Positions of user and system time in /proc/<pid>/stat, counted after the command's name (proc(5))."""
_IDLE, _IOWAIT = 3, 4
"""Positions of idle times in a line of /proc/stat (proc(5))."""


def idle_s() -> float:
    """Return how long the processors that this process may use have had nothing to do since the machine's start."""
    mine = {f"cpu{core}" for core in os.sched_getaffinity(0)} if hasattr(os, "sched_getaffinity") else set()
    with contextlib.suppress(OSError, IndexError, ValueError):
        lines = [line.split() for line in Path("/proc/stat").read_text().splitlines() if line.startswith("cpu")]
        return sum(int(t[1 + _IDLE]) + int(t[1 + _IOWAIT]) for t in lines if t[0] in mine) * _TICK_S
    return 0.0


def below(root: int) -> list[int]:
    """Return `root` and the process ids of all its descendants."""
    found, queue = [], [root]
    while queue:
        pid = queue.pop()
        found.append(pid)
        with contextlib.suppress(OSError):  # it ended meanwhile
            for task in Path(f"/proc/{pid}/task").iterdir():
                queue += map(int, (task / "children").read_text().split())
    return found


def cpu_s(pid: int) -> float:
    """Return the processor time that `pid` itself has taken, in seconds; 0 if it is gone."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rsplit(")", 1)[1].split()
        return (int(fields[_UTIME]) + int(fields[_STIME])) * _TICK_S
    return 0.0
