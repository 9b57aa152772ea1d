"""The code that runs on a platform, from its package: it grades an upload and writes the platform's result format.

This file finds the files of an upload, grades them with the package's settings, and returns a report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from grader.assignment import Assignment, load_assignment
from grader.errors import StaffError
from grader.grading import Options, grade
from grader.intake.selection import is_litter, quote
from grader.model import Report
from grader.reports.story import listed

SETTINGS = "settings.json"


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options that staff chose when they made the package."""

    assignment: str
    sandbox: str = "auto"


def read_settings(package: Path) -> Settings:
    """Return the settings of the unpacked package in the folder `package`.

    Raises:
        StaffError: the settings are missing or damaged.
    """
    try:
        return msgspec.json.decode((package / SETTINGS).read_bytes(), type=Settings)
    except (OSError, msgspec.MsgspecError) as error:
        raise StaffError(f"{package / SETTINGS} cannot be read ({error}): make the package again") from error


def find_data(package: Path) -> Path | None:
    """Return the folder with MNIST in the unpacked package; None if there is none."""
    folder = package / "data"
    return folder if folder.is_dir() else None


@dataclass(frozen=True, slots=True)
class Opened:
    """The part of an upload that is graded."""

    path: Path  # an archive, or a folder with the files themselves
    remark: str = ""  # for the student about the choice, if the upload had files and zips, or several zips; else empty


def open_upload(package: Path, upload: Path, *, is_checkout: bool = False) -> Opened:
    """Return the part of an upload that is graded.

    The folder `upload` contains a zip, unpacked files, or a repository. `is_checkout` means a repository; there, an
    older zip may be beside newer files.

    Raises:
        StaffError: the package is damaged.
    """
    assignment = load_assignment(read_settings(package).assignment)
    return _open_checkout(upload, assignment) if is_checkout else _open_files(upload, assignment)


def grade_upload(package: Path, opened: Opened) -> Report:
    """Grade an upload; the report's warnings say which files were graded, if there was a choice.

    Raises:
        UsageError: no level of the sandbox works here.
        StaffError: the package is damaged.
    """
    settings = read_settings(package)
    options = Options(find_data(package), sandbox=settings.sandbox)
    report = grade(opened.path, load_assignment(settings.assignment), options)
    submission = report.evidence.submission
    warnings = (*([opened.remark] if opened.remark else []), *submission.warnings)
    return replace(report, evidence=replace(report.evidence, submission=replace(submission, warnings=warnings)))


def final_result(package: Path, opened: Opened) -> dict[str, Any] | None:
    """Return the package's final result for these files, in Gradescope's format; None if it has none."""
    from grader.kit.parts import find_final  # noqa: PLC0415 - the grader that students may read has no such module

    return find_final(package, opened.path, load_assignment(read_settings(package).assignment))


def _open_checkout(folder: Path, assignment: Assignment) -> Opened:
    """Return the folder, if any file of the sheet is in it or in its subfolders, or if it has no zip; else a zip.

    All files of a checkout have the same time, so a zip may be older or newer than the files. Of several zips, the one
    with the name that `make zip` writes is taken, else the one in the fewest subfolders.
    """
    paths = (path for path in folder.rglob("*") if not is_litter(path.relative_to(folder).parts))
    files = sorted(path for path in paths if path.is_file())
    zips = sorted(filter(_is_zip, files), key=lambda path: (path.name != f"{assignment.name}.zip", len(path.parts)))
    if not zips:
        return Opened(folder)
    if any(_is_wanted(path, assignment) for path in files):
        advice = "If your newer work is in the zip, unpack it and push the files."
        return Opened(folder, f"The files of the repository were graded, not {_list(zips, folder)}. {advice}")
    why = "because no file of the sheet lies in the repository"
    return Opened(zips[0], f"{_list(zips[:1], folder)} was graded, {why}. Push the files themselves.")


def _open_files(folder: Path, assignment: Assignment) -> Opened:
    """Return the archive, if `folder` contains nothing else; without a zip, return `folder` for the files themselves.

    If there are zips beside other files, only the newest zip counts, as in a batch, unless all files of the sheet are
    there as well: then the files count.
    """
    paths = sorted(path for path in folder.iterdir() if not is_litter((path.name,)))
    zips = sorted(filter(_is_zip, paths), key=lambda path: (path.stat().st_mtime, path.name))
    endings = {Path(name).suffix for name in assignment.files}
    if not zips:
        is_archive = len(paths) == 1 and paths[0].is_file() and paths[0].suffix.lower() not in endings
        return Opened(paths[0] if is_archive else folder)
    advice = "Hand in either the files or one zip."
    if {*assignment.files} <= {path.name for path in paths}:
        return Opened(folder, f"The files themselves were graded, not {_list(zips, folder)} beside them. {advice}")
    others = [path for path in paths if path in zips[:-1] or _is_wanted(path, assignment)]
    remark = f"{_list(zips[-1:], folder)} was graded, not {_list(others, folder)} beside it. {advice}"
    return Opened(zips[-1], remark if others else "")


def _is_zip(path: Path) -> bool:
    """Return whether a file has a zip's name and is no link, because a link may lead anywhere."""
    return path.suffix.lower() == ".zip" and path.is_file() and not path.is_symlink()


def _is_wanted(path: Path, assignment: Assignment) -> bool:
    return path.name.lower() in {name.lower() for name in assignment.files}


def _list(paths: Sequence[Path], folder: Path) -> str:
    return listed(quote(path.relative_to(folder).as_posix()) for path in paths)
