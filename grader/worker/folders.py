"""Temporary folders that nothing leaves behind, however the grader ends.

    <temporary folder>/grader-<kind>-<this machine>-<random>/

Whoever makes one holds a lock of the kernel on it, which ends with the process, and removes it in the end. What a
killed grader could not remove has no lock any more: the next one that needs such a folder removes it. A folder is
touched only if its name is one of ours and of this machine's (others may share a network's disk), if it is no link, if
it belongs to this user, or for root to a worker of root's, and if nobody holds the lock.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from grader.intake.disk import take_lock
from grader.worker.supervisor import remove_tree

WORKER_IDS = range(61184, 61184 + 4336)
"""Who root's workers are: the range of `grader.sandbox.identity`."""
_MACHINE = f"{zlib.crc32(os.fsencode(os.uname().nodename)):08x}"
_NAME = re.compile(rf"grader-[a-z]+-{_MACHINE}-[0-9a-f]{{16}}")


@contextlib.contextmanager
def temporary_folder(kind: str) -> Iterator[Path]:
    """Make a folder for the block, one word saying what for, and remove it afterwards with all that is in it.

    Raises:
        OSError: it cannot be made; nothing stays.
    """
    _remove_abandoned()
    folder = f"{tempfile.gettempdir()}/grader-{kind}-{_MACHINE}-{secrets.token_hex(8)}"
    lock = None
    try:  # from here on the folder is known: Ctrl-C may come in any line, since any thread may take the signal
        try:
            lock = _make(folder)
            yield Path(folder)
        finally:
            if lock is not None:
                os.close(lock)  # first: where descriptors are scarce, the removal needs it
            remove_tree(folder)
    except KeyboardInterrupt:  # in the removal, too
        remove_tree(folder)
        raise


def _make(folder: str) -> int:
    """Make `folder` and return the descriptor that holds its lock."""
    while True:
        os.mkdir(folder, 0o700)  # noqa: PTH102 - a text
        try:
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:  # another grader found it unlocked in this moment, and removed it
            continue
        with contextlib.suppress(OSError):  # a disk without locks: then nobody else can take one, and remove it
            take_lock(lock)
        if os.path.isdir(folder):  # noqa: PTH112 - a text
            return lock
        os.close(lock)


def _remove_abandoned() -> None:
    """Remove the folders of this user whose owners are gone."""
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for path in [entry.path for entry in entries if _NAME.fullmatch(entry.name)]:
            with contextlib.suppress(OSError):  # somebody's, a link, locked, or gone meanwhile
                _remove_unless_owned(path)


def _remove_unless_owned(path: str) -> None:
    """Remove the folder `path`, unless somebody holds its lock; `OSError` if it is a link, or cannot be locked."""
    lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        owner, user = os.fstat(lock).st_uid, os.geteuid()
        if not take_lock(lock, waits=False):
            return
        if user == 0 and owner in WORKER_IDS:
            os.fchown(lock, 0, 0)  # from here on, nobody can exchange what is in it
            os.fchmod(lock, 0o700)
            owner = 0
        if owner == user and os.path.samestat(os.fstat(lock), os.lstat(path)):
            remove_tree(path)
    finally:
        os.close(lock)
