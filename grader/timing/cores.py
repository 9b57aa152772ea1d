"""How busy the cores are, and with which processes; what only Linux tells is unknown elsewhere.

psutil reads the data of processes. The times of cores come from /proc/stat: psutil lists them without the numbers of
the cores, and would confuse cores if one is switched off.
"""

import os
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_IDLE, _IOWAIT, _STEAL = 3, 4, 7
"""Columns of a `cpu` line of /proc/stat; see proc(5). User and system time contain those of guests already."""
_COUNTED = 8


@dataclass(frozen=True, slots=True)
class CoreTimes:
    """The times of some cores together since the machine was started, in seconds."""

    numbers: tuple[int, ...]
    busy_s: float
    stolen_s: float  # time that a hypervisor gave to other virtual machines
    total_s: float
    ours_s: float  # CPU time of our processes that are pinned to these cores, on whichever core they have spent it


def read_times(numbers: Collection[int], ours: Iterable[int]) -> CoreTimes | None:
    """Return the times of the cores `numbers`; `ours` are processes whose descendants are ours as well.

    None if there are no cores, or if this system does not tell the times of one of them.
    """
    known = _read_ticks()
    if not numbers or not known.keys() >= {*numbers}:
        return None
    ticks = [sum(column) for column in zip(*(known[number] for number in numbers), strict=True)]
    idle = ticks[_IDLE] + ticks[_IOWAIT]
    return CoreTimes(
        tuple(numbers),
        busy_s=(sum(ticks) - idle - ticks[_STEAL]) / _TICKS_PER_S,
        stolen_s=ticks[_STEAL] / _TICKS_PER_S,
        total_s=sum(ticks) / _TICKS_PER_S,
        ours_s=spent_cpu_s(find_family(ours), numbers),
    )


def read_idle_s(cores: Collection[int]) -> float:
    """Return the seconds that `cores` together have been idle since the machine's start."""
    ticks = (each for number, each in _read_ticks().items() if number in cores)
    return sum(each[_IDLE] + each[_IOWAIT] for each in ticks) / _TICKS_PER_S


def read_load() -> tuple[float | None, int | None]:
    """Return the load of the last minute, and how many tasks run or could run at this moment, this one included."""
    try:
        minute, _five, _fifteen, tasks, *_ = (Path(psutil.PROCFS_PATH) / "loadavg").read_text().split()
    except (OSError, ValueError):
        return None, None
    return float(minute), int(tasks.split("/")[0])


def find_family(roots: Iterable[int]) -> frozenset[int]:
    """Return `roots` and all their living descendants."""
    family = set(roots)
    for root in tuple(family):
        with suppress(psutil.Error):  # the process has ended
            family.update(child.pid for child in psutil.Process(root).children(recursive=True))
    return frozenset(family)


def spent_cpu_s(pids: Iterable[int], numbers: Collection[int]) -> float:
    """Return the CPU time, in seconds, of those of `pids` that are pinned to these cores, and of their ended children.

    A child's time moves to its parent when the parent waits for it, so the sum over a family never falls.
    """
    total_s = 0.0
    for pid in pids:
        with suppress(psutil.Error):
            process = psutil.Process(pid)
            if {*numbers}.issuperset(process.cpu_affinity()):
                times = process.cpu_times()
                total_s += times.user + times.system + times.children_user + times.children_system
    return total_s


def _read_ticks() -> Mapping[int, list[int]]:
    """Return number of a core -> its columns of /proc/stat, in clock ticks; empty if there is no such file."""
    try:
        lines = (Path(psutil.PROCFS_PATH) / "stat").read_text().splitlines()
    except OSError:
        return {}
    named = (line.split() for line in lines if line.startswith("cpu") and line[3].isdecimal())
    return {int(name[3:]): [*map(int, ticks[:_COUNTED]), *[0] * (_COUNTED - len(ticks))] for name, *ticks in named}
