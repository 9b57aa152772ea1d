"""Scores existing evidence again, with another rubric if one is named: one report or a whole batch.

It also verifies reports and sheets: every score is computed again and compared with the files.
"""

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from junitparser import Error, Failure, JUnitXml, JUnitXmlError, Skipped

from grader.assignment import load_assignment
from grader.course.grades.graded import grades_csv, grades_of, load_batch, sheet_rows
from grader.course.grades.sheets import render_archives
from grader.course.grades.tables import fill_tables, keep_file, read_publishing
from grader.course.model import JOB, PROVISIONAL_FILE, Store, batch_assignment, holds
from grader.errors import StaffError, UsageError
from grader.intake.disk import write_atomically
from grader.intake.tables import decode_csv, read_bounded
from grader.model import Report
from grader.reports import gradescope
from grader.reports.files import EVIDENCE_FILE, RENDERERS, decode
from grader.reports.junit import render as render_junit
from grader.scoring.score import score

_OBSERVED = frozenset({EVIDENCE_FILE, JOB, PROVISIONAL_FILE})


@dataclass(frozen=True, slots=True)
class Place:
    """A report or a batch that a path on the command line names."""

    folder: Path  # the folder of one report, or the root of a batch
    batch: Store | None = None  # the batch itself, or the batch of the report; None for a report outside a batch
    key: str = ""  # key of the hand-in, for one report of a batch

    @property
    def whole(self) -> Store | None:
        """The batch, if the path names a whole batch."""
        return None if self.key else self.batch


def find_place(path: Path) -> Place:
    """Return what `path` names: an `evidence.json`, a folder with one, or a batch; `UsageError` if nothing of these."""
    folder = path.parent if path.name == EVIDENCE_FILE else path
    try:
        if Store(folder).roster.is_file():
            return Place(folder, Store(folder))
        if not (folder / EVIDENCE_FILE).is_file():
            raise UsageError(f"{path} is not there or has no evidence: name an {EVIDENCE_FILE}, its folder or a batch.")
        real = folder.resolve()
        above = Store(real.parent.parent)
        if real.parent.name == above.submissions.name and above.roster.is_file():
            return Place(folder, above, real.name)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): check its permissions.") from error
    return Place(folder)


def score_place(place: Place, rubric: Path | None = None) -> Report:
    """Return the report of one folder, with marks and lateness if it belongs to a batch.

    `UsageError` if the evidence cannot be read; also raises as `load_assignment`, and for a batch as `load_batch`.
    """
    path = place.folder / EVIDENCE_FILE
    try:
        evidence = decode(path.read_bytes())
    except (StaffError, OSError) as error:
        raise UsageError(f"{path}: {error}") from error
    rules = load_assignment(evidence.assignment, rubric).rubric
    if place.batch is not None:
        for graded in load_batch(place.batch, None if rubric is None else rules).graded:
            if graded.handin.key == place.key:
                return graded.report
    return score(evidence, rules)


def adopt_rubric(store: Store, rubric: Path) -> None:
    """Copy `rubric` into the batch, which uses it from now on.

    Raises:
        UsageError: there is no such file, or it is of another assignment; nothing was changed.
        StaffError: it is wrong.
    """
    load_assignment(batch_assignment(store), rubric)
    keep_file(rubric, store.rubric)


@contextmanager
def unchanged_on_error(store: Store) -> Iterator[None]:
    """Give a batch back the rubric and the tables that it had before, if the block raises: the user tries again."""
    files = (store.rubric, store.late, store.extensions, store.deadline, store.counted_late)
    before = {file: file.read_bytes() for file in files if file.is_file()}
    try:
        yield
    except BaseException:
        for file in files:
            file.unlink(missing_ok=True)
        for file, content in before.items():
            write_atomically(file, content)
        raise


def copy_truth(store: Store, target: Path) -> Store:
    """Copy evidence, options, marks and tables of a batch into the new folder `target`, and return the new batch.

    If the copy fails or is interrupted, `target` is not created.

    Raises:
        UsageError: the target is not empty, or cannot be written.
    """

    def rendered(folder: str, names: list[str]) -> list[str]:  # these files are written again
        return [name for name in names if not Path(folder, name).is_dir() and name not in _OBSERVED]

    try:
        if target.exists() and any(target.iterdir()):
            raise UsageError(f"{target} is not empty: name a new folder with --out.")
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".copy-", dir=target.parent) as temporary:
            made = Store(Path(temporary, "batch"))  # an incomplete copy must not look like a batch
            made.root.mkdir()
            folders = (store.lms, store.root / "tasks", store.root / "appeal", store.root / "similarity")
            for folder in filter(Path.is_dir, folders):
                shutil.copytree(folder, made.root / folder.name)
            shutil.copytree(store.submissions, made.submissions, ignore=rendered)
            files = [store.settings, store.rubric, store.late, store.marks, store.comments, store.deadline]
            files += [store.extensions, store.similarities, store.root / "similarity.html"]
            # The roster is last: if a power cut ends the copy, the folder has no roster and so is no batch
            for file in filter(Path.is_file, [*files, store.roster]):
                shutil.copy2(file, made.root / file.name)
            made.root.rename(target)
    except OSError as error:
        raise UsageError(
            f"{target} cannot be written ({error.strerror or error}): name another folder with --out."
        ) from error
    return Store(target)


