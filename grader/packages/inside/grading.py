"""One upload on a platform: found, graded as the package's settings say, and given back as a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from grader.assignment import Assignment, load_assignment
from grader.errors import StaffError
from grader.grading import Options, grade
from grader.intake.selection import is_litter
from grader.model import Report

SETTINGS = "settings.json"


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What staff chose when they made the package."""

    assignment: str
    sandbox: str = "auto"


def read_settings(package: Path) -> Settings:
    """Return the settings of the unpacked package in a folder.

    Raises:
        StaffError: there is no such file, or it is damaged.
    """
    try:
        return msgspec.json.decode((package / SETTINGS).read_bytes(), type=Settings)
    except (OSError, msgspec.MsgspecError) as error:
        msg = f"{package / SETTINGS} cannot be read ({error}): make the package again"
        raise StaffError(msg) from error


def grade_upload(package: Path, upload: Path) -> Report:
    """Grade what a student handed in on a platform.

    Args:
        package: The folder with the unpacked package, as `write_parts` wrote it.
        upload: The folder into which the platform laid the upload: a zip, or the files that it unpacked.

    Raises:
        UsageError: no level of the sandbox works here.
        StaffError: the package is damaged.
    """
    settings = read_settings(package)
    assignment = load_assignment(settings.assignment)
    return grade(_find(upload, assignment), assignment, Options(package / "data", sandbox=settings.sandbox))


def final_result(package: Path, upload: Path) -> dict[str, Any] | None:
    """Return the final result in Gradescope's format that the package has of these files; None if it has none."""
    from grader.packages.finals import find_final  # noqa: PLC0415 - the grader that students may read knows no batches

    assignment = load_assignment(read_settings(package).assignment)
    return find_final(package, _find(upload, assignment), assignment)


def _find(folder: Path, assignment: Assignment) -> Path:
    """Return the archive, if that is all that `folder` holds; else `folder`, with the files themselves.

    A zip beside other files counts alone, the newest of several, as it does in a batch; unless all files of the sheet
    lie there beside it.
    """
    found = [path for path in folder.iterdir() if not is_litter((path.name,))]
    zips = [path for path in found if path.is_file() and path.suffix.lower() == ".zip"]
    if zips and not {*assignment.files} <= {path.name for path in found}:
        return max(zips, key=lambda path: (path.stat().st_mtime, path.name))
    endings = {Path(name).suffix for name in assignment.files}
    is_archive = len(found) == 1 and found[0].is_file() and found[0].suffix.lower() not in endings
    return found[0] if is_archive else folder
