"""`moodle.csv`: the grading worksheet that Moodle's assignment offers for download, with grades and comments filled in.

Moodle (mod/assign/feedback/offline) finds a student by the number in the column `Identifier`, skips an empty grade and
one above the maximum, reads decimals as its language writes them, and takes the feedback as HTML. It compares `Last
modified (grade)` with its own, so that a grade given meanwhile is not overwritten. So everything else stays as it was.
The headings come in the language of whoever downloads; English and Hebrew are known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

from markupsafe import escape

from grader.course.grades.people import participant_number
from grader.course.grades.sheet import Row, points_cell
from grader.course.platforms.model import Roster, Student
from grader.errors import UsageError
from grader.intake.tables import BOM, Cells, cell, csv_bytes, decode_csv, defused, read_bounded
from grader.model import printable
from grader.reports.story import first_step_text, listed, open_sentences, plain

_HEADINGS = {
    "identifier": ("identifier", "מזהה"),
    "grade": ("grade", "ציון"),
    "maximum": ("maximum grade", "ציון מירבי"),
    "feedback": ("feedback comments", "הערות למשוב"),
    "name": ("full name", "שם מלא"),
    "email": ("email address", 'כתובת דוא"ל', "דואר אלקטרוני"),
    "time": ("last modified (submission)", "שונה לאחרונה (הגשה)", "תאריך שינוי אחרון (הגשה)"),
    "id": ("id number", "מספר זיהוי", "מספר זהות"),
}
_DIGITS = re.compile(r"\d+$")
_COMMENT_LIMIT = 1500
_SHOWN = 20
_Key = tuple[str, str]


def fill_worksheet(path: Path, rows: Sequence[Row], provisional: str = "skip") -> tuple[bytes, tuple[str, ...]]:
    """Return the worksheet at `path` with the grades of `rows`, and sentences about what was left open.

    Args:
        path: What was downloaded from Moodle.
        rows: The grade sheet.
        provisional: As in `Row.grade`.

    Raises:
        UsageError: it cannot be read, or is no grading worksheet.
    """
    raw = read_bounded(path)
    cells, separator = decode_csv(raw, path)
    columns = _columns(cells, path)
    filled, graded, unknown, above = [cells[0]], set(), [], 0
    for line, row in _matched(cells[1:], columns, rows):
        unknown += [_named(line, columns)] if row is None and any(line) else []
        above += _is_above_maximum(line, columns, row, provisional)
        if row is not None:
            graded.add(row.student.id)
        filled.append(_fill(line, columns, row, provisional))
    bom = raw.startswith(BOM.encode())
    return csv_bytes(filled, bom=bom, separator=separator), tuple(_notes(rows, graded, unknown, above, provisional))


def worksheet_folders(path: Path, rows: Sequence[Row]) -> dict[str, str]:
    """Return id of a student → the folder that Moodle finds feedback of that student in; raises as `fill_worksheet`."""
    cells, _separator = decode_csv(read_bounded(path), path)
    columns = _columns(cells, path)
    found = {}
    for line, row in _matched(cells[1:], columns, rows):
        number = _DIGITS.search(cell(line, columns["identifier"]))
        if row is not None and number is not None:
            name = cell(line, columns.get("name")).replace("_", " ")  # Moodle cuts the folder's name at underscores
            found[row.student.id] = f"{name or 'Participant'}_{number[0]}_assignsubmission_file_"
    return found


def worksheet_times(path: Path, roster: Roster) -> dict[str, str]:
    """Return id of a student → when Moodle says that the hand-in was changed last; raises as `fill_worksheet`."""
    cells, _separator = decode_csv(read_bounded(path), path)
    columns = _columns(cells, path)
    rows = [Row(student, "", handin) for handin in roster.handins for student in handin.students]
    found = {row.student.id: cell(line, columns.get("time")) for line, row in _matched(cells[1:], columns, rows) if row}
    return {student: text for student, text in found.items() if text.strip(" -")}


def feedback_text(row: Row) -> str:
    """Return what a student reads beside the grade, as HTML: the score, what moved it, what TAs said, a first step."""
    report = row.report
    if report is None:
        return ""
    said = (f"{r.criterion.id}: {r.points_low:g} points. {r.mark.comment}" for r in report.results if r.mark)
    lines = (
        f"Score: {report.score_text}",
        *(entry.text for entry in report.adjustments),
        *said,
        *open_sentences(report),
        first_step_text(report),
    )
    return "<br>".join(
        str(escape(line.strip())) for line in printable(plain("\n".join(lines)), _COMMENT_LIMIT).split("\n") if line
    )


def _columns(cells: Cells, path: Path) -> Mapping[str, int]:
    """Return where the columns stand; `UsageError` unless identifier and grade are among them."""
    header = [cell.strip().casefold().replace("״", '"') for cell in cells[0]] if cells else []
    found = {name: header.index(word) for name, words in _HEADINGS.items() for word in words if word in header}
    for name in ("identifier", "grade"):
        if name not in found:
            raise UsageError(
                f"{path} is no grading worksheet of Moodle, it has no column {name!r}: in the assignment choose "
                "`Download grading worksheet`, with Moodle in English or Hebrew."
            )
    return found


def _matched(
    lines: Sequence[list[str]], columns: Mapping[str, int], rows: Sequence[Row]
) -> list[tuple[list[str], Row | None]]:
    """Return each line with the student whom it is about, by the most reliable key that is unique on both lists."""
    known = _by_key(rows)
    keys = [_line_keys(line, columns) for line in lines]
    clear = {key for key, count in Counter(chain.from_iterable(keys)).items() if count == 1}
    found = [next((known[key] for key in own if key in clear and known.get(key)), None) for own in keys]
    return list(zip(lines, found, strict=True))


def _by_key(rows: Sequence[Row]) -> dict[_Key, Row | None]:
    """Return kind and key → row; None where several students share the key, so that nobody gets another's grade."""
    known: dict[_Key, Row | None] = {}
    for row in rows:
        for key in {*_own_keys(row.student), ("participant", _participant(row))}:
            if key[1]:
                known[key] = None if key in known else row
    return known


