"""How a worker ended, in words: the line that the supervisor sends after it."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass

from grader.worker.launcher import Limits

_SHELL_SIGNALS = 128
"""A sandbox that waits for the worker reports an ending by signal n as exit code 128 + n, as shells do."""
_GIB, _MIB = 1 << 30, 1 << 20


@dataclass(frozen=True, slots=True)
class Ending:
    """What became of a worker. `limit` names what it had too much of, such as `4 GiB of memory`."""

    how: str
    limit: str = ""


def describe_ending(line: bytes, limits: Limits) -> Ending:
    """Return the ending that `line`, a wait status and perhaps the name of a limit, tells of."""
    words = line.decode("ascii", "replace").split()
    if not words or not words[0].isdigit():
        return Ending("it closed its connection")
    if len(words) > 1 and (limit := _name_limit(words[1], limits)):
        return Ending(f"it had more than {limit}", limit)
    status = int(words[0])
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status) - _SHELL_SIGNALS
    if number not in {known.value for known in signal.Signals}:
        return Ending(f"it ended itself with exit code {os.WEXITSTATUS(status)}")
    if number == signal.SIGXCPU:
        limit = f"{limits.cpu_s} s of processor time"
        return Ending(f"it had more than {limit}", limit)
    return Ending(f"it was ended by {signal.Signals(number).name}")


def _name_limit(name: str, limits: Limits) -> str:
    """Return the limit that the supervisor calls `name` with its size, empty if there is none of that name."""
    return {
        "memory": f"{describe_size(limits.memory_bytes)} of memory",
        "scratch": f"{describe_size(limits.scratch_bytes)} of files",
        "output": f"{describe_size(limits.output_bytes)} of output",
        "tasks": f"{limits.most_tasks} processes",
    }.get(name, "")


def describe_size(size_bytes: int) -> str:
    """Return a size as people write it: `4 GiB`, `256 MiB`."""
    return f"{size_bytes / _GIB:g} GiB" if size_bytes >= _GIB else f"{size_bytes / _MIB:g} MiB"
