"""Locks of a GPU or of cores, between all processes and users of this machine.

    with hold(resources(gpu.uuid, cores=[3]), progress) as waited_s: ...      # the timed section

A resource is a file in a folder that all users share. A process that has the `flock` of the file has the resource; the
kernel releases the lock when the process ends, however it ends. A process that waits takes a ticket: the number of
nanoseconds of the machine's monotonic clock. It marks the byte of that number in the file with a lock of the open file
description, which also ends with the process. Its turn comes when no lower byte is marked. So nothing is written.

All users can write to the folder, so nothing in it is trusted: files are opened relative to the folder, without
following links, for reading only, and must be plain files. Another user can at worst make us wait.
"""

import errno
import fcntl
import os
import re
import stat
import struct
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from grader.errors import GraderError
from grader.intake.disk import leave_lock, take_lock

FOLDERS = (Path("/run/lock"), Path("/tmp"))  # noqa: S108 - shared by all users on purpose; see the module's docstring
"""The folder of locks is made in the first to which all users may write. `TMPDIR` differs between users and jobs."""
NAME = "gpu-grader"
POLL_S = 0.02
LIMIT_S = 3600.0
_STICKY_FOR_ALL = 0o1777
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")
_FLOCK = "hhqqi"  # C's `struct flock` on 64-bit Linux: type, whence, start, length, process; native alignment, as in C


def resources(gpu_uuid: str = "", cores: Iterable[int] = ()) -> tuple[str, ...]:
    """Return the names of a GPU and of single cores: so sets of cores that overlap exclude each other."""
    return (*([f"gpu-{gpu_uuid}"] if gpu_uuid else []), *(f"core-{core}" for core in sorted(set(cores))))


@contextmanager
def hold(
    wanted: str | Sequence[str],
    progress: Callable[[str], None] = lambda _text: None,
    *,
    limit_s: float = LIMIT_S,
    folder: Path | None = None,
) -> Iterator[float]:
    """Hold `wanted`, one resource or several, while the block runs; yield the seconds that were spent waiting.

    Several are taken in sorted order, so two processes never wait for each other. A resource that this process holds
    already is not free: the call waits until the limit.

    Args:
        wanted: Names, as `resources` makes them.
        progress: Called once for each resource that is not free.
        limit_s: How long to wait in all.
        folder: Where the files are; by default in the first of `FOLDERS` to which all users may write.

    Raises:
        GraderError: the folder cannot be trusted, or the wait took longer than `limit_s`.
    """
    names = sorted({wanted} if isinstance(wanted, str) else set(wanted))
    began_s = time.monotonic()
    with ExitStack() as locks:
        if names:
            at = locks.enter_context(_opened(folder or choose_folder()))
            for name in names:
                locks.enter_context(_held(at, name, progress, began_s + limit_s))
        yield time.monotonic() - began_s


def choose_folder() -> Path:
    """Return the folder of this machine's locks."""
    shared = [path for path in FOLDERS if path.is_dir() and _is_for_all(path.stat().st_mode)]
    return (shared or [FOLDERS[-1]])[0] / NAME


def _is_for_all(mode: int) -> bool:
    return stat.S_IMODE(mode) & _STICKY_FOR_ALL == _STICKY_FOR_ALL


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """Make `folder`, for all users, unless it is there, and yield a descriptor of it."""
    try:
        with suppress(FileExistsError):
            folder.mkdir()
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise GraderError(
            f"the folder of locks {folder} cannot be used ({error.strerror}): make it a folder of mode 1777"
        ) from error
    try:
        status = os.fstat(descriptor)
        if status.st_uid == os.geteuid() and not _is_for_all(status.st_mode):
            os.fchmod(descriptor, _STICKY_FOR_ALL)  # whatever the umask is
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _held(folder: int, name: str, progress: Callable[[str], None], deadline_s: float) -> Iterator[None]:
    """Wait for the turn, take the lock, and release it in the end."""
    file_name = f"{_UNSAFE.sub('_', name)[:100]}.lock"
    descriptor = _open_file(folder, file_name)
    try:
        ticket = time.monotonic_ns()
        _mark(descriptor, ticket, fcntl.F_RDLCK)
        has_told = False
        while not (_is_my_turn(descriptor, ticket) and take_lock(descriptor, waits=False)):
            if time.monotonic() > deadline_s:
                raise GraderError(f"{name} was not free in time: another process keeps {file_name} locked")
            if not has_told:
                progress(f"waiting for {name}, which another grading is measuring on")
                has_told = True
            time.sleep(POLL_S)
        _mark(descriptor, ticket, fcntl.F_UNLCK)
        yield
    finally:
        leave_lock(descriptor)  # even if a child that was forked meanwhile keeps the file open
        os.close(descriptor)


def _open_file(folder: int, name: str) -> int:
    """Return a descriptor of the plain file `name`, made if it is missing.

    It is opened without O_CREAT: Linux refuses this for other users' files in shared folders (fs.protected_regular).
    """
    usual = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        with suppress(FileExistsError):
            os.close(os.open(name, usual | os.O_CREAT | os.O_EXCL, 0o644, dir_fd=folder))
        descriptor = os.open(name, usual, dir_fd=folder)
    except OSError as error:
        reason = "it is a link" if error.errno == errno.ELOOP else error.strerror
        raise GraderError(f"the lock {name} cannot be used ({reason}): remove it from the folder of locks") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise GraderError(f"the lock {name} is no plain file: remove it from the folder of locks")
    with suppress(PermissionError):  # another user's
        os.fchmod(descriptor, 0o644)
    return descriptor


def _mark(descriptor: int, ticket: int, kind: int) -> None:
    """Mark or unmark the byte `ticket`; without locks of open file descriptions, turns come in any order."""
    if hasattr(fcntl, "F_OFD_SETLK"):
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, struct.pack(_FLOCK, kind, os.SEEK_SET, ticket, 1, 0))


def _is_my_turn(descriptor: int, ticket: int) -> bool:
    """Return whether no byte below `ticket` is marked by anybody else."""
    if not hasattr(fcntl, "F_OFD_GETLK"):
        return True
    asked = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, ticket, 0)
    return bool(struct.unpack(_FLOCK, fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, asked))[0] == fcntl.F_UNLCK)
