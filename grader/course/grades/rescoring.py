"""Scores once more, from evidence alone: one report or a whole batch, with another rubric if one is named.

And whether reports and sheets say what the evidence gives: every score is computed again and compared.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
from junitparser import Error, Failure, JUnitXml, JUnitXmlError, Skipped, TestCase

from grader.assignment import load_assignment
from grader.course.files import batch_assignment
from grader.course.grades.graded import BatchResults, load_batch
from grader.course.grades.sheet import grades_csv
from grader.course.grades.tables import keep_file
from grader.course.store import Store
from grader.errors import StaffError, UsageError
from grader.intake.tables import decode_csv, read_bounded
from grader.model import Evidence, Outcome, Report
from grader.reports.evidence import decode
from grader.scoring.score import score

_EVIDENCE = "evidence.json"
_OBSERVED = frozenset({_EVIDENCE, "job.json", "provisional.json"})
_TRUTH = (
    "batch.json",
    "rubric.toml",
    "late.csv",
    "marks.json",
    "comments.json",
    "deadline.json",
    "extensions.csv",
    "similarity.json",
    "similarity.html",
    "roster.json",  # the last to be copied: it makes a folder a batch, also where a copy ended in a power cut
)


@dataclass(frozen=True, slots=True)
class Place:
    """What a path on the command line means."""

    folder: Path
    """Of one report, or the root of a batch."""
    batch: Store | None = None
    """The batch that it is, or that the report belongs to."""
    key: str = ""
    """Of the hand-in, for one report of a batch."""

    @property
    def is_batch(self) -> bool:
        """Whether the whole batch is meant."""
        return self.batch is not None and not self.key


def find_place(path: Path) -> Place:
    """Return what `path` means: an `evidence.json`, a folder with one, or a batch.

    Raises:
        UsageError: it is none of these.
    """
    try:
        return _find_place(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): check its permissions.") from error


def _find_place(path: Path) -> Place:
    folder = path.parent if path.name == _EVIDENCE else path
    if Store(folder).roster.is_file():
        return Place(folder, Store(folder))
    if not (folder / _EVIDENCE).is_file():
        raise UsageError(f"{path} holds no evidence: name an {_EVIDENCE}, a folder with one, or a batch.")
    real = folder.resolve()
    above = Store(real.parent.parent)
    if real.parent.name == above.submissions.name and above.roster.is_file():
        return Place(folder, above, real.name)
    return Place(folder)


def read_evidence(folder: Path) -> Evidence:
    """Return the evidence in `folder`; `UsageError` if it is damaged or of another schema."""
    path = folder / _EVIDENCE
    try:
        return decode(path.read_bytes())
    except (StaffError, OSError) as error:
        raise UsageError(f"{path}: {error}") from error


def score_place(place: Place, rubric: Path | None = None) -> Report:
    """Return the report of one folder, with its marks if it belongs to a batch.

    Raises:
        UsageError: the evidence cannot be read, or the rubric is another assignment's.
        StaffError: the rubric is wrong.
    """
    evidence = read_evidence(place.folder)
    rules = load_assignment(evidence.assignment, rubric).rubric
    if place.batch is not None:
        for graded in load_batch(place.batch, None if rubric is None else rules).graded:
            if graded.handin.key == place.key:
                return graded.report
    return score(evidence, rules)


def adopt_rubric(store: Store, rubric: Path) -> None:
    """Make `rubric` the batch's own, from now on.

    Raises:
        UsageError: there is no such file, or it is another assignment's; nothing was changed.
        StaffError: it is wrong.
    """
    load_assignment(batch_assignment(store), rubric)
    keep_file(rubric, store.rubric)


def copy_truth(store: Store, target: Path) -> Store:
    """Copy what cannot be computed again into a new folder, so that the old batch stays as it is; return the new one.

    A copy that fails or is interrupted leaves nothing behind.

    Raises:
        UsageError: the target is there already, or cannot be written.
    """
    if target.exists() and any(target.iterdir()):
        raise UsageError(f"{target} is not empty: name a new folder with --out.")
    was_there = target.exists()
    try:
        _copy(store, target)
    except OSError as error:
        _remove(target, was_there)
        raise UsageError(
            f"{target} cannot be written ({error.strerror or error}): name another folder with --out."
        ) from error
    except BaseException:  # half of the submissions would pass for all of them
        _remove(target, was_there)
        raise
    return Store(target)


def _copy(store: Store, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for folder in filter(Path.is_dir, (store.lms, *(store.root / name for name in ("tasks", "appeal", "similarity")))):
        shutil.copytree(folder, target / folder.name)
    shutil.copytree(store.submissions, Store(target).submissions, ignore=_leave_reports)
    for name in filter(lambda name: (store.root / name).is_file(), _TRUTH):
        shutil.copy2(store.root / name, target / name)


def _remove(target: Path, was_there: bool) -> None:
    """Remove what was copied; a folder that was there before, and empty, stays."""
    if not was_there:
        shutil.rmtree(target, ignore_errors=True)
        return
    for path in target.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _leave_reports(folder: str, names: list[str]) -> list[str]:
    """Return the files that `copytree` leaves out: what is rendered anew."""
    return [name for name in names if not Path(folder, name).is_dir() and name not in _OBSERVED]


_TOLERANCE = 1e-9


class _Test(msgspec.Struct):
    name: str
    score: float


class _Extra(msgspec.Struct):
    outcome: dict[str, str]
    score_range: tuple[float, float]


class _Results(msgspec.Struct):
    score: float
    tests: list[_Test]
    extra_data: _Extra


def verify_report(report: Report, folder: Path) -> Iterator[str]:
    """Yield one sentence for each thing that `results.json` and `junit.xml` in `folder` say differently.

    Args:
        report: What the evidence gives.
        folder: Where the files are; at least one of them has to be there.

    Raises:
        UsageError: neither file is there, or one is damaged.
    """
    results, junit = folder / "results.json", folder / "junit.xml"
    if not (results.is_file() or junit.is_file()):
        raise UsageError(
            f"{folder} has neither results.json nor junit.xml, so there is nothing to compare: rescore it first."
        )
    if results.is_file():
        yield from _compare_results(report, _read_results(results))
    if junit.is_file():
        yield from _compare_junit(report, junit)


def verify_batch(store: Store) -> Iterator[str]:
    """Yield one sentence for each thing that a report or `grades.csv` says differently; raises as `verify_report`."""
    results = load_batch(store)
    for handin, why in results.damaged:
        yield f"{handin.key}: {why}"
    for graded in results.graded:
        for problem in verify_report(graded.report, store.folder(graded.handin.key)):
            yield f"{graded.handin.key}: {problem}"
    yield from _compare_sheet(results, store.root / "grades.csv")


def _compare_results(report: Report, said: _Results) -> Iterator[str]:
    scores = {test.name: test.score for test in said.tests}
    for result in report.results:
        check = result.criterion.id
        if not _same(scores.get(check), result.points_low):
            yield f"results.json gives {check} {_shown(scores.get(check))}, the evidence {result.points_low:g}."
        if (was := said.extra_data.outcome.get(check)) != result.outcome:
            yield f"results.json calls {check} {was}, the evidence says {result.outcome}."
    for unknown in scores.keys() - {result.criterion.id for result in report.results}:
        yield f"results.json has a check {unknown}, which the rubric does not have."
    for end, there, here in zip(("lowest", "highest"), said.extra_data.score_range, _range(report), strict=True):
        if not _same(there, here):
            yield f"results.json says that the {end} score is {there:g}, the evidence gives {here:g}."
    if not _same(said.score, report.score_low):
        yield f"results.json says that the score is {said.score:g}, the evidence gives {report.score_low:g}."


def _compare_junit(report: Report, path: Path) -> Iterator[str]:
    try:
        said = {case.name: _verdict(case) for suite in JUnitXml.fromfile(str(path)) for case in suite}
    except (OSError, SyntaxError, JUnitXmlError) as error:  # XML parsers count bad XML among syntax errors
        raise UsageError(f"{path} is damaged ({error}): rescore it.") from error
    for result in report.results:
        now = {Outcome.PASSED: "passed", Outcome.FAILED: "failed", Outcome.ERROR: "error"}.get(
            result.outcome, "skipped"
        )
        if (was := said.get(result.criterion.id, "missing")) != now:
            yield f"junit.xml says that {result.criterion.id} is {was}, the evidence says {now}."


def _compare_sheet(results: BatchResults, path: Path) -> Iterator[str]:
    if not path.is_file():
        yield "grades.csv is missing: rescore the batch."
        return
    was, now = _by_student(path, read_bounded(path)), _by_student(path, grades_csv(results))
    for student in sorted(was.keys() | now.keys()):
        before, after = was.get(student, {}), now.get(student, {})
        for column in sorted(before.keys() | after.keys(), key=[*after, *before].index):
            if before.get(column) != after.get(column):
                yield (
                    f"grades.csv says {column} = {before.get(column)!r} for {student}, "
                    f"the evidence gives {after.get(column)!r}."
                )


def _by_student(path: Path, raw: bytes) -> Mapping[str, Mapping[str, str]]:
    cells, _separator = decode_csv(raw, path)
    return {row[0]: dict(zip(cells[0], row, strict=False)) for row in cells[1:] if row}


def _read_results(path: Path) -> _Results:
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Results)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path} is damaged ({error}): rescore it.") from error


def _verdict(case: TestCase) -> str:
    kinds = {Failure: "failed", Error: "error", Skipped: "skipped"}
    return next((kinds[type(entry)] for entry in case.result if type(entry) in kinds), "passed")


def _range(report: Report) -> tuple[float, float]:
    return report.score_low, report.score_high


def _same(one: float | None, other: float) -> bool:
    return one is not None and abs(one - other) <= _TOLERANCE


def _shown(points: float | None) -> str:
    return "nothing" if points is None else f"{points:g}"
