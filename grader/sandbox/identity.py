"""Who the worker is. A grader that runs as root gives each worker a user id that nobody else has."""

from __future__ import annotations

import contextlib
import ctypes
import os
from typing import NamedTuple

from grader.sandbox.kernel import control_process, set_capabilities

_FIRST_ID, _IDS = 61184, 4336
"""The range that systemd keeps for users that exist only while a program runs; it fits every container's map."""
_CAPABILITY_VERSION = 0x20080522
_DAC_READ_SEARCH = 2
_LAST_CAPABILITY = 63
_SET_DUMPABLE, _SET_KEEPCAPS, _DROP_BOUNDING, _AMBIENT, _AMBIENT_RAISE = 4, 8, 24, 47, 2


class Identity(NamedTuple):
    """What becomes of the user id. An ordinary user stays who they are, and has nothing to give up."""

    drops: bool = False
    """Whether to leave root for a fresh user id; its processes are then counted, and cannot touch anybody else's."""
    reads: bool = False
    """Whether to keep root's permission to read, for an interpreter or folder that only root can reach.
    The sandbox alone then decides what can be opened."""

    def fresh_id(self) -> int:
        """Return the id of the next worker: 0 for staying who one is, else one out of some thousand, at random."""
        return _FIRST_ID + int.from_bytes(os.urandom(4), "big") % _IDS if self.drops else 0


def identities() -> tuple[Identity, ...]:
    """Return what to try on this machine, the best first."""
    if os.geteuid() != 0:
        return (Identity(),)
    return (Identity(drops=True), Identity(drops=True, reads=True), Identity())


def let_through(folder: str) -> None:
    """Let a worker's own user id pass through a temporary folder of root's, whose names it still cannot list.

    In a container root may give files away, and often may not read what is closed to others: the worker then needs it.
    """
    if os.geteuid() == 0:
        os.chmod(folder, 0o711)  # noqa: PTH101, S103 - pathlib costs the worker 8 ms; the name of the folder is random


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


def take_identity(user_id: int, *, reads: bool) -> None:
    """Become `user_id` (0: stay) and lose every capability, but that to read if `reads`; does nothing as a user.

    Raises:
        OSError: root may not change its id here, as in a container that maps a single one.
    """
    if os.geteuid() != 0:
        return
    kept = {_DAC_READ_SEARCH} if reads else set()
    for capability in {*range(_LAST_CAPABILITY + 1)} - kept:
        with contextlib.suppress(OSError):  # the kernel has fewer, or has taken this one already
            control_process(_DROP_BOUNDING, capability)
    if user_id:
        control_process(_SET_KEEPCAPS, 1)
        os.setgroups([])
        os.setresgid(user_id, user_id, user_id)
        os.setresuid(user_id, user_id, user_id)
        control_process(_SET_DUMPABLE, 1)
    _keep_capabilities(1 << _DAC_READ_SEARCH if reads else 0)
    if reads:
        control_process(_AMBIENT, _AMBIENT_RAISE, _DAC_READ_SEARCH)


def _keep_capabilities(mask: int) -> None:
    low, high = mask & 0xFFFFFFFF, mask >> 32
    data = (ctypes.c_uint32 * 6)(low, low, low, high, high, high)
    set_capabilities(_Header(_CAPABILITY_VERSION, 0), data)
