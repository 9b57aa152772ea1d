"""Alone on the GPU: while one grading of a batch is timed, the others wait before their next check.

Locks of the timed sections keep two of them apart. The gate keeps everything else of the batch away as well: a kernel
of somebody's correctness check would disturb the one that is measured, which then had to be measured again.

    turnstile   held for a moment by everybody who goes in, and by who wants to be alone until the others have come out
    room        shared by gradings at their checks; exclusive for the one that is timed

Both are locks of the kernel on files in the batch's folder: a process that is killed holds nothing. Nobody starves: who
waits to be alone holds the turnstile, so that no other check begins.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Collection
from pathlib import Path


class Gate:
    """One grading's way through the gate; made in the process that goes through it."""

    def __init__(self, folder: Path, alone: Collection[str]) -> None:
        self._alone = frozenset(alone)
        folder.mkdir(parents=True, exist_ok=True)
        self._turnstile, self._room = (
            os.open(folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644) for name in ("turnstile", "room")
        )

    def enter(self, check: str) -> None:
        """Come out of the check before, and wait until `check` may begin."""
        fcntl.flock(self._room, fcntl.LOCK_UN)
        fcntl.flock(self._turnstile, fcntl.LOCK_EX)
        fcntl.flock(self._room, fcntl.LOCK_EX if check in self._alone else fcntl.LOCK_SH)
        fcntl.flock(self._turnstile, fcntl.LOCK_UN)

    def close(self) -> None:
        """Come out for good."""
        os.close(self._room)
        os.close(self._turnstile)


def gated(progress: Callable[[str], None], gate: Gate) -> Callable[[str], None]:
    """Wait at `gate`, since workers use the GPU at their start; return what waits, then calls `progress`."""

    def told(check: str) -> None:
        gate.enter(check)
        progress(check)

    gate.enter("")
    return told
