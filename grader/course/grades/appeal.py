"""An appeal: grades one file again, several times with fresh seeds, and shows all results on one page."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.course.grades.graded import load_batch, read_scored
from grader.course.job import run_job, sha256_of
from grader.course.model import Backend, Job, Store, batch_rubric, first_job, read_record
from grader.course.people import Handin, Roster, find_handin
from grader.course.platforms.platform import safe_name
from grader.course.pool import LocalPool
from grader.errors import GraderError, UsageError
from grader.intake.disk import write_atomically
from grader.model import Finding, Report, Result
from grader.reports.html import render_page
from grader.reports.story import fact_text, finding_text, listed, points_text
from grader.scoring.rubric import expect_named
from grader.scoring.score import score

RUNS = 3


@dataclass(frozen=True, slots=True)
class Appeal:
    """The outcome of an appeal."""

    handin: Handin
    before: Report | None  # the batch's grading of this file, without marks; None if the batch has no evidence of it
    runs: tuple[Report, ...]
    page: Path

    @property
    def rows(self) -> tuple[tuple[Result, ...], ...]:
        """The results of each check that ran in any run: the batch's result, if there is one, then one for each run."""
        ran = {check for report in self.runs for check in report.evidence.by_check}
        columns = [*([self.before] if self.before else []), *self.runs]
        is_refused = any(report.evidence.refusal for report in columns)
        rows = zip(*(report.results for report in columns), strict=True)
        return tuple(row for row in rows if is_refused or row[0].criterion.id in ran)

    @property
    def disputed(self) -> tuple[str, ...]:
        """Ids of the checks whose outcome or points are not the same in all runs and in `before`."""
        said = {row[0].criterion.id: {(result.outcome, points_text(result)) for result in row} for row in self.rows}
        return tuple(check for check, different in said.items() if len(different) > 1)

    @property
    def verdict(self) -> str:
        """One sentence: whether all gradings agree."""
        count = "run" if len(self.runs) == 1 else f"{len(self.runs)} runs"
        scores = ", ".join(dict.fromkeys(report.score_text for report in self.runs))
        ran = {row[0].criterion.id for row in self.rows}
        is_whole = all(row.marked_by or row.id in ran for row in self.runs[0].rubric.criteria)  # else no score
        if not self.disputed:
            also = " and the grading before" if self.before else ""
            where = f"every check: {scores}" if is_whole else "every check that ran"
            return f"{'The' if len(self.runs) == 1 else 'All'} {count}{also} agree on {where}."
        told = f" Scores of the {count}: {scores}." if is_whole else ""
        return f"The gradings disagree about {', '.join(self.disputed)}.{told} A TA decides, with a mark."


def find_case(store: Store, word: str) -> Handin:
    """Return the hand-in that `word` names: by a key, a student or the path of a file.

    A file that is not part of the batch becomes a hand-in without students.

    Raises:
        UsageError: `word` names nothing or several, or the hand-in's file cannot be read, is missing or has changed.
    """
    roster, path = read_record(store.roster, Roster), Path(word)
    if path.is_file():
        digest = sha256_of(path)
        same = [known for known in roster.handins if known.sha256 == digest]
        if len(same) > 1:
            labels = listed([label for each in same for label in each.labels])
            raise UsageError(f"{word} was handed in by {labels}: name the student.")
        return replace(same[0] if same else Handin(safe_name(path.stem), (), path, digest), path=path)
    handin = find_handin(roster, word)
    if handin.problem:
        raise UsageError(f"{handin.key}: {handin.problem}.")
    if not handin.path.exists():
        raise UsageError(f"{handin.path} is not there any more: name the zip instead of {word}.")
    if handin.path.is_file() and sha256_of(handin.path) != handin.sha256:
        raise UsageError(f"{handin.path} is not what was graded, it has changed since: name the zip that is meant.")
    return handin


def hear(
    store: Store,
    handin: Handin,
    runs: int = RUNS,
    only: Sequence[str] = (),
    tell: Callable[[str], None] = lambda _text: None,
    backend: Backend | None = None,
) -> Appeal:
    """Grade the file of `handin` again, `runs` times, and write `appeal/<key>/index.html` beside the runs' reports.

    Each run has a fresh seed. `only` has check ids or their first words. Without `backend`, this machine grades.

    Raises:
        UsageError: a word of `only` names no check.
        GraderError: a run did not finish; the results of earlier runs are kept.
    """
    expect_named(only, batch_rubric(store))
    own = read_record(store.task(handin.key), Job) if handin.students else first_job(store)
    graded = own.fingerprint.get("only", "").split()  # `own.how.only` may be what was last graded again
    how = replace(own.how, only=tuple(only or graded))
    folder = store.root / "appeal" / handin.key
    first = 1 + max((int(path.name[4:]) for path in folder.glob("run-*") if path.name[4:].isdigit()), default=0)
    reports = []
    for number in range(first, first + runs):
        tell(f"run {number - first + 1} of {runs}")
        job = Job(handin, how=how, seed=secrets.randbits(32))
        reports.append(_run(store, job, folder / f"run-{number}", backend or LocalPool(1, run_job)))
    appeal = Appeal(handin, _before(store, handin), tuple(reports), folder / "index.html")
    write_atomically(appeal.page, _render(appeal, range(first, first + runs)).encode())
    return appeal


def _before(store: Store, handin: Handin) -> Report | None:
    """Return the batch's report on this file without marks, because an appeal compares only what the checks say."""
    results = load_batch(store)
    same = (each for each in results.graded if (each.handin.key, each.handin.sha256) == (handin.key, handin.sha256))
    graded = next(same, None)
    return score(graded.evidence, results.rubric) if graded else None


def _run(store: Store, job: Job, folder: Path, backend: Backend) -> Report:
    """Grade once, as a batch with one hand-in in `folder`, and return the report."""
    alone = Store(folder)
    for ended in backend.run([job], alone, lambda _key, _what: None):
        if ended.problem:
            raise GraderError(f"grading {job.handin.path} again failed: {ended.problem}.")
    return read_scored(alone.evidence(job.handin.key), batch_rubric(store))


def _detail(result: Result) -> str:
    facts = ""
    if result.criterion.threshold is not None:
        name = result.criterion.threshold.fact
        facts = f"{name.replace('_', ' ')}: {fact_text(result.observation.facts.get(name))}"
    return "\n".join(filter(None, (facts, finding_text(result.finding or Finding("")).strip())))


def _render(appeal: Appeal, numbers: range) -> str:
    key = appeal.handin.key
    columns = [{"name": "before", "report": appeal.before, "link": ""}] if appeal.before else []
    for place, (number, report) in enumerate(zip(numbers, appeal.runs, strict=True), start=1):
        link = Store(Path(f"run-{number}")).folder(key) / "report.html"
        columns.append({"name": f"run {place}", "report": report, "link": link})
    students = [f"{student.name} {student.id}".strip() for student in appeal.handin.students]
    context = {"appeal": appeal, "columns": columns, "students": students, "points": points_text, "detail": _detail}
    return render_page("appeal.html", context, ("similarity.css", "changes.css"))
