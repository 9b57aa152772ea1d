"""Final results in a package: what a batch says of a submission, kept by its files, so that the platform can show it.

A platform that grades all submissions again with such a package shows the final result of each, and grades only what
the batch does not know, such as a later submission.
"""

import hashlib
import json
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from grader.assignment import Assignment
from grader.course.grades.graded import load_batch
from grader.course.model import Store
from grader.errors import SubmissionRefused, UsageError
from grader.intake.archive import read_submission
from grader.model import Submission, printable
from grader.reports.gradescope import render

FOLDER = "final"


def collect_finals(batch: Path, assignment: Assignment) -> tuple[Mapping[str, bytes], tuple[str, ...]]:
    """Return file name -> `results.json` of the graded files of a batch, and sentences on whom that leaves out.

    Students who handed in the same files share a result only if theirs are the same: files do not tell whose they are.

    Raises:
        UsageError: `batch` is none, or another assignment's.
        StaffError: its rubric is wrong.
    """
    results = load_batch(Store(batch))
    if results.rubric.assignment != assignment.name:
        raise UsageError(
            f"{batch} is a batch of {results.rubric.assignment}, and not of {assignment.name}: name another"
        )
    owners: dict[str, dict[bytes, list[str]]] = {}
    """File name -> each result that these files got -> who got it."""
    for graded in results.graded:
        name = _name(graded.evidence.submission) if graded.evidence.submission.files else ""
        for student in graded.handin.students:
            rendered = render(replace(graded.reports[student.id], students=())).encode()
            owners.setdefault(name, {}).setdefault(rendered, []).append(printable(student.label))
    unopened = owners.pop("", {})
    waiting = [printable(student.label) for handin in results.waiting for student in handin.students]
    damaged = [printable(student.label) for handin, _why in results.damaged for student in handin.students]
    finals = {name: next(iter(by_result)) for name, by_result in owners.items() if len(by_result) == 1}
    divided = [who for name, by_result in owners.items() if name not in finals for who in by_result.values()]
    left_out = {
        "nothing was opened": chain(*unopened.values()),
        "others got another result for the same files": chain(*divided),
        "they are not graded yet": waiting,
        "what was observed of them cannot be read": damaged,
    }
    named = {why: people for why, students in left_out.items() if (people := ", ".join(students))}
    return finals, tuple(
        f"Not in the package, because {why}: {who}. Enter these by hand." for why, who in named.items()
    )


def find_final(package: Path, upload: Path, assignment: Assignment) -> dict[str, Any] | None:
    """Return the final result of what lies at `upload`; None if the package in a folder has none of these files."""
    if not (package / FOLDER).is_dir():
        return None
    with tempfile.TemporaryDirectory(prefix="grader-final-") as temporary:
        try:
            submission = read_submission(upload, Path(temporary, "files"), assignment.files)
        except SubmissionRefused:
            return None
    file = package / FOLDER / _name(submission)
    return dict(json.loads(file.read_bytes())) if file.is_file() else None


def _name(submission: Submission) -> str:
    return f"{hashlib.sha256(json.dumps(submission.contents).encode()).hexdigest()}.json"
