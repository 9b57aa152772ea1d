"""The zip to hand in: exactly the files of the sheet, the same bytes for the same files, tried as the grader would."""

from __future__ import annotations

import hashlib
import io
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.assignment import Assignment
from grader.errors import SubmissionRefused, UsageError
from grader.intake.archive import read_submission
from grader.intake.selection import MAX_FILE_BYTES
from grader.reports.atomic import write_atomically

_DATE = (1980, 1, 1, 0, 0, 0)
_MODE = 0o644 << 16
_PDF = b"%PDF-"
_PDF_HEAD_BYTES = 1024


@dataclass(frozen=True, slots=True)
class HandIn:
    """A zip that was written and accepted."""

    path: Path
    sha256: str
    sizes_bytes: Mapping[str, int]


def make_handin(folder: Path, assignment: Assignment) -> HandIn:
    """Write `<assignment>.zip` into `folder` and return what is in it.

    Raises:
        UsageError: a file is missing, empty, too large or cannot be what it should be; then nothing is written.
        GraderError: the disk refuses.
    """
    contents = {name: _read(folder, name) for name in assignment.files}
    packed = pack(contents)
    path = folder / f"{assignment.name}.zip"
    _try_intake(packed, path.name, assignment)
    write_atomically(path, packed)
    sizes = {name: len(data) for name, data in contents.items()}
    return HandIn(path, hashlib.sha256(packed).hexdigest(), sizes)


def pack(contents: Mapping[str, bytes]) -> bytes:
    """Return a zip of `contents`, without folders, dates or owners: the same bytes for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, _MODE, 3
            archive.writestr(info, data)
    return buffer.getvalue()


def _read(folder: Path, name: str) -> bytes:
    path = folder / name
    if not path.is_file():
        near = [other.name for other in folder.glob("*") if other.name.lower() == name.lower()]
        found = f": rename {near[0]}, whose letters differ" if near else f" in {folder.resolve()}{_advice(name)}"
        msg = f"there is no {name}{found}"
        raise UsageError(msg)
    data = path.read_bytes()
    if problem := _problem(name, data):
        msg = f"{name} {problem}"
        raise UsageError(msg)
    return data


def _advice(name: str) -> str:
    if name.endswith(".pdf"):
        return f": export your report as PDF and save it there as {name}"
    return ": go to the folder with your files, or name it"


def _problem(name: str, data: bytes) -> str:
    """Return what keeps a file from being handed in, with the next step; empty if nothing does."""
    if not data.strip():
        return "is empty: save it in your editor and try again"
    if len(data) > MAX_FILE_BYTES:
        return f"is larger than {MAX_FILE_BYTES >> 20} MiB: make it smaller"
    if name.endswith(".pdf") and _PDF not in data[:_PDF_HEAD_BYTES]:
        return "is no PDF, whatever its name says: export the report as PDF again"
    if not name.endswith(".py"):
        return ""
    try:
        compile(data, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line = f" in line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        return f"is not valid Python{line} ({getattr(error, 'msg', error)}): repair it first"
    return ""


def _try_intake(packed: bytes, name: str, assignment: Assignment) -> None:
    """Open the zip as the grader will; whatever it would refuse or warn of is told here."""
    with tempfile.TemporaryDirectory(prefix="grader-zip-") as temporary:
        trial = Path(temporary, name)
        trial.write_bytes(packed)
        try:
            submission = read_submission(trial, Path(temporary, "files"), assignment.files)
        except SubmissionRefused as refused:
            msg = f"the grader would refuse this zip: {refused}"
            raise UsageError(msg) from refused
    if submission.missing:
        msg = f"the grader would miss {', '.join(submission.missing)}: look at the files of the sheet"
        raise UsageError(msg)
