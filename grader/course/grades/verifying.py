"""Whether reports and sheets say what the evidence gives: every score is computed again and compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from junitparser import Error, Failure, JUnitXml, JUnitXmlError, Skipped, TestCase

from grader.course.grades.graded import BatchResults, load_batch
from grader.course.grades.sheet import grades_csv
from grader.course.store import Store
from grader.errors import UsageError
from grader.intake.tables import decode_csv, read_bounded
from grader.model import Outcome, Report

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
