"""Writes all output files of a batch from its evidence, marks and late days. Writing twice gives the same bytes.

The paths in `feedback.zip` are those that the batch's learning platform expects. Entries of zips are sorted and have no
time, so that the same content gives the same bytes.
"""

import shlex
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from grader.course.grades.graded import (
    DAMAGED,
    FINAL,
    PROVISIONAL,
    REFUSED,
    WAITING,
    BatchResults,
    Row,
    describe_other_gpus,
    grades_csv,
    grades_of,
    load_batch,
    sheet_rows,
)
from grader.course.grades.marks import read_marks
from grader.course.grades.tables import count_lateness, fill_tables, kept_table, read_kept, read_publishing
from grader.course.model import Store, holds, write_if_changed
from grader.course.pages import render_index
from grader.course.platforms import PLATFORMS
from grader.course.platforms.platform import FEEDBACK_NAME, safe_name
from grader.course.similarity import read_similarities
from grader.errors import GraderError
from grader.intake.archive import pack
from grader.model import Outcome, Report, printable
from grader.reports import gradescope, html, junit
from grader.reports.files import RENDERERS, RESULTS_FILE
from grader.reports.story import counted, listed

_NAMED = 20


@dataclass(frozen=True, slots=True)
class Sheets:
    """The files that were written, and their contents as values."""

    results: BatchResults
    rows: tuple[Row, ...]
    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()  # sentences for the TA


def write_grades(store: Store) -> Sheets:
    """Write `grades.csv` and the tables for platforms, without reports and archives; raises as `write_sheets`.

    If somebody stores a mark meanwhile, they are written again, so that the files contain every stored mark.
    """
    late = count_lateness(store)
    while True:
        results = load_batch(store)
        rows, provisional = sheet_rows(results), read_publishing(store).provisional
        filled, notes = fill_tables(store, results.roster, results.rubric, grades_of(rows, provisional))
        if filled:
            notes += _open_scores([row for row in rows if row.report and row.status != FINAL], provisional)
        contents = {"grades.csv": grades_csv(results), **filled}
        files = tuple(write_if_changed(store.root / name, content) for name, content in contents.items())
        if read_marks(store).version == results.marks.version:
            return Sheets(results, rows, files, (*late, *results.unmatched, *notes))


def _open_scores(rows: Sequence[Row], provisional: str) -> Iterator[str]:
    """Yield how many scores that are not final are in the platforms' tables, and how many are left out, and why."""
    left = [row.student.id for row in rows if row.grade(provisional) is None]
    if low := len(rows) - len(left):
        yield f"{counted(low, 'score')} not final, written by the lower end: --provisional skip leaves them out."
    if left:
        ours = f"the grader failed on them or did not run all checks: {listed(left, _NAMED)}"
        why = ours if provisional == "low" else "provisional or refused"
        yield f"no grade yet for {counted(len(left), 'student')}, {why}."


def write_sheets(store: Store, *, all_reports: bool = False) -> Sheets:
    """Write all sheets of the batch, the grades first, and the reports whose `results.json` changed.

    With `all_reports`, the other formats of every report are compared, too, and written if they changed. Raises as
    `load_batch`, and `GraderError` if the disk refuses.
    """
    grades = write_grades(store)
    results, rows = grades.results, grades.rows
    for graded in results.graded:
        rewrite_reports(graded.report, store.folder(graded.handin.key), every=all_reports)
    archives, lost = render_archives(store, results)
    reports = ((row.student.id, row.report) for row in rows if row.report)
    contents = {
        "junit.xml": junit.render_many(reports, results.rubric.assignment).encode(),
        "index.html": render_index(results, read_similarities(store)).encode(),
        **archives,
    }
    files = tuple(write_if_changed(store.root / name, content) for name, content in contents.items())
    if read_marks(store).version != results.marks.version:  # stored meanwhile
        return write_sheets(store, all_reports=all_reports)
    damaged = (f"{handin.key}: {why}" for handin, why in results.damaged)
    gpus = describe_other_gpus({row.handin.key for row in rows if row.handin and row.elsewhere})
    return Sheets(results, rows, (*grades.files, *files), (*grades.notes, *gpus, *lost, *damaged))


