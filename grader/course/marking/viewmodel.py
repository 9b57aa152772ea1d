"""What a TA sees of one hand-in, and the next hand-ins. Read again for each request: other TAs may be marking."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grader.assignment import load_assignment
from grader.course.grades.comments import read_comments
from grader.course.grades.graded import BatchResults, Graded, load_batch
from grader.course.grades.marks import is_earlier, marks_of
from grader.course.marking.settings import Labels, Settings, make_labels, share_of
from grader.course.model import Store, batch_assignment
from grader.course.people import label_of
from grader.errors import UsageError
from grader.model import Outcome, Report, Result
from grader.reports import plots, story
from grader.reports.listing import Listing, listings
from grader.scoring.marks import ADJUSTMENT, line_of

OPEN, MARKED, MINE, FLAGGED = "open", "marked", "mine", "flagged"
FILTERS = {"": "all", OPEN: "still open", MARKED: "marked", MINE: "marked by me", FLAGGED: "flagged"}
"""Tag of a place -> the text of its filter."""
_MOST_SAID = 9

Styled = tuple[story.OutcomeStyle, Result]


@dataclass(frozen=True, slots=True)
class Place:
    """One hand-in in the list of hand-ins."""

    key: str
    address: str  # the text that replaces the key in addresses
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
    """One hand-in to mark: checks for a TA, results, and neighbours (`previous`, `next`, `next_open`) by address."""

    graded: Graded
    address: str
    pdf: str  # name of the PDF that the assignment asks for; empty if it asks for none, or none came
    to_mark: tuple[Result, ...]  # results that a TA marks, or has marked; the chosen question first
    attention: tuple[Styled, ...]  # results not passed, the most urgent first; empty for a refused or ungraded hand-in
    sources: tuple[Listing, ...]  # the code, with findings and comments at its lines
    check: str  # the check that the TA marks in all hand-ins before the next check; empty to mark whole hand-ins
    places: tuple[Place, ...]
    previous: str
    next: str
    next_open: str  # the next hand-in with something left to mark, after this one, then from the start; empty if none
    shown: Mapping[str, Any]  # values that only the page needs, by their names in the template

    @property
    def may_mark(self) -> frozenset[str]:
        """Ids of the checks that can be marked here: those in `to_mark`, and others with points that did not pass."""
        others = (result for _style, result in self.attention if result.criterion.points)
        return frozenset(result.criterion.id for result in (*self.to_mark, *others))

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to mark here: of the chosen question, or of all if none is chosen."""
        return _is_done(self.graded, [row for row in self.to_mark if self.check in {"", row.criterion.id}])

    def holders(self, student: str, check: str) -> list[str]:
        """Return whose mark of `check` a form is about: of `student`, and of partners who each have an equal one."""
        given = [one.mark for report in self.graded.reports.values() for one in report.results if one.mark]
        equal = {(mark.student, mark.points, mark.comment) for mark in given if mark.check == check}
        return [student, *(who for who, *what in sorted(equal) if who != student and (student, *what) in equal)]


def first_address(store: Store, settings: Settings) -> str:
    """Return the address of the TA's first hand-in with something to mark, else of the first; `UsageError` if none."""
    results = load_batch(store)
    places = _places(results, settings, make_labels(results.roster, settings))
    if not places:
        share = "" if settings.share == (1, 1) else " in this share"
        raise UsageError(f"{store.root} has nothing graded yet{share}: run the batch first.")
    return next((place.address for place in places if not place.is_done), places[0].address)


