"""A new assignment, of one of several kinds. Its name takes the place of `tiny` everywhere.

functions   two matrices are added, by loops and by a kernel
classes     a class adds up matrices, on the CPU and by a kernel
ranks       MPI ranks add up their arrays round a ring
"""

from __future__ import annotations

import re
from pathlib import Path

from grader.assignment import ASSIGNMENTS
from grader.errors import UsageError

TEMPLATES = Path(__file__).parent / "templates"
KINDS = ("functions", "classes", "ranks")
_NAME = re.compile(r"[a-z][a-z0-9]*")
_TINY = re.compile(r"\btiny\b|(?<=test_)tiny\b")


def make_scaffold(name: str, folder: Path, kind: str = KINDS[0]) -> list[Path]:
    """Write the files of a new assignment to `folder`/`name`, which has to be new, and return where they are.

    `kind` is one of `KINDS`.

    Raises:
        UsageError: the name cannot be one, or there is such an assignment; the folder cannot be written to.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} cannot be an assignment's name: use lower-case letters and digits, a letter first")
    for taken in (ASSIGNMENTS / name, folder / name):
        if taken.exists():
            raise UsageError(f"there is {taken} already: choose another name than {name}")
    made = []
    templates = TEMPLATES / kind
    try:
        for path in sorted(path for path in templates.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
            target = folder / name / _TINY.sub(name, path.relative_to(templates).as_posix())
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_TINY.sub(name, path.read_text("utf-8")), "utf-8")
            made.append(target)
    except OSError as error:
        raise UsageError(
            f"{folder / name} cannot be written ({error.strerror}): name another folder with --into"
        ) from error
    return made
