"""What a TA sees of one hand-in, and what comes next. Read anew each time: somebody else may be marking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.assignment import load_assignment
from grader.batch.files import read_record
from grader.batch.grades.graded import BatchResults, Graded, load_batch, read_scored
from grader.batch.grades.marks import Marks
from grader.batch.grades.rules import batch_assignment
from grader.batch.store import Store
from grader.errors import UsageError
from grader.lms.model import Handin, Roster
from grader.model import Mark, Outcome, Report, Result, Rubric
from grader.reports import speedplots, story
from grader.scoring.marks import ADJUSTMENT

OPEN, MARKED, MINE, FLAGGED = "open", "marked", "mine", "flagged"
FILTERS = {"": "all", OPEN: "still open", MARKED: "marked", MINE: "marked by me", FLAGGED: "flagged"}
"""Tag of a place -> the words of its filter."""


@dataclass(frozen=True, slots=True)
class Place:
    """One hand-in in the list of all."""

    key: str
    names: str
    ids: str
    score: str
    tags: tuple[str, ...]

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to mark."""
        return MARKED in self.tags


@dataclass(frozen=True, slots=True)
class Task:
    """One hand-in to mark: what is for a person, what the checks found, and its neighbours."""

    graded: Graded
    names: str
    pdf: str
    """Name of the PDF that the assignment asks for; empty if it asks for none, or none came."""
    to_mark: tuple[Result, ...]
    attention: tuple[tuple[story.OutcomeStyle, Result], ...]
    """What did not pass, the most urgent first."""
    passed: tuple[tuple[story.OutcomeStyle, Result], ...]
    flags: tuple[str, ...]
    speeds: tuple[str, ...]
    """What was measured against a bound, one line each."""
    adjustments: tuple[Mark, ...]
    """One at most for each of the students."""
    places: tuple[Place, ...]
    previous: str
    next: str
    next_open: str
    """The next hand-in, after this one and then from the start, with something left to mark; empty if there is none."""
    version: int
    """Of the marks that this is based on."""
    latest: str
    """What this TA stored last, as a sentence; empty if nothing."""
    missing: str
    """How many hand-ins are not in the list, and why, as a sentence; empty if all are."""

    @property
    def done(self) -> int:
        """How many hand-ins have nothing left to mark."""
        return sum(place.is_done for place in self.places)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to mark here."""
        return all(result.mark for result in self.to_mark)


class Memory:
    """Reports that were scored already: a speed-up takes up to 10 ms, and evidence hardly changes while one marks."""

    def __init__(self) -> None:
        self._scored: dict[Path, tuple[tuple[str, int, int, int], Report]] = {}

    def read(self, path: Path, rubric: Rubric) -> Report:
        """Return and raise what `read_scored` does, once for each state of the file and the rubric."""
        status = path.stat()
        state = (rubric.sha256, status.st_ino, status.st_size, status.st_mtime_ns)
        known = self._scored.get(path)
        if known is None or known[0] != state:
            known = self._scored[path] = (state, read_scored(path, rubric))
        return known[1]


def first_key(store: Store) -> str:
    """Return the first hand-in with something to mark, else the first of all.

    Raises:
        UsageError: the batch has graded nothing.
    """
    places = _places(load_batch(store), "")
    if not places:
        message = f"{store.root} has nothing graded yet: run the batch first."
        raise UsageError(message)
    return next((place.key for place in places if not place.is_done), places[0].key)


def read_task(store: Store, key: str, by: str, memory: Memory) -> Task | None:
    """Return what the TA `by` sees of the hand-in `key`, `None` if the batch has no such graded one."""
    loaded = load_batch(store, read=memory.read)
    places = _places(loaded, by)
    keys = [place.key for place in places]
    if key not in keys:
        return None
    at, graded = keys.index(key), loaded.graded[keys.index(key)]
    later = (place.key for place in (*places[at + 1 :], *places[:at]) if not place.is_done)
    results = () if graded.evidence.refusal or graded.ungraded else sorted(graded.report.results, key=story.urgency)
    found = [(story.style_of(result), result) for result in results]
    current = loaded.marks.current
    return Task(
        graded=graded,
        names=places[at].names,
        pdf=_pdf_of(graded, _pdf_name(store)),
        to_mark=to_mark(graded),
        attention=tuple(pair for pair in found if pair[1].outcome is not Outcome.PASSED),
        passed=tuple(pair for pair in found if pair[1].outcome is Outcome.PASSED),
        flags=(*graded.handin.flags, *(f"{check}: {why}" for check, why in graded.report.flags)),
        speeds=tuple(_speeds(graded)),
        adjustments=tuple(
            current[student, ADJUSTMENT] for student in graded.reports if (student, ADJUSTMENT) in current
        ),
        places=places,
        previous=keys[at - 1] if at else "",
        next=keys[at + 1] if at + 1 < len(keys) else "",
        next_open=next(later, ""),
        version=loaded.marks.version,
        latest=_latest(loaded.marks, by),
        missing=_missing(loaded),
    )


def to_mark(graded: Graded) -> tuple[Result, ...]:
    """Return what a person gives points for: first what the rubric says, then what is undecided or marked already."""
    undecided = set() if graded.ungraded else {Outcome.INCONCLUSIVE, Outcome.ERROR}
    wanted = (
        result
        for result in graded.report.results
        if result.criterion.points and (result.mark or result.criterion.marked_by or result.outcome in undecided)
    )
    return tuple(sorted(wanted, key=lambda result: not result.criterion.marked_by))


def read_handin(store: Store, key: str) -> tuple[Handin, str] | None:
    """Return the hand-in `key` and the name of the PDF that its assignment asks for; `None` where either is missing."""
    handins = read_record(store.roster, Roster).handins
    handin = next((one for one in handins if one.key == key and store.evidence(key).is_file()), None)
    name = _pdf_name(store)
    return (handin, name) if handin and name else None


def _pdf_name(store: Store) -> str:
    return next((name for name in load_assignment(batch_assignment(store)).files if name.endswith(".pdf")), "")


def _pdf_of(graded: Graded, name: str) -> str:
    came = not (graded.evidence.refusal or graded.ungraded) and name not in graded.evidence.submission.missing
    return name if came else ""


def _places(results: BatchResults, by: str) -> tuple[Place, ...]:
    return tuple(_place(one, by) for one in results.graded)


def _place(graded: Graded, by: str) -> Place:
    due, students, report = to_mark(graded), graded.handin.students, graded.report
    holds = {
        OPEN: not _is_done(due),
        MARKED: _is_done(due),
        MINE: any(result.mark and result.mark.by == by for result in due),
        FLAGGED: bool(report.flags or graded.handin.flags),
    }
    return Place(
        key=graded.handin.key,
        names=", ".join(student.name or student.id for student in students),
        ids=", ".join(student.id for student in students),
        score=story.range_text(round(report.score_low, 2), round(report.score_high, 2)),
        tags=tuple(tag for tag, held in holds.items() if held),
    )


def _is_done(results: Sequence[Result]) -> bool:
    return all(result.mark for result in results)


def _speeds(graded: Graded) -> Iterator[str]:
    for result in graded.report.results:
        if measured := speedplots.interval(result):
            yield f"{result.criterion.id}: {measured.described}"


def _latest(marks: Marks, by: str) -> str:
    entry = next((entry for entry in reversed(marks.entries) if by and entry.mark.by == by), None)
    if entry is None:
        return ""
    mark = entry.mark
    given = "the mark was withdrawn" if entry.withdrawn else f"{mark.points:g} points"
    return f"Stored: {mark.student}, {mark.check}: {given}."


def _missing(results: BatchResults) -> str:
    counts = {
        "not graded yet": len(results.waiting),
        "with evidence that cannot be read": len(results.damaged),
        "of students who handed in nothing": len(results.roster.missing),
    }
    said = [f"{count} {what}" for what, count in counts.items() if count]
    return f"Not in the list: {', '.join(said)}." if said else ""
