"""Final results in a package: what a batch says of a submission, kept by its files, so that the platform can show it.

A platform that grades all submissions again with such a package shows the final result of each, and grades only what
the batch does not know, such as a later submission.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grader.assignment import Assignment
from grader.batch.grades.graded import load_batch
from grader.batch.store import Store
from grader.errors import SubmissionRefused, UsageError
from grader.intake.archive import read_submission
from grader.model import Submission
from grader.reports.gradescope import render

FOLDER = "final"


def collect_finals(batch: Path, assignment: Assignment) -> Mapping[str, bytes]:
    """Return file name -> `results.json` of every graded hand-in of a batch.

    Raises:
        UsageError: `batch` is none, or another assignment's.
        StaffError: its rubric is wrong.
    """
    results = load_batch(Store(batch))
    if results.rubric.assignment != assignment.name:
        msg = f"{batch} is a batch of {results.rubric.assignment}, and not of {assignment.name}: name another"
        raise UsageError(msg)
    opened = [one for one in results.graded if one.evidence.submission.files]
    return {_name(one.evidence.submission): render(one.report).encode() for one in opened}


def find_final(package: Path, upload: Path, assignment: Assignment) -> dict[str, Any] | None:
    """Return the final result of what lies at `upload`; None if the package in a folder has none of these files."""
    if not (package / FOLDER).is_dir():
        return None
    with tempfile.TemporaryDirectory(prefix="grader-final-") as temporary:
        try:
            submission = read_submission(upload, Path(temporary, "files"), assignment.files)
        except SubmissionRefused:
            return None
    found = package / FOLDER / _name(submission)
    return dict(json.loads(found.read_bytes())) if found.is_file() else None


def _name(submission: Submission) -> str:
    return f"{hashlib.sha256(json.dumps(submission.contents).encode()).hexdigest()}.json"
