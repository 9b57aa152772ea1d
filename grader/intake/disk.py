"""Atomic writes of files, tests whether folders can be written, and locks between processes.

The locks are the kernel's: it releases them when a process ends, in whatever way. A lock of a process is not inherited
by the processes that it forks; other locks belong to the open file.
"""

import errno
import hashlib
import os
import secrets
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from grader.errors import GraderError, UsageError

with suppress(ImportError):  # on Windows, where the kit makes zips and needs no locks
    import fcntl

_ROOM_BYTES = 1 << 20  # the size of the reports on one submission, with their pictures


def expect_writable(folder: Path) -> None:
    """Test, before minutes of work, whether files can be written into `folder`; the test leaves nothing behind.

    Raises:
        UsageError: the folder cannot be made, or this user may not write there.
        GraderError: its disk is full.
    """
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_ROOM_BYTES))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise describe_unwritable(folder, error) from error
    finally:
        for path in made:
            with suppress(OSError):  # this folder was not made
                path.rmdir()


def describe_unwritable(folder: Path, error: OSError) -> GraderError:
    """Return an error that says why files cannot be written into `folder`, with the next step."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return GraderError(f"There is no space for files in {folder}: free some, or choose another folder.")
    why = error.strerror
    for path in (folder, *folder.parents):
        if path.is_symlink() and not path.exists():
            why = f"{path} is a link that leads nowhere"
        elif path.is_file():
            why = f"{path} is a file"
    return UsageError(f"Files cannot be written into {folder} ({why}): choose another folder.")


def write_atomically(path: Path, content: bytes) -> Path:
    """Write `content` beside `path`, then rename it, so that a reader sees either the old file or the new one.

    The folder is made if it does not exist.

    Raises:
        UsageError: the folder cannot be made.
        GraderError: the file cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise describe_unwritable(path.parent, error) from error
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise GraderError(f"{path} cannot be written ({error.strerror}): free space or name another folder.") from error
    finally:
        with suppress(OSError):  # the file was renamed, or the disk takes no changes
            temporary.unlink()
    return path


def digest_of(files: Iterable[Path], root: Path) -> str:
    """Return a digest of the names and contents of `files`; if it changes, results that depend on them are outdated."""
    return digest_contents((file.relative_to(root).as_posix(), file.read_bytes()) for file in sorted(files))[:16]


def digest_contents(contents: Iterable[tuple[str, bytes]]) -> str:
    """Return the SHA-256 of names and contents, in their order."""
    digest = hashlib.sha256()
    for name, content in contents:
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def take_lock(descriptor: int, *, shared: bool = False, waits: bool = True, of_process: bool = False) -> bool:
    """Lock an open file, or change the lock on it; return whether it is locked now.

    Args:
        descriptor: Of the file, or of a folder.
        shared: Whether others may have a shared lock at the same time.
        waits: Whether to wait for others; if not, the result is `False` if another lock prevents this one.
        of_process: Whether the lock belongs to this process, not to the open file.

    Raises:
        OSError: the file system has no locks.
    """
    how = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if waits else fcntl.LOCK_NB)
    try:
        (fcntl.lockf if of_process else fcntl.flock)(descriptor, how)
    except (BlockingIOError, PermissionError):
        return False
    return True


def leave_lock(descriptor: int) -> None:
    """Release the lock that belongs to an open file."""
    fcntl.flock(descriptor, fcntl.LOCK_UN)