def read_task(store: Store, address: str, settings: Settings, check: str = "") -> Task | None:
    """Return what a TA sees of the hand-in at `address`; None if there is no graded hand-in with this address.

    `check` is the question that the TA marks in all hand-ins; ignored if this hand-in has nothing to mark for it.
    """
    loaded = load_batch(store)
    labels = make_labels(loaded.roster, settings)
    key = labels.key_at(address)
    graded = next((graded for graded in loaded.graded if graded.handin.key == key), None)
    if graded is None:
        return None
    due, pdf = to_mark(graded, check), pdf_name(store)
    check = check if check in {result.criterion.id for result in due} else ""
    places = _places(loaded, settings, labels, check, key)
    previous, following, next_open = _neighbours(places, key)
    is_readable = not (graded.evidence.refusal or graded.ungraded)
    ordered = sorted(graded.report.results, key=story.urgency) if is_readable else ()
    styled = [(story.style_of(result), result) for result in ordered]
    shown = {
        "names": labels.names[key],
        "comments": read_comments(store),
        "passed": [pair for pair in styled if pair[1].outcome is Outcome.PASSED],
        "questions": _questions(loaded, share_of(loaded.roster, settings)),
        "done": sum(place.is_done for place in places),
        "version": loaded.marks.version,
        "latest": labels.cleaned(_latest(loaded, settings.by)),
        "missing": _missing(loaded),
    }
    return Task(
        graded=graded,
        address=address,
        pdf=pdf if is_readable and pdf not in graded.evidence.submission.missing else "",
        to_mark=tuple(sorted(due, key=lambda result: result.criterion.id != check)) if check else due,
        attention=tuple(pair for pair in styled if pair[1].outcome is not Outcome.PASSED),
        sources=listings(nameless(graded, labels)),
        check=check,
        places=places,
        previous=previous,
        next=following,
        next_open=next_open,
        shown=shown | _about(graded, loaded, settings, labels),
    )


def _about(graded: Graded, loaded: BatchResults, settings: Settings, labels: Labels) -> dict[str, Any]:
    """Return values for the page: students, flags and timings of one hand-in, and what TAs wrote so far."""
    current, students = loaded.marks.current, graded.handin.students
    own = marks_of(loaded.marks.by_student, students[0].id, graded.handin)
    said = Counter(mark.comment for mark in current.values() if line_of(mark.check) and "\n" not in mark.comment)
    measured = {result.criterion.id: plots.interval(result) for result in graded.report.results}
    return {
        "students": {
            student.id: f"student {number}" if settings.anonymous else student.label
            for number, student in enumerate(students, start=1)
        },
        "flags": list(map(labels.cleaned, _flags(graded))),
        "speeds": [f"{row}: {drawn.described}" for row, drawn in measured.items() if drawn],
        "on_lines": {mark.check: [mark.comment, labels.addresses[mark.student]] for mark in own if line_of(mark.check)},
        "phrases": [comment for comment, _count in said.most_common(_MOST_SAID)],  # to use again
        "adjustments": [current[one, ADJUSTMENT] for one in graded.reports if (one, ADJUSTMENT) in current],
    }


def _flags(graded: Graded) -> tuple[str, ...]:
    marked = (one for report in graded.reports.values() for one in report.results if one.mark)
    points = Counter(check for check, _points in {(one.criterion.id, one.points_low) for one in marked})
    given = (one for one in graded.report.results if one.mark and is_earlier(one.mark, graded.handin))
    old = ((one.criterion.id, "the mark is for an earlier file: look, and store or withdraw it again") for one in given)
    differ = ((check, "the partners have different marks") for check, count in sorted(points.items()) if count > 1)
    return (*graded.handin.flags, *(f"{what}: {why}" for what, why in (*graded.report.flags, *differ, *old)))


def _neighbours(places: Sequence[Place], key: str) -> tuple[str, str, str]:
    """Return the addresses of the previous, the next, and the next undone hand-in; empty if there is none."""
    at = [place.key for place in places].index(key)
    before, behind = places[:at], places[at + 1 :]
    is_open = (place.address for place in (*behind, *before) if not place.is_done)
    return before[-1].address if before else "", behind[0].address if behind else "", next(is_open, "")


def to_mark(graded: Graded, check: str = "") -> tuple[Result, ...]:
    """Return the results for a TA to mark: first the checks that TAs always mark, then undecided or marked ones.

    Other checks that were not measured, for example without a GPU, are left out, except `check`.
    """
    waits = (
        result
        for result in _askable(graded)
        if result.outcome is not Outcome.NOT_MEASURED or result.criterion.marked_by or result.criterion.id == check
    )
    return tuple(sorted(waits, key=lambda result: not result.criterion.marked_by))


def _askable(graded: Graded) -> list[Result]:
    """Return the results that a TA may be asked to mark.

    For a refused file these are the marked checks, or one check: after a mark, all unmarked checks have 0 points.
    """
    results = [result for result in graded.report.results if result.criterion.points]
    if graded.evidence.refusal:
        first = sorted(results, key=lambda result: not result.criterion.marked_by)[:1]
        return [result for result in results if result.mark] or first
    return [
        result
        for result in results
        if result.mark or result.criterion.marked_by or (result.outcome.is_open and not graded.ungraded)
    ]


