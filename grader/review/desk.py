"""What a TA sees of one hand-in, and what comes next. Read anew each time: somebody else may be marking."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.archive import read_submission
from grader.assignment import load_assignment
from grader.batch.graded import Graded, Standing, load_batch
from grader.batch.store import Store
from grader.errors import SubmissionRefused, UsageError
from grader.model import Outcome, Result
from grader.reports import story

_PDF = b"%PDF-"


@dataclass(frozen=True, slots=True)
class Place:
    """One hand-in in the list of all."""

    key: str
    names: str
    is_done: bool


@dataclass(frozen=True, slots=True)
class Task:
    """One hand-in to mark: what is for a person, what the checks found, and its neighbours."""

    graded: Graded
    names: str
    to_mark: tuple[Result, ...]
    found: tuple[tuple[story.Look, Result], ...]
    places: tuple[Place, ...]
    previous: str
    next: str
    next_open: str
    """The next hand-in, after this one and then from the start, with something left to mark; empty if there is none."""
    version: int
    """Of the marks that this is based on."""

    @property
    def done(self) -> int:
        """How many hand-ins have nothing left to mark."""
        return sum(place.is_done for place in self.places)


def first_key(store: Store) -> str:
    """Return the first hand-in with something to mark, else the first of all.

    Raises:
        UsageError: the batch has graded nothing.
    """
    places = _places(load_batch(store))
    if not places:
        message = f"{store.root} has nothing graded yet: run the batch first."
        raise UsageError(message)
    return next((place.key for place in places if not place.is_done), places[0].key)


def read_task(store: Store, key: str) -> Task | None:
    """Return what there is to see of the hand-in `key`, `None` if the batch has no such graded one."""
    standing = load_batch(store)
    places = _places(standing)
    keys = [place.key for place in places]
    if key not in keys:
        return None
    at = keys.index(key)
    graded = next(one for one in standing.graded if one.handin.key == key)
    later = (place.key for place in (*places[at + 1 :], *places[:at]) if not place.is_done)
    return Task(
        graded=graded,
        names=places[at].names,
        to_mark=to_mark(graded),
        found=tuple((story.look(result), result) for result in sorted(graded.report.results, key=story.urgency)),
        places=places,
        previous=keys[at - 1] if at else "",
        next=keys[at + 1] if at + 1 < len(keys) else "",
        next_open=next(later, ""),
        version=standing.marks.version,
    )


def to_mark(graded: Graded) -> tuple[Result, ...]:
    """Return what a person gives points for: what the rubric says, what is undecided, and what was marked before."""
    return tuple(
        result
        for result in graded.report.results
        if result.criterion.points
        and (result.mark or result.criterion.marked_by or result.outcome in {Outcome.INCONCLUSIVE, Outcome.ERROR})
    )


def read_pdf(store: Store, key: str) -> bytes | None:
    """Return the PDF of the hand-in `key`, `None` if there is none or it is something else under that name."""
    standing = load_batch(store)
    handin = next((one.handin for one in standing.graded if one.handin.key == key), None)
    names = [name for name in load_assignment(standing.rubric.assignment).files if name.endswith(".pdf")]
    if handin is None or not names:
        return None
    with tempfile.TemporaryDirectory(prefix="grader-review-") as folder:
        try:
            read_submission(handin.path, Path(folder, "files"), names[:1])
            content = Path(folder, "files", names[0]).read_bytes()
        except (SubmissionRefused, UsageError, OSError):
            return None
    return content if content.startswith(_PDF) else None


def _places(standing: Standing) -> tuple[Place, ...]:
    return tuple(Place(one.handin.key, _names(one), _is_done(to_mark(one))) for one in standing.graded)


def _names(graded: Graded) -> str:
    return ", ".join(student.name or student.id for student in graded.handin.students)


def _is_done(results: Sequence[Result]) -> bool:
    return all(result.mark for result in results)
