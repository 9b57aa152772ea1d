"""Makes the zip to hand in from the sheet's files that exist; the same files always give the same bytes.

Before the zip is written, the grader's own intake opens it.
"""

import ast
import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from grader.assignment import Assignment
from grader.errors import SubmissionRefused, UsageError
from grader.intake.archive import pack, read_submission
from grader.intake.disk import write_atomically
from grader.intake.selection import MAX_FILE_BYTES, find_near

_PDF = b"%PDF-"
_PDF_HEAD_BYTES = 1024


@dataclass(frozen=True, slots=True)
class HandIn:
    """A zip that was written and that the grader accepts."""

    path: Path
    sha256: str
    sizes_bytes: Mapping[str, int]
    flaws: Mapping[str, str]  # name of a file on the sheet -> its problem, or why the zip lacks it, with the next step
    unwritten: Mapping[str, tuple[str, ...]]  # name of a file on the sheet -> what is not written yet


def make_handin(folder: Path, assignment: Assignment) -> HandIn:
    """Write `<assignment>.zip` with the sheet's files that exist, and return its description.

    Missing or broken files do not prevent a last-minute zip: only the checks of these files fail. `UsageError`, and no
    zip, if none of the files exists, or the grader would refuse it.
    """
    taken = {name: _take(folder, name, assignment.files) for name in assignment.files}
    contents = {name: data for name, (data, _) in taken.items() if data is not None}
    flaws = {name: flaw for name, (_, flaw) in taken.items() if flaw}
    path, packed = folder / f"{assignment.name}.zip", pack(contents.items())
    _try_intake(packed, path.name, assignment)
    write_atomically(path, packed)
    unwritten = {name: functions for name, data in contents.items() if (functions := find_unwritten(name, data))}
    sizes = {name: len(data) for name, data in contents.items()}
    return HandIn(path, hashlib.sha256(packed).hexdigest(), sizes, flaws, unwritten)


def find_unwritten(name: str, data: bytes) -> tuple[str, ...]:
    """Return the functions and methods of a Python file that only raise `NotImplementedError`, as in a template."""
    if not name.endswith(".py"):
        return ()
    try:
        nodes = ast.parse(data).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    bodies = {"": nodes} | {f"{node.name}.": node.body for node in nodes if isinstance(node, ast.ClassDef)}
    return tuple(f"{of}{node.name}" for of, body in bodies.items() for node in body if _is_unwritten(node))


def _is_unwritten(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    return (
        isinstance(node, ast.FunctionDef)
        and len(node.body) <= 1 + (ast.get_docstring(node) is not None)
        and ast.unparse(node.body[-1]).startswith("raise NotImplementedError")
    )


def _take(folder: Path, name: str, files: Sequence[str]) -> tuple[bytes | None, str]:
    """Return a file's content for the zip, None if it is left out, and its problem, empty if there is none."""
    path, flaw = folder / name, ""
    if not path.is_file():
        others = sorted(other.name for other in folder.glob("*") if other.is_file())
        same = [other for other in others if other.lower() == name.lower()]
        if not same:
            near = f"{name}.txt" if f"{name}.txt" in others else find_near(name, sorted({*others} - {*files}))
            advice = f": export your report as PDF and save it as {name}" if name.endswith(".pdf") else ""
            return None, f"is missing: is {near!r} meant? Then rename it" if near else f"is missing{advice}"
        path, flaw = folder / same[0], f"was taken from {same[0]}: rename that file, whose letters differ"
    try:
        data = path.read_bytes()
    except OSError as error:
        return None, f"cannot be read ({error.strerror}): set its permissions, or close what has it open"
    if len(data) > MAX_FILE_BYTES:
        return None, f"is left out, as it is larger than {MAX_FILE_BYTES >> 20} MiB: make it smaller"
    return data, _problem(name, data) or flaw


def _problem(name: str, data: bytes) -> str:
    """Return why a file is useless in its present state, with the next step; empty if nothing is wrong."""
    if not data.strip():
        return "is empty: save it in your editor"
    if name.endswith(".pdf") and _PDF not in data[:_PDF_HEAD_BYTES]:
        return "is no PDF, whatever its name says: export the report as PDF again"
    if not name.endswith(".py"):
        return ""
    try:
        compile(data, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = f" in line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        return f"is not valid Python{line} ({getattr(error, 'msg', error)}): repair it"
    return ""


def _try_intake(packed: bytes, name: str, assignment: Assignment) -> None:
    """Open the zip as the grader does; raise `UsageError` if the grader would refuse it."""
    with tempfile.TemporaryDirectory(prefix="grader-zip-") as temporary:
        trial = Path(temporary, name)
        trial.write_bytes(packed)
        try:
            read_submission(trial, Path(temporary, "files"), assignment.files)
        except SubmissionRefused as refused:
            raise UsageError(f"the grader would refuse this zip: {refused}") from refused
