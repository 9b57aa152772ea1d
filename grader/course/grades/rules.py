"""Which rules hold in a batch: its assignment, and the rubric that its sheets are written with."""

from __future__ import annotations

from grader.assignment import load_assignment
from grader.course.files import read_record, read_task
from grader.course.people import Roster
from grader.course.store import Store
from grader.errors import UsageError
from grader.model import Rubric
from grader.scoring.rubric import load_rubric


def batch_rubric(store: Store) -> Rubric:
    """Return the rubric that the last rescoring named, else the assignment's own.

    Raises:
        UsageError: this is no batch, or nothing says of which assignment.
        StaffError: the rubric is wrong.
    """
    return load_rubric(store.rubric) if store.rubric.is_file() else load_assignment(batch_assignment(store)).rubric


def batch_assignment(store: Store) -> str:
    """Return the name of the batch's assignment, from the first task; raises as `batch_rubric`."""
    for handin in read_record(store.roster, Roster).handins:
        if store.task(handin.key).is_file():
            return read_task(store, handin.key).how.assignment
    raise UsageError(f"{store.root} has graded nothing yet: run the batch first.")
