"""Reports: every format is a function of a `Report`, and only `files` writes.

    html, junit, gradescope, terminal    Report → text
    evidence                             Evidence ↔ bytes, enough to score again
    story, plots                         what all of them say, in words and in coordinates
    files                                the one place that puts reports on the disk
    write_atomically                     here: one file, whole or not at all, for everybody who writes
    expect_writable                      here: whether that will go well, before the work

They compute no score. Whatever a student wrote goes through `story.clean` here once more before it is shown.
"""

from __future__ import annotations

import errno
import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from grader.errors import GraderError, UsageError

_ROOM_BYTES = 1 << 20
"""What the reports on one submission take, with their pictures."""


def expect_writable(folder: Path) -> None:
    """Try, before minutes of work, whether reports can be written into `folder`; nothing of the trial stays.

    Raises:
        UsageError: it cannot be made, or this user may not write there.
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
            with suppress(OSError):  # it was not made
                path.rmdir()


def describe_unwritable(folder: Path, error: OSError) -> GraderError:
    """Return the error, with the next step, that reports cannot be written into `folder` because of `error`."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return GraderError(f"There is no space for reports in {folder}: free some, or choose another with --out.")
    why = error.strerror
    for path in (folder, *folder.parents):
        if path.is_symlink() and not path.exists():
            why = f"{path} is a link that leads nowhere"
        elif path.is_file():
            why = f"{path} is a file"
    return UsageError(f"Reports cannot be written into {folder} ({why}): choose another folder with --out.")


def write_atomically(path: Path, content: bytes) -> Path:
    """Write `content` beside `path`, then rename it into place, so that a reader sees the old file or the new one.

    Raises:
        GraderError: the disk or the folder refuses.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        _write_through(temporary, content)
        temporary.replace(path)
    except OSError as error:
        raise GraderError(
            f"{path} cannot be written ({error.strerror}): free some space or choose another folder with --out."
        ) from error
    finally:
        temporary.unlink(missing_ok=True)
    return path


def _write_through(path: Path, content: bytes) -> None:
    """Create `path` with `content`, and return when the disk has it."""
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
