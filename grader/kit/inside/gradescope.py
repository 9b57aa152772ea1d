"""Grades one submission in Gradescope's container: reads /autograder/submission, writes results/results.json.

    submission/                 the files; an uploaded zip is unpacked, a repository is unchanged
    submission_metadata.json    students, time, due dates, way of submitting, earlier submissions
    results/results.json        the results that students and staff see

Formats: https://gradescope-autograders.readthedocs.io/en/latest/specs/ and .../submission_metadata/

If the grader fails, there is no results.json, and the output says why: Gradescope then reports that the autograder
failed, shows staff the output, and gives no score. A score of zero would be wrong.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from grader.intake.disk import write_atomically
from grader.kit.inside import Opened, final_result, grade_upload, open_upload
from grader.reports.files import KEY, write_record
from grader.reports.gradescope import document

HOME = Path("/autograder")


def run(home: Path = HOME) -> None:
    """Grade the submission in `home` and write `results/results.json`.

    Raises:
        GraderError: the grader failed.
    """
    began = time.perf_counter()
    package, metadata = home / "source", read_metadata(home / "submission_metadata.json")
    opened = open_upload(package, home / "submission", is_checkout=metadata.is_checkout)
    final = final_result(package, opened)
    result = describe(final or _graded(package, opened), metadata, opened.remark, is_final=final is not None)
    result["execution_time"] = round(time.perf_counter() - began, 1)
    write_atomically(home / "results/results.json", (json.dumps(result, indent=2) + "\n").encode())


def _graded(package: Path, opened: Opened) -> dict[str, Any]:
    """Grade an upload, print the run's notes for staff, and return the result with its record."""
    report = grade_upload(package, opened)
    notes = list(report.evidence.run.notes)
    sys.stdout.write("".join(f"{note}\n" for note in notes))
    result = document(report)
    result["extra_data"] |= {"notes": notes, KEY: write_record(report.evidence)}
    return result


def describe(result: dict[str, Any], metadata: Metadata, remark: str = "", *, is_final: bool = False) -> dict[str, Any]:
    """Return `result` with further sentences for its student; all texts are marked as plain text.

    `result` is as `reports.gradescope.document` returns it; `remark` says which files were graded, and `is_final`
    whether the result is from a batch.
    """
    lines = filter(None, [result["output"], remark, *describe_history(metadata, result["score"], is_final=is_final)])
    tests = [{**test, "output_format": "text", "name_format": "text"} for test in result["tests"]]
    return {**result, "output": "\n".join(lines), "output_format": "text", "tests": tests}


class _Assignment(msgspec.Struct):
    due_date: datetime | None = None


class _User(msgspec.Struct):
    assignment: _Assignment = msgspec.field(default_factory=_Assignment)
    """The dates of this student, which an extension may have changed."""


class _Previous(msgspec.Struct):
    score: float | None = None


class Metadata(msgspec.Struct):
    """The fields that are read from submission_metadata.json; times have a time zone."""

    created_at: datetime | None = None
    assignment: _Assignment = msgspec.field(default_factory=_Assignment)
    submission_method: str | None = None  # `upload`, `GitHub` or `Bitbucket`
    users: list[_User] = []
    previous_submissions: list[_Previous] = []

    @property
    def is_checkout(self) -> bool:
        """Whether a repository was handed in, not uploaded files."""
        return (self.submission_method or "").lower() in {"github", "bitbucket"}

    @property
    def due(self) -> datetime | None:
        """The latest of the assignment's due date and the dates of the students."""
        dates = [each.due_date for each in (self.assignment, *(user.assignment for user in self.users))]
        return max((date for date in dates if date is not None and date.tzinfo), default=None)

    @property
    def late_by(self) -> timedelta:
        """The time from the due date to the submission; zero if it is not late, or either time is unknown."""
        if self.due is None or self.created_at is None or not self.created_at.tzinfo:
            return timedelta()
        return max(self.created_at - self.due, timedelta())


def read_metadata(path: Path) -> Metadata:
    """Return the metadata in the file at `path`; empty metadata if it cannot be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Metadata, strict=False)
    except (OSError, msgspec.MsgspecError):
        return Metadata()


def describe_history(metadata: Metadata, score: float, *, is_final: bool = False) -> Iterator[str]:
    """Yield sentences for the student about lateness and earlier submissions.

    With `is_final`, lateness is left out, because a batch's result itself says what lateness costs.
    """
    if metadata.late_by and not is_final:
        yield f"Handed in {_in_words(metadata.late_by)} after the due date; no points are taken off here for that."
    scores = [each.score for each in metadata.previous_submissions if each.score is not None]
    if scores and max(scores) > score:
        yield (
            f"An earlier submission has a higher score, {max(scores):g}: to hand that one in,"
            " activate it under Submission History."
        )


def _in_words(time: timedelta) -> str:
    """Return the two largest units of `time`, such as `1 d 2 h`."""
    minutes = max(1, int(time.total_seconds() // 60))
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    return " ".join([f"{count} {unit}" for count, unit in ((days, "d"), (hours, "h"), (minutes, "min")) if count][:2])
