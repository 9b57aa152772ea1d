"""An appeal: the same file graded again, several times with fresh seeds, and put side by side on one page."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.course.grades.graded import load_batch
from grader.course.grades.rescoring import read_evidence
from grader.course.job import run_job, sha256_of
from grader.course.model import (
    Backend,
    GradingOptions,
    Job,
    Store,
    batch_assignment,
    batch_rubric,
    read_record,
    read_task,
)
from grader.course.people import Handin, Roster, find_handin
from grader.course.platforms.platform import safe_name
from grader.course.pool import LocalPool
from grader.errors import GraderError, UsageError
from grader.intake.disk import write_atomically
from grader.model import Finding, Report, Result
from grader.reports.html import render_page
from grader.reports.story import fact_text, finding_text, points_text
from grader.scoring.rubric import expect_named
from grader.scoring.score import score

RUNS = 3


@dataclass(frozen=True, slots=True)
class Case:
    """What is graded again."""

    key: str
    path: Path
    handin: Handin | None = None
    """None for a file that is not in the batch."""
    before: Report | None = None
    """The grading that is appealed against, without marks."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One check in one run."""

    outcome: str
    points: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One check in all runs."""

    check: str
    cells: tuple[Cell, ...]

    @property
    def differs(self) -> bool:
        """Whether the runs say different things about the check."""
        return len({(cell.outcome, cell.points) for cell in self.cells}) > 1


@dataclass(frozen=True, slots=True)
class Appeal:
    """The outcome of an appeal."""

    case: Case
    runs: tuple[Report, ...]
    lines: tuple[Line, ...]
    page: Path

    @property
    def disputed(self) -> tuple[str, ...]:
        """Ids of the checks about which the runs, or the grading before, disagree."""
        return tuple(line.check for line in self.lines if line.differs)

    @property
    def verdict(self) -> str:
        """One sentence: whether all gradings agree."""
        count = "run" if len(self.runs) == 1 else f"{len(self.runs)} runs"
        scores = ", ".join(dict.fromkeys(report.score_text for report in self.runs))
        if not self.disputed:
            also = " and the grading before" if self.case.before else ""
            return f"{'The' if len(self.runs) == 1 else 'All'} {count}{also} agree on every check: {scores}."
        where = ", ".join(self.disputed)
        return f"The gradings disagree about {where}. Scores of the {count}: {scores}. A TA decides, with a mark."


def find_case(store: Store, word: str) -> Case:
    """Return what `word` means: the key of a hand-in, a student, or a file; a file may be in the batch, too.

    Raises:
        UsageError: it is none of these, or the file is gone or was changed.
    """
    roster = read_record(store.roster, Roster)
    path = Path(word)
    if path.is_file():
        digest = sha256_of(path)
        handin = next((handin for handin in roster.handins if handin.sha256 == digest), None)
        key = handin.key if handin else safe_name(path.stem)
        return Case(key, path, handin, _before(store, handin))
    handin = find_handin(roster, word)
    if handin.problem:
        raise UsageError(f"{handin.key}: {handin.problem}.")
    if not handin.path.exists():
        raise UsageError(f"{handin.path} is not there any more: name the zip instead of {word}.")
    if handin.path.is_file() and sha256_of(handin.path) != handin.sha256:
        raise UsageError(
            f"{handin.path} is not what was graded, it has changed since: name the zip that the student means."
        )
    return Case(handin.key, handin.path, handin, _before(store, handin))


def hear(
    store: Store,
    case: Case,
    runs: int = RUNS,
    only: Sequence[str] = (),
    tell: Callable[[str], None] = lambda _text: None,
    backend: Backend | None = None,
) -> Appeal:
    """Grade the file of `case` again, `runs` times, and write `appeal/<key>/index.html` beside the runs' own reports.

    Each run has a fresh seed. `only` are check ids, or their first words; without a `backend`, this machine grades.

    Raises:
        UsageError: a word of `only` names no check.
        GraderError: a run did not come to an end; the runs before it are kept.
    """
    expect_named(only, batch_rubric(store))
    folder = store.root / "appeal" / case.key
    how = read_task(store, case.handin.key).how if case.handin else GradingOptions(assignment=batch_assignment(store))
    first = 1 + max((int(path.name[4:]) for path in folder.glob("run-*") if path.name[4:].isdigit()), default=0)
    reports = []
    for number in range(first, first + runs):
        tell(f"run {number - first + 1} of {runs}")
        again = replace(how, only=tuple(only) or how.only)
        reports.append(_run(store, case, again, folder / f"run-{number}", backend or LocalPool(1, run_job)))
    lines = _lines(case, reports)
    appeal = Appeal(case, tuple(reports), lines, folder / "index.html")
    write_atomically(appeal.page, _render(appeal, range(first, first + runs)).encode())
    return appeal


def _before(store: Store, handin: Handin | None) -> Report | None:
    """Return the grading that the student knows, without what people decided: it is about the program's verdict."""
    results = load_batch(store)
    graded = next((graded for graded in results.graded if graded.handin == handin), None)
    return score(graded.evidence, results.rubric) if graded else None


def _run(store: Store, case: Case, how: GradingOptions, folder: Path, backend: Backend) -> Report:
    """Grade once, as a batch of one hand-in in `folder`, and return the report."""
    handin = case.handin or Handin(case.key, (), case.path, sha256_of(case.path))
    job = Job(replace(handin, path=case.path), how=how, seed=secrets.randbits(32))
    alone = Store(folder)
    for ended in backend.run([job], alone, lambda _key, _what: None):
        if ended.problem:
            raise GraderError(f"grading {case.path} again failed: {ended.problem}.")
    return score(read_evidence(alone.folder(case.key)), batch_rubric(store))


def _lines(case: Case, reports: Sequence[Report]) -> tuple[Line, ...]:
    """Return one line per check that ran in any of the runs."""
    ran = {observation.check for report in reports for observation in report.evidence.observations}
    columns = [*([case.before] if case.before else []), *reports]
    rows = zip(*(report.results for report in columns), strict=True)
    is_refused = any(report.evidence.refusal for report in columns)
    lines = (Line(row[0].criterion.id, tuple(map(_cell, row))) for row in rows)
    return tuple(line for line in lines if is_refused or line.check in ran)


def _cell(result: Result) -> Cell:
    facts = ""
    if result.criterion.threshold is not None:
        name = result.criterion.threshold.fact
        facts = f"{name.replace('_', ' ')}: {fact_text(result.observation.facts.get(name))}"
    finding = finding_text(result.finding or Finding("")).strip()
    return Cell(str(result.outcome), points_text(result), "\n".join(filter(None, (facts, finding))))


def _render(appeal: Appeal, numbers: range) -> str:
    case = appeal.case
    runs = []
    for place, (number, report) in enumerate(zip(numbers, appeal.runs, strict=True), start=1):
        link = Store(Path(f"run-{number}")).folder(case.key) / "report.html"
        runs.append({"name": f"run {place}", "report": report, "link": link})
    before = [{"name": "before", "report": case.before, "link": ""}] if case.before else []
    students = [f"{student.name} {student.id}".strip() for student in case.handin.students] if case.handin else []
    context = {"appeal": appeal, "columns": [*before, *runs], "students": students, "path": case.path.name}
    return render_page("appeal.html", context, ("similarity.css", "changes.css"))
