"""Reports: every format is a function of a `Report`, and only `files` writes.

    html, junit, gradescope, terminal    Report → text
    evidence                             Evidence ↔ bytes, enough to score again
    story, plots                         what all of them say, in words and in coordinates
    files                                the one place that puts reports on the disk
    write_atomically                     here: one file, whole or not at all, for everybody who writes

They compute no score. Whatever a student wrote goes through `story.clean` here once more before it is shown.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from grader.errors import GraderError


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
        message = f"{path} cannot be written ({error.strerror}): free some space or choose another folder with --out."
        raise GraderError(message) from error
    finally:
        temporary.unlink(missing_ok=True)
    return path


def _write_through(path: Path, content: bytes) -> None:
    """Create `path` with `content`, and return when the disk has it."""
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
