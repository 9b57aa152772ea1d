"""`submission_metadata.json`, which Gradescope lays beside a submission.

Its fields: https://gradescope-autograders.readthedocs.io/en/latest/submission_metadata/
A file that is not there, damaged or of a newer form costs nobody a grade: what cannot be read is not said.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import msgspec


class _Assignment(msgspec.Struct):
    due_date: datetime | None = None


class _User(msgspec.Struct):
    assignment: _Assignment = msgspec.field(default_factory=_Assignment)
    """The dates of this student, where an extension moved them."""


class _Previous(msgspec.Struct):
    submission_time: datetime | None = None
    score: float | None = None


class Metadata(msgspec.Struct):
    """What is read of it; all times with their zone."""

    created_at: datetime | None = None
    assignment: _Assignment = msgspec.field(default_factory=_Assignment)
    submission_method: str | None = None
    """`upload`, `GitHub` or `Bitbucket`."""
    users: list[_User] = []
    previous_submissions: list[_Previous] = []

    @property
    def is_checkout(self) -> bool:
        """Whether a repository was handed in, and no files."""
        return (self.submission_method or "").lower() in {"github", "bitbucket"}

    @property
    def due(self) -> datetime | None:
        """The latest date that holds for one of those who handed in."""
        dates = [each.due_date for each in (self.assignment, *(user.assignment for user in self.users))]
        return max((date for date in dates if date is not None and date.tzinfo), default=None)

    @property
    def late_by(self) -> timedelta:
        """How long after the due date it was handed in; none if either time is unknown."""
        if self.due is None or self.created_at is None or not self.created_at.tzinfo:
            return timedelta()
        return max(self.created_at - self.due, timedelta())


def read_metadata(path: Path) -> Metadata:
    """Return what the file at `path` says; nothing if it cannot be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Metadata, strict=False)
    except (OSError, msgspec.MsgspecError):
        return Metadata()


def describe_history(metadata: Metadata, score: float, *, is_final: bool = False) -> Iterator[str]:
    """Yield sentences on lateness and on earlier submissions, for the student.

    Args:
        metadata: What Gradescope says of this submission.
        score: This submission's.
        is_final: Whether the result is a batch's, which says itself what lateness costs.
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
    units = [f"{count} {unit}" for count, unit in ((days, "d"), (hours, "h"), (minutes, "min")) if count]
    return " ".join(units[:2])
