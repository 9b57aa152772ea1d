"""The user id of a worker. A grader that runs as root gives each worker its own user id."""

import contextlib
import ctypes
import os
from typing import NamedTuple

from grader.sandbox.kernel import control_process, set_capabilities

_FIRST_ID, _IDS = 61184, 4336
"""systemd's range for users that exist only while a program runs; containers usually map all of its ids."""
_CAPABILITY_VERSION = 0x20080522
_DAC_READ_SEARCH = 2
_LAST_CAPABILITY = 63
_SET_DUMPABLE, _SET_KEEPCAPS, _DROP_BOUNDING, _AMBIENT, _AMBIENT_RAISE = 4, 8, 24, 47, 2


class Identity(NamedTuple):
    """How a worker's user id changes. An ordinary user keeps the same id and has no rights to give up."""

    drops: bool = False
    """Whether to change from root to a fresh user id, whose processes are counted and cannot touch other users'."""
    reads: bool = False
    """Whether to keep root's permission to read, for an interpreter or folder that only root can reach.
    Then only the sandbox decides which files can be opened."""

    def fresh_id(self) -> int:
        """Return the id for the next worker: 0 for no change, else a random id from the range above."""
        return _FIRST_ID + int.from_bytes(os.urandom(4), "big") % _IDS if self.drops else 0


def identities() -> tuple[Identity, ...]:
    """Return the identities to try on this machine, the best first."""
    if os.geteuid() != 0:
        return (Identity(),)
    return (Identity(drops=True), Identity(drops=True, reads=True), Identity())


def let_through(folder: str) -> None:
    """Let a worker with its own user id enter a temporary folder of root; it still cannot list the folder's names.

    In a container, root often lacks the permission to read files that are closed to others; the worker lacks it, too.
    """
    if os.geteuid() == 0:
        os.chmod(folder, 0o711)  # noqa: PTH101, S103 - pathlib costs the worker 8 ms; the name of the folder is random


def take_identity(user_id: int, *, reads: bool) -> None:
    """As root, change to `user_id` (0: no change) and drop all capabilities, except that to read if `reads`.

    Raises:
        OSError: root cannot change its id here, for example in a container that maps only one id.
    """
    if os.geteuid() != 0:
        return
    kept = {_DAC_READ_SEARCH} if reads else set()
    for capability in {*range(_LAST_CAPABILITY + 1)} - kept:
        with contextlib.suppress(OSError):  # the kernel lacks this capability, or it was dropped already
            control_process(_DROP_BOUNDING, capability)
    if user_id:
        control_process(_SET_KEEPCAPS, 1)
        os.setgroups([])
        os.setresgid(user_id, user_id, user_id)
        os.setresuid(user_id, user_id, user_id)
        control_process(_SET_DUMPABLE, 1)
    mask = 1 << _DAC_READ_SEARCH if reads else 0  # the capabilities that stay
    low, high = mask & 0xFFFFFFFF, mask >> 32
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)  # 0: this process
    set_capabilities(header, (ctypes.c_uint32 * 6)(low, low, low, high, high, high))
    if reads:
        control_process(_AMBIENT, _AMBIENT_RAISE, _DAC_READ_SEARCH)