def verify(place: Place, rubric: Path | None = None) -> Iterator[str]:
    """Return one sentence for each value in the files that does not follow from the evidence; see `verify_report`."""
    if place.whole and rubric:
        raise UsageError("--rubric is for one report, a batch has its own: rescore the batch with it.")
    return verify_batch(place.whole) if place.whole else verify_report(score_place(place, rubric), place.folder)


def verify_report(report: Report, folder: Path) -> Iterator[str]:
    """Yield one sentence for each value of `results.json` and `junit.xml` in `folder` that differs from `report`.

    Raises:
        UsageError: neither file exists, or one is damaged.
    """
    results, junit = folder / "results.json", folder / "junit.xml"
    if not (results.is_file() or junit.is_file()):
        raise UsageError(f"{folder} has no results.json or junit.xml, so there is nothing to compare: rescore it.")
    for path, read, render in ((results, _in_results, gradescope.render), (junit, _in_junit, render_junit)):
        if path.is_file():
            try:
                written = read(path.read_bytes())
            except (OSError, ValueError, LookupError, TypeError, SyntaxError, JUnitXmlError) as error:  # XML's
                raise UsageError(f"{path} is damaged ({error}): rescore it.") from error
            yield from _compare(path.name, written, read(render(report).encode()))


def verify_batch(store: Store) -> Iterator[str]:
    """Yield one sentence for each wrong value, or missing report, in reports and `grades.csv`, and each wrong table."""
    results, sheet = load_batch(store), store.root / "grades.csv"
    yield from (f"{handin.key}: {why}" for handin, why in results.damaged)
    for graded in results.graded:
        folder = store.folder(graded.handin.key)
        problems = [f"{file} is missing." for file in RENDERERS if not (folder / file).is_file()]
        try:
            problems += verify_report(graded.report, folder)
        except UsageError as error:  # reports are missing or damaged: the others are looked at all the same
            problems.append(str(error))
        yield from (f"{graded.handin.key}: {problem}" for problem in problems)
    if not sheet.is_file():
        yield "grades.csv is missing: rescore the batch."
        return
    yield from _compare("grades.csv", _in_sheet(read_bounded(sheet), sheet), _in_sheet(grades_csv(results), sheet))
    grades = grades_of(sheet_rows(results), read_publishing(store).provisional)
    tables = fill_tables(store, results.roster, results.rubric, grades)[0]
    for name, now in {**tables, **render_archives(store, results)[0]}.items():
        path = store.root / name
        if path.is_file() and _is_other(path, now):
            yield f"{name} says something else than the evidence and the marks give: rescore the batch."


def _is_other(path: Path, now: bytes) -> bool:
    """Return whether a file of the batch has other contents; a table may have been saved again by a spreadsheet."""
    is_table = path.suffix == ".csv"
    return decode_csv(read_bounded(path), path)[0] != decode_csv(now, path)[0] if is_table else not holds(path, now)


def _compare(file: str, written: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """Yield one sentence for each value that the file would not have if it were written now."""
    for what in dict.fromkeys((*now, *written)):
        if written.get(what) != now.get(what):
            yield f"{file} says {what} = {written.get(what, 'nothing')}, the evidence gives {now.get(what, 'nothing')}."


def _in_results(raw: bytes) -> Mapping[str, str]:
    """Return the values of a `results.json`: points and outcome of each check, the score and its range."""
    document = json.loads(raw)
    extra = document["extra_data"]
    points = {f"points of {test['name']}": f"{test['score']:.9g}" for test in document["tests"]}
    outcomes = {f"outcome of {check}": str(outcome) for check, outcome in extra["outcome"].items()}
    return {**points, **outcomes, "score": f"{document['score']:.9g}", "score_range": str(extra["score_range"])}


def _in_junit(raw: bytes) -> Mapping[str, str]:
    """Return check → outcome from a `junit.xml`."""
    kinds = {Failure: "failed", Error: "error", Skipped: "skipped"}
    cases = (case for suite in JUnitXml.fromstring(raw) for case in suite)
    return {case.name: next((kinds[type(e)] for e in case.result if type(e) in kinds), "passed") for case in cases}


def _in_sheet(raw: bytes, path: Path) -> Mapping[str, str]:
    cells, _separator = decode_csv(raw, path)
    rows = (zip(cells[0], row, strict=False) for row in cells[1:] if row)
    return {f"{column} of {row[0][1]}": text for row in map(tuple, rows) for column, text in row}
