"""Temporary folders that are removed however the grader ends.

    <temporary folder>/grader-<kind>-<this machine>-<random>/

The process that makes a folder holds a lock on it, which ends with the process, and removes the folder in the end. A
folder that a killed grader left has no lock: the next grader that makes such a folder removes it. It removes a folder
only if the name has this form and this machine's id (several machines may share a disk), if it is no link, if it
belongs to this user (for root, also to a worker that root started), and if no process holds the lock.
"""

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

WORKER_IDS = range(61184, 61184 + 4336)  # user ids of workers that root starts: the range of `grader.sandbox.identity`
_MACHINE = f"{zlib.crc32(os.fsencode(os.uname().nodename)):08x}"
_NAME = re.compile(rf"grader-[a-z]+-{_MACHINE}-[0-9a-f]{{16}}")


@contextlib.contextmanager
def temporary_folder(kind: str) -> Iterator[Path]:
    """Make a folder for the block, and remove it afterwards with all that is in it; its name has the word `kind`.

    Raises:
        OSError: the folder cannot be made; nothing is left behind.
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
                os.close(lock)  # first: if descriptors are scarce, the removal needs this one
            remove_tree(folder)
    except KeyboardInterrupt:  # Ctrl-C may also come during the removal
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