def _is_done(graded: Graded, due: Iterable[Result]) -> bool:
    """Return whether all of `due` are marked, for this file, or a refused file's score is adjusted."""
    if graded.evidence.refusal and any(entry.what == ADJUSTMENT for entry in graded.report.adjustments):
        return True
    return all(result.mark and not is_earlier(result.mark, graded.handin) for result in due)


def pdf_name(store: Store) -> str:
    """Return the name of the PDF that the assignment asks for; empty if it asks for none."""
    return next((name for name in load_assignment(batch_assignment(store)).files if name.endswith(".pdf")), "")


def _places(
    results: BatchResults, settings: Settings, labels: Labels, check: str = "", shown: str = ""
) -> tuple[Place, ...]:
    """Return the TA's share and the hand-in `shown`, in the labels' order; with a `check`, those to mark for it."""
    mine = share_of(results.roster, settings) | {shown}
    order = {key: place for place, key in enumerate(labels.names)}
    places = []
    for graded in sorted(results.graded, key=lambda graded: order[graded.handin.key]):
        if graded.handin.key in mine:
            due = [result for result in to_mark(graded, check) if check in {"", result.criterion.id}]
            if due or not check:
                places.append(_place(graded, due, settings, labels))
    return tuple(places)


def _place(graded: Graded, due: Sequence[Result], settings: Settings, labels: Labels) -> Place:
    key, report, is_done = graded.handin.key, graded.report, _is_done(graded, due)
    holds = {
        OPEN: not is_done,
        MARKED: is_done,
        MINE: any(result.mark and result.mark.by == settings.by for result in due),
        FLAGGED: bool(report.flags or graded.handin.flags),
    }
    return Place(
        key=key,
        address=labels.addresses[key],
        names=labels.names[key],
        ids="" if settings.anonymous else ", ".join(student.id for student in graded.handin.students),
        score=story.range_text(round(report.score_low, 2), round(report.score_high, 2)),
        tags=tuple(tag for tag, applies in holds.items() if applies),
    )


def _questions(results: BatchResults, mine: frozenset[str]) -> dict[str, int]:
    """Return id of a check to mark in the share -> number of unmarked hand-ins; checks that TAs always mark first."""
    due = [(graded, result) for graded in results.graded if graded.handin.key in mine for result in _askable(graded)]
    waiting = Counter(result.criterion.id for graded, result in due if not _is_done(graded, [result]))
    asked = {result.criterion.id for _graded, result in due}
    rows = sorted(results.rubric.criteria, key=lambda row: not row.marked_by)
    return {row.id: waiting[row.id] for row in rows if row.id in asked}


def nameless(graded: Graded, labels: Labels) -> Report:
    """Return the report with hidden names replaced in the code and in the refusal; findings are not changed."""
    evidence = graded.report.evidence
    files = tuple(replace(file, text=labels.cleaned(file.text)) for file in evidence.submission.files)
    submission = replace(evidence.submission, files=files, name=labels.names[graded.handin.key])
    cleaned = replace(evidence, submission=submission, refusal=labels.cleaned(evidence.refusal))
    return replace(graded.report, evidence=cleaned)


def _latest(results: BatchResults, by: str) -> str:
    entry = next((entry for entry in reversed(results.marks.entries) if by and entry.mark.by == by), None)
    if entry is None:
        return ""
    mark = entry.mark
    place = line_of(mark.check)
    what = "the comment" if place else story.counted(mark.points, "point")
    if entry.withdrawn:
        what = "the mark was withdrawn"
    return f"Stored: {label_of(results.roster, mark.student)}, {place or mark.check}: {what}."


def _missing(results: BatchResults) -> str:
    counts = (
        (len(results.waiting), "hand-in", "not graded yet"),
        (len(results.damaged), "hand-in", "with evidence that cannot be read"),
        (len(results.roster.missing), "student", "who handed in nothing"),
    )
    parts = [f"{story.counted(count, noun)} {what}" for count, noun, what in counts if count]
    return f"Not in the list: {', '.join(parts)}." if parts else ""
