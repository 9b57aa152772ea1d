"""What the processes below this one take, read from /proc; empty answers where there is none."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_UTIME, _STIME = 11, 12
"""Positions of user and system time in /proc/<pid>/stat, counted after the command's name (proc(5))."""


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