def _own_keys(student: Student) -> set[_Key]:
    return {("id", student.id), ("name", _plain(student.name)), ("email", _plain(student.email))}


def _participant(row: Row) -> str:
    """Return the student's number in Moodle; a file of two students has that of the one who handed it in."""
    if row.handin is None:
        return ""
    number = participant_number(row.handin)
    return number if len(row.handin.students) == 1 or number == row.student.id else ""


def _line_keys(line: Sequence[str], columns: Mapping[str, int]) -> tuple[_Key, ...]:
    """Return what the line says about its student, the surest first."""
    number = _DIGITS.search(cell(line, columns.get("identifier")))
    return (
        ("participant", number[0] if number else ""),
        ("id", cell(line, columns.get("id"))),
        ("email", _plain(cell(line, columns.get("email")))),
        ("name", _plain(cell(line, columns.get("name")))),
    )


def _fill(line: Sequence[str], columns: Mapping[str, int], row: Row | None, provisional: str) -> list[str]:
    kept = {columns[name] for name in ("identifier", "grade", "maximum") if name in columns}
    cells = [cell if place in kept else defused(cell) for place, cell in enumerate(line)]
    grade = row.grade(provisional) if row else None
    if row is None or grade is None or len(cells) <= columns["grade"]:
        return cells
    has_comma = "," in cell(line, columns.get("maximum"))
    cells[columns["grade"]] = points_cell(grade).replace(".", "," if has_comma else ".")
    if "feedback" in columns and columns["feedback"] < len(cells):
        cells[columns["feedback"]] = feedback_text(row)
    return cells


def _is_above_maximum(line: Sequence[str], columns: Mapping[str, int], row: Row | None, provisional: str) -> bool:
    """Return whether Moodle will pass the grade over without a word, because its own maximum is lower."""
    grade = row.grade(provisional) if row else None
    maximum = cell(line, columns.get("maximum")).replace(",", ".")
    return grade is not None and maximum.replace(".", "", 1).isdecimal() and grade > float(maximum)


def _notes(rows: Sequence[Row], graded: set[str], unknown: Sequence[str], above: int, provisional: str) -> list[str]:
    """Return sentences about students who are on one list only, and grades that Moodle will not take."""
    absent = [row.student.id for row in rows if row.student.id not in graded and row.report]
    notes = []
    if absent:
        notes.append(f"moodle.csv: {len(absent)} graded students are not on the worksheet: {listed(absent, _SHOWN)}.")
    if unknown:
        notes.append(
            f"moodle.csv: {len(unknown)} of its lines are not in this batch and stay: {listed(unknown, _SHOWN)}."
        )
    if above:
        notes.append(f"moodle.csv: {above} grades are above Moodle's maximum, which skips them: raise it there first.")
    if left := [row.student.id for row in rows if row.report and row.grade(provisional) is None]:
        why = f"the grader failed on them: {listed(left, _SHOWN)}" if provisional == "low" else "provisional or refused"
        notes.append(f"moodle.csv: {len(left)} students got no grade yet, {why}.")
    return notes


def _named(line: Sequence[str], columns: Mapping[str, int]) -> str:
    """Return whom a line is about, in words."""
    return printable(cell(line, columns.get("name")) or cell(line, columns["identifier"]), 60)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
