"""Whether a folder can be checked on this machine; if not, one sentence with the command that helps."""

from __future__ import annotations

import sys
from pathlib import Path

from grader.assignment import Assignment
from grader.errors import UsageError

UNIX_ONLY = (
    "checks need Linux or macOS, because your code runs in a process of its own that Windows cannot start this way: "
    "install WSL (`wsl --install`), open its terminal and type the same commands there; "
    "`zip` and `data` work here as well"
)


def can_check() -> bool:
    """Return whether checks can run on this system."""
    return sys.platform != "win32"


def expect_checkable(folder: Path, assignment: Assignment) -> None:
    """Raise `UsageError` unless checks can run on this system and `folder` is a place where they make sense."""
    if not can_check():
        raise UsageError(UNIX_ONLY)
    expect_folder(folder, assignment)


def expect_folder(folder: Path, assignment: Assignment) -> None:
    """Raise `UsageError` unless `folder` holds a Python file that the assignment asks for; say where one does."""
    sources = [name for name in assignment.files if name.endswith(".py")]
    if not folder.exists():
        raise UsageError(f"there is no folder {folder}: name the one with {', '.join(sources)}")
    if folder.is_file():
        raise UsageError(f"{folder} is a file: name the folder that it is in")
    if any((folder / name).is_file() for name in sources):
        return
    inside = sorted(path.parent for path in folder.glob(f"*/{sources[0]}"))
    where = f"go there with `cd {inside[0]}`" if inside else "go to the folder that you unzipped, or name it"
    raise UsageError(f"there is none of {', '.join(sources)} in {folder.resolve()}: {where}")
