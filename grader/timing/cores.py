"""How busy the cores are, and with whom: Linux's books in /proc. Elsewhere everything is unknown."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_IDLE, _IOWAIT, _STEAL = 3, 4, 7
"""Columns of a `cpu` line of /proc/stat; see proc(5). User and system time contain those of guests already."""
_COUNTED = 8
_PARENT, _OWN_TIMES, _ALLOWED = 1, slice(11, 15), "Cpus_allowed_list:"
"""Columns of /proc/PID/stat after the name: the parent, and the four times, those of awaited children included."""


@dataclass(frozen=True, slots=True)
class Core:
    """The books of one core since the machine was started, in seconds."""

    number: int
    busy_s: float
    stolen_s: float
    """What a hypervisor gave to other virtual machines meanwhile."""
    total_s: float
    ours_s: float
    """What our own processes, those pinned to this core alone, took of `busy_s`; of any core while they lived."""


def read_core(number: int, ours: Iterable[int], proc: Path = PROC) -> Core | None:
    """Return the books of core `number`; `ours` are processes whose descendants are ours as well."""
    try:
        lines = (proc / "stat").read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        name, *columns = line.split()
        if name == f"cpu{number}":
            ticks = [int(column) for column in columns[:_COUNTED]] + [0] * (_COUNTED - len(columns))
            idle = ticks[_IDLE] + ticks[_IOWAIT]
            return Core(
                number,
                busy_s=(sum(ticks) - idle - ticks[_STEAL]) / _TICKS_PER_S,
                stolen_s=ticks[_STEAL] / _TICKS_PER_S,
                total_s=sum(ticks) / _TICKS_PER_S,
                ours_s=spent_cpu_s(find_family(ours, proc), proc, pinned_to=number),
            )
    return None


def read_load(proc: Path = PROC) -> tuple[float, int] | None:
    """Return the load of the last minute, and how many tasks run or could run at this moment, this one included."""
    try:
        minute, _five, _fifteen, tasks, *_ = (proc / "loadavg").read_text().split()
    except (OSError, ValueError):
        return None
    return float(minute), int(tasks.split("/")[0])


def find_family(roots: Iterable[int], proc: Path = PROC) -> frozenset[int]:
    """Return `roots` and all their living descendants."""
    children: dict[int, list[int]] = {}
    for folder in proc.glob("[0-9]*"):
        columns = _read_columns(folder)
        if columns:
            children.setdefault(int(columns[_PARENT]), []).append(int(folder.name))
    family, waiting = set(roots), list(roots)
    while waiting:
        born = [pid for pid in children.get(waiting.pop(), ()) if pid not in family]
        family.update(born)
        waiting += born
    return frozenset(family)


def spent_cpu_s(pids: Iterable[int], proc: Path = PROC, pinned_to: int | None = None) -> float:
    """Return the CPU time of `pids` and of their children that ended, in seconds.

    With `pinned_to`, only processes count that may run on that core and no other. A child's time moves to its parent
    when it is waited for, so that the sum over a family never falls.
    """
    total = 0.0
    for pid in pids:
        folder = proc / str(pid)
        if pinned_to is None or _allowed(folder) == str(pinned_to):
            total += sum(map(int, _read_columns(folder)[_OWN_TIMES]))
    return total / _TICKS_PER_S


def _read_columns(process: Path) -> list[str]:
    """Return what follows the name in /proc/PID/stat; the name itself may contain anything. Empty if it is gone."""
    try:
        return (process / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _allowed(process: Path) -> str:
    try:
        lines = (process / "status").read_text(errors="replace").splitlines()
    except OSError:
        return ""
    return next((line.split()[-1] for line in lines if line.startswith(_ALLOWED)), "")