def describe_statuses(rows: Sequence[Row]) -> str:
    """Return the number of students, in all and for each status: `3 students: 2 final, 1 nothing handed in`.

    More lines name the students with a refused file, with unreadable evidence, or not graded yet.
    """
    counts = Counter(row.status for row in rows)
    statuses = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    named = {
        status: listed([printable(row.student.label, 120) for row in rows if row.status == status], _NAMED)
        for status in (REFUSED, DAMAGED, WAITING)
        if counts[status]
    }
    head = f"{counted(len(rows), 'student')}: {statuses}"
    return "\n  ".join([head, *(f"{what}: {who}" for what, who in named.items())])


def new_notes(store: Store, sheets: Sheets) -> tuple[str, ...]:
    """Return the notes that are new since the last call, and the number of others; write all notes to `notes.txt`."""
    path = store.root / "notes.txt"
    before = path.read_text("utf-8").splitlines() if path.is_file() else []
    lines = [" ".join(note.split()) for note in sheets.notes]
    write_if_changed(path, "".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    known = sum(line in before for line in lines)
    again = (f"{counted(known, 'note')} as the last time: {path}",) if known else ()
    return (*(line for line in lines if line not in before), *again)


def rewrite_reports(report: Report, folder: Path, *, every: bool = True) -> None:
    """Write all files of `report` into `folder`, beside the evidence, which is not changed.

    Without `every`, nothing is written if `results.json` has its content already: it is the last file to be written.
    """
    if every or not holds(folder / RESULTS_FILE, RENDERERS[RESULTS_FILE](report).encode()):
        for file, render in RENDERERS.items():
            write_if_changed(folder / file, render(report).encode())


def render_archives(store: Store, results: BatchResults) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Return name -> bytes of the archives of reports, and notes about students who have no report in them."""
    folders = {who: line.folder for who, line in read_kept(store, results.roster).items() if line.folder}
    feedback, lost = _feedback_zip(store, results, folders)
    return {"feedback.zip": feedback, "gradescope.zip": _gradescope_zip(results)}, lost


def _feedback_zip(store: Store, results: BatchResults, folders: Mapping[str, str]) -> tuple[bytes, tuple[str, ...]]:
    """Return `feedback.zip`, one report per student; `folders`: student -> the folder named by the platform's table."""
    files: dict[str, bytes | Path] = {}
    platform, lost = PLATFORMS[results.roster.platform], []
    for graded in results.graded:
        for student, report in graded.reports.items():
            own = f"{safe_name(folders[student])}/{FEEDBACK_NAME}" if student in folders else ""
            name = own or platform.feedback_path(graded.handin, student)
            if not name or name in files:
                lost.append(student)
            elif report == graded.report and (stored := store.folder(graded.handin.key) / FEEDBACK_NAME).is_file():
                files[name] = stored
            else:
                files[name] = html.render(report).encode()
    contents = ((name, file if isinstance(file, bytes) else file.read_bytes()) for name, file in sorted(files.items()))
    return pack(contents), (f"feedback.zip: no own folder, give the report by hand: {listed(lost)}.",) if lost else ()


def _gradescope_zip(results: BatchResults) -> bytes:
    """Return `gradescope.zip`: the `results.json` of every student, or of every submission that Gradescope knows."""
    platform, files = PLATFORMS[results.roster.platform], {}
    for graded in results.graded:
        for student, report in reversed([*graded.reports.items()]):  # in a shared folder, the first student's wins
            files[platform.results_folder(graded.handin, student)] = gradescope.render(report)
    return pack((f"{name}/results.json", text.encode()) for name, text in sorted(files.items()))


def next_steps(store: Store, sheets: Sheets) -> tuple[str, ...]:
    """Return lines for a terminal: the next steps until every student has a grade on the platform, with commands."""
    return ("Next:", *(f"  {line}" for line in (*_open(store, sheets), *_platform(store, sheets))))


def _open(store: Store, sheets: Sheets) -> Iterator[str]:
    """Yield the steps that give a final grade to the students without one."""
    batch = shlex.quote(str(store.root))
    waiting = [row for row in sheets.rows if row.status in {PROVISIONAL, REFUSED}]
    waits = f"{counted(len(waiting), 'student')} {'has' if len(waiting) == 1 else 'have'} no final grade yet"
    yield f"make review BATCH={batch}    read the reports and give points; {waits}"
    needs_gpu = [  # for each student, ids of the checks with points that need a GPU and were not measured
        [
            result.criterion.id
            for result in row.report.results
            if result.outcome is Outcome.NOT_MEASURED and result.criterion.points and result.criterion.hardware == "gpu"
        ]
        for row in waiting
        if row.report
    ]
    unmeasured = list(filter(None, needs_gpu))
    if checks := dict.fromkeys(check for ids in unmeasured for check in ids):
        yield f"{listed(checks)}: not measured for {counted(len(unmeasured), 'student')}. A grade all the same:"
        yield f"  {_low_grades(store, sheets)}"
        yield "  or on the GPU server: make batch with the same files. Bring that batch here; then"
        yield f"  make merge BATCH=<that batch> PROVISIONAL={batch}    (marks count that were given in BATCH)"


def _low_grades(store: Store, sheets: Sheets) -> str:
    """Return where undecided points count as 0, or the command that makes them 0 in the platform's file."""
    tables = {f"{platform.name}.csv" for platform in PLATFORMS.values() if platform.table}
    filled = [path.name for path in sheets.files if path.name in tables]
    if read_publishing(store).provisional == "low" and filled:
        return f"{listed(filled)}: undecided points count as 0 there"
    if filled or PLATFORMS[sheets.results.roster.platform].table:
        batch = shlex.quote(str(store.root))
        return f"make rescore BATCH={batch} ARGS='--provisional low'    the platform gets 0 for undecided points"
    return f"column `low` of {store.root / 'grades.csv'}: undecided points count as 0 there"


def _platform(store: Store, sheets: Sheets) -> Iterator[str]:
    """Yield how to upload the grades to the platform of the hand-ins, and to others whose table the batch keeps."""
    batch, own = shlex.quote(str(store.root)), sheets.results.roster.platform
    for platform in PLATFORMS.values():
        if kept_table(store, platform.name) is not None:
            yield f"{platform.title}: {platform.upload.format(file=store.root / f'{platform.name}.csv')}"
        elif platform.name == own and platform.table:
            yield f"{platform.title}: {platform.download}; then"
            fills = f"fills it: {platform.name}.csv"
            yield f"  make rescore BATCH={batch} ARGS='--{platform.name} {platform.example}'    {fills}"
        if platform.name == own and platform.advice:
            yield from f"{platform.title}: {platform.advice.format(batch=batch)}".splitlines()


PAUSE_S = 2.0  # if no further mark comes for this time, the reports and the other sheets are written


class SheetWriter:
    """Writes the sheets of one batch, never two at a time; if it `follows`, all sheets a moment after the grades."""

    def __init__(self, store: Store, *, follows: bool = False) -> None:
        self._store, self._follows = store, follows
        self._writing, self._later = threading.Lock(), threading.Timer(PAUSE_S, self._follow)

    def write_grades(self) -> None:
        """Write the grade sheets; afterwards they contain every mark that was stored before the call."""
        with self._writing:
            self._later.cancel()
            write_grades(self._store)
            if self._follows:
                self._later = threading.Timer(PAUSE_S, self._follow)
                self._later.start()

    def write_everything(self) -> Sheets:
        """Write all sheets and reports now; raises as `write_sheets`."""
        with self._writing:
            self._later.cancel()
            return write_sheets(self._store)

    def _follow(self) -> None:
        with suppress(GraderError):  # such as a full disk: shown when somebody asks for the sheets, and at the end
            self.write_everything()
