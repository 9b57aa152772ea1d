"""Processes and shared memory that gradings of this process left behind, and nothing of others on this machine."""

import contextlib
import ctypes
import time
from pathlib import Path

import psutil

ADOPT_ORPHANS = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2)."""
ENDING_S = 30.0
"""For what has been ended to be gone, on a busy machine."""


@contextlib.contextmanager
def orphans_adopted():
    """Let processes below this one that lose their parent become its children, daemons too, within the block."""
    prctl = ctypes.CDLL(None).prctl
    assert prctl(ADOPT_ORPHANS, 1, 0, 0, 0) == 0
    try:
        yield
    finally:
        prctl(ADOPT_ORPHANS, 0, 0, 0, 0)


def processes():
    """Return what runs below this process; what has ended, and waits to be counted, is nothing that is left."""
    found = set()
    for one in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            found |= {f"{one.pid} {one.name()}"} if one.status() != psutil.STATUS_ZOMBIE else set()
    return found


def memory_of_nobody():
    """Return shared memory whose maker is gone: System V segments by number, and the MPI library's files."""
    rows = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    segments = {f"segment {row.split()[1]}" for row in rows if not psutil.pid_exists(int(row.split()[4]))}
    return segments | {str(path) for path in Path("/dev/shm").glob("*mpich*")}


def what_stays(look):
    """Return what `look` finds, as soon as that is nothing, or after `ENDING_S`."""
    deadline = time.monotonic() + ENDING_S
    while (found := look()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


def memory_that_stays(before):
    """Return memory of nobody that was not there `before`; what ranks of another run make later is not counted."""
    left = memory_of_nobody() - before
    return what_stays(lambda: left & memory_of_nobody())
