"""The zip to hand in: those of the sheet's files that there are, the same bytes for the same files.

The grader's own intake tries it before it is written.
"""

import ast
import hashlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.assignment import Assignment
from grader.errors import SubmissionRefused, UsageError
from grader.intake.archive import pack, read_submission
from grader.intake.disk import write_atomically
from grader.intake.selection import MAX_FILE_BYTES

_PDF = b"%PDF-"
_PDF_HEAD_BYTES = 1024


@dataclass(frozen=True, slots=True)
class HandIn:
    """A zip that was written and that the grader takes."""

    path: Path
    sha256: str
    sizes_bytes: Mapping[str, int]
    flaws: Mapping[str, str]
    """Name of the sheet -> what is wrong with that file or why it is not in the zip, with the next step."""
    unwritten: Mapping[str, tuple[str, ...]]
    """Name of the sheet -> functions that still stand as in the template."""


def make_handin(folder: Path, assignment: Assignment) -> HandIn:
    """Write `<assignment>.zip` with those of the sheet's files that there are, and return what is in it.

    Nobody who hands in at the last minute is kept from it: what is missing or broken costs its own checks only.

    Raises:
        UsageError: there is none of the files, or the grader would refuse the zip; then nothing is written.
        GraderError: the disk refuses.
    """
    contents: dict[str, bytes] = {}
    flaws: dict[str, str] = {}
    for name in assignment.files:
        data, flaw = _take(folder, name)
        contents |= {} if data is None else {name: data}
        flaws |= {name: flaw} if flaw else {}
    path = folder / f"{assignment.name}.zip"
    packed = pack(contents.items())
    _try_intake(packed, path.name, assignment)
    write_atomically(path, packed)
    unwritten = {name: functions for name, data in contents.items() if (functions := find_unwritten(name, data))}
    sizes = {name: len(data) for name, data in contents.items()}
    return HandIn(path, hashlib.sha256(packed).hexdigest(), sizes, flaws, unwritten)


def find_unwritten(name: str, data: bytes) -> tuple[str, ...]:
    """Return the functions of a Python file that only raise `NotImplementedError`, as those of a template do."""
    if not name.endswith(".py"):
        return ()
    try:
        nodes = ast.parse(data).body
    except (SyntaxError, ValueError):
        return ()
    return tuple(node.name for node in nodes if isinstance(node, ast.FunctionDef) and _is_unwritten(node))


def _is_unwritten(node: ast.FunctionDef) -> bool:
    last = node.body[-1]
    return len(node.body) <= 1 + (ast.get_docstring(node) is not None) and (
        isinstance(last, ast.Raise) and last.exc is not None and "NotImplementedError" in ast.unparse(last.exc)
    )


def _take(folder: Path, name: str) -> tuple[bytes | None, str]:
    """Return what of a file goes into the zip, None for nothing, and what is wrong with it."""
    path, flaw = folder / name, ""
    if not path.is_file():
        near = [other for other in folder.glob("*") if other.name.lower() == name.lower() and other.is_file()]
        if not near:
            advice = f": export your report as PDF and save it as {name}" if name.endswith(".pdf") else ""
            return None, f"is missing{advice}"
        path, flaw = near[0], f"was taken from {near[0].name}: rename that file, whose letters differ"
    data = path.read_bytes()
    if len(data) > MAX_FILE_BYTES:
        return None, f"is left out, as it is larger than {MAX_FILE_BYTES >> 20} MiB: make it smaller"
    return data, _problem(name, data) or flaw


def _problem(name: str, data: bytes) -> str:
    """Return why a file is worth nothing as it is, with the next step; empty if nothing is wrong with it."""
    if not data.strip():
        return "is empty: save it in your editor"
    if name.endswith(".pdf") and _PDF not in data[:_PDF_HEAD_BYTES]:
        return "is no PDF, whatever its name says: export the report as PDF again"
    if not name.endswith(".py"):
        return ""
    try:
        compile(data, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line = f" in line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        return f"is not valid Python{line} ({getattr(error, 'msg', error)}): repair it"
    return ""


def _try_intake(packed: bytes, name: str, assignment: Assignment) -> None:
    """Open the zip as the grader will; what it would refuse is told here."""
    with tempfile.TemporaryDirectory(prefix="grader-zip-") as temporary:
        trial = Path(temporary, name)
        trial.write_bytes(packed)
        try:
            read_submission(trial, Path(temporary, "files"), assignment.files)
        except SubmissionRefused as refused:
            raise UsageError(f"the grader would refuse this zip: {refused}") from refused
