"""What runs below this process: to find what a grading leaves behind, and nothing that others run on this machine."""

import contextlib
import ctypes
import time

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


def what_stays(look):
    """Return what `look` finds, as soon as that is nothing, or after `ENDING_S`."""
    deadline = time.monotonic() + ENDING_S
    while (found := look()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found
