"""Moodle: `Full Name_12345_assignsubmission_file_/hw1.zip`, or the same without folders, and its grading worksheet.

The number is the participant's identifier in the assignment, which the grading worksheet shows as `Participant 12345`.
Names may be in any script. While marking is anonymous, the name is `Participant`.

Moodle (mod/assign/feedback/offline) finds a student by the number in the column `Identifier`, skips an empty grade and
a grade above the maximum, reads decimals in the format of its language, and reads the feedback as HTML. It compares
`Last modified (grade)` with its own value, so that it does not overwrite a newer grade. So all other cells stay the
same. The headings are in the language of the person who downloads; English and Hebrew are supported.
"""

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from markupsafe import escape

from grader.course.people import Handin, Key, Roster, Student, columns, match_lines
from grader.course.platforms.entries import Entry
from grader.course.platforms.platform import (
    FEEDBACK_NAME,
    Filling,
    Found,
    Grade,
    Line,
    Platform,
    Upload,
    by_first_folder,
    choose_files,
    owner_of,
    pairs_of,
    safe_name,
)
from grader.errors import UsageError
from grader.intake.tables import Cells, cell, csv_bytes, decode_csv, defused, find_columns, points_cell, read_bounded
from grader.model import printable
from grader.reports.story import listed, plain

_FOLDER = re.compile(r"(?P<name>.*)_(?P<id>\d+)_assignsubmission_file_?")
_FLAT = re.compile(rf"{_FOLDER.pattern}_(?P<file>[^_].*)", re.DOTALL)
_OTHER = re.compile(r"(?P<name>.*)_(?P<id>\d+)_assignsubmission_(?!file)\w+(\.\w+)?")
_PARTICIPANT = re.compile(r"_(\d+)_assignsubmission_", re.IGNORECASE)
_NO_TIME = "the file's time in the archive, because Moodle tells no time"
_HEADINGS = {
    "identifier": ("מזהה",),
    "grade": ("ציון",),
    "maximum grade": ("ציון מירבי",),
    "feedback comments": ("הערות למשוב",),
    "last modified (submission)": ("שונה לאחרונה (הגשה)", "תאריך שינוי אחרון (הגשה)"),
    **columns("student id", "name", "email"),
}
_DIGITS = re.compile(r"\d+$")
_COMMENT_LIMIT = 1500
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class _Worksheet:
    """A grading worksheet as downloaded; `places` maps the name of a column to its index."""

    lines: Cells
    places: Mapping[str, int]
    separator: str
    has_mark: bool

    def text(self, line: Sequence[str], column: str) -> str:
        return cell(line, self.places.get(column))

    def number(self, line: Sequence[str]) -> str:
        """Return the participant's number."""
        digits = _DIGITS.search(self.text(line, "identifier"))
        return digits[0] if digits else ""

    def matched(self, people: Sequence[Grade]) -> list[tuple[list[str], Grade | None]]:
        """Return each line below the header with its student's entry in `people`, or None."""
        keys: list[list[Key]] = [
            [("participant", self.number(line)), *((kind, self.text(line, kind)) for kind in _KINDS)]
            for line in self.lines[1:]
        ]
        return list(zip(self.lines[1:], match_lines(keys, ((person, _keys(person)) for person in people)), strict=True))


_KINDS = ("student id", "email", "name")  # columns that identify a student, the most reliable first


class Moodle(Platform):
    """Moodle's assignments."""

    name, title = "moodle", "Moodle"
    table, example = "grading worksheet", "worksheet.csv"
    table_tells_time = has_own_ids = True
    download = "download the assignment's grading worksheet"
    upload = "upload {file}, and feedback.zip as feedback files"

    def find(self, entries: Sequence[Entry]) -> Found | None:
        """Return the uploads; None if this is no download from Moodle."""
        flat = {entry: match for entry in entries if len(entry.parts) == 1 and (match := _FLAT.fullmatch(entry.name))}
        uploads = (*_uploads(entries), *_uploads([_in_folder(*each) for each in flat.items()]))
        if not uploads:
            return None
        taken = {upload.folder for upload in uploads} | {entry.name for entry in flat}
        others = sorted({entry.parts[0] for entry in entries} - taken)
        present = {student.id for upload in uploads for student in upload.students}
        typed, warnings = [], []
        for name in others:
            match = _OTHER.fullmatch(name)
            if match is None:
                warnings.append(f"passed over {name}, which is no submission of Moodle's")
            elif match["id"] not in present:  # a student who typed a text into Moodle and handed in no file
                typed.append(Upload(name, (), (Student(match["id"], match["name"]),), number=int(match["id"])))
        return Found((*uploads, *typed), tuple(warnings))

    def read(self, table: Path, roster: Roster) -> Mapping[str, Line]:
        """Return student id -> name, address, time, and the folder in which Moodle finds feedback."""
        sheet = _read(table)
        matched = sheet.matched(pairs_of(roster))
        return {grade.student.id: _line(sheet, line) for line, grade in matched if grade is not None}

    def fill(self, table: Path | None, grades: Sequence[Grade], how: Filling) -> tuple[bytes, tuple[str, ...]] | None:  # noqa: ARG002 - it has one column
        """Return the worksheet with grades and comments; None without a worksheet, because Moodle accepts no other."""
        if table is None:
            return None
        sheet = _read(table)
        filled, graded, unknown, above = [sheet.lines[0]], set(), [], 0
        for line, grade in sheet.matched(grades):
            if grade is None and any(line):
                unknown.append(printable(sheet.text(line, "name") or sheet.text(line, "identifier"), 60))
            if grade is not None:
                graded.add(grade.student.id)
                maximum = sheet.text(line, "maximum grade").replace(",", ".")
                is_number = maximum.replace(".", "", 1).isdecimal()
                above += is_number and grade.points is not None and grade.points > float(maximum)
            filled.append(_fill(line, sheet, grade))
        absent = [grade.student.id for grade in grades if grade.is_graded and grade.student.id not in graded]
        notes = tuple(_notes(absent, unknown, above))
        return csv_bytes(filled, bom=sheet.has_mark, separator=sheet.separator), notes

    def feedback_path(self, handin: Handin, student: str) -> str:
        """Return a path in Moodle's folder of the hand-in, which is one student's; empty for the other partners."""
        return f"{safe_name(handin.platform_folder)}/{FEEDBACK_NAME}" if student == owner_of(handin) else ""


def _in_folder(entry: Entry, match: re.Match[str]) -> Entry:
    """Return a file of a download without folders as if it were in its folder, named as Moodle names it."""
    return replace(entry, parts=(f"{match['name']}_{match['id']}_assignsubmission_file_", match["file"]), path=None)


def _uploads(entries: Sequence[Entry]) -> Iterator[Upload]:
    for folder, group in by_first_folder(entries):
        if match := _FOLDER.fullmatch(folder):
            files, partners, notes = choose_files(folder, group)
            at = max((entry.modified for entry in files), default=None)
            student = Student(match["id"], match["name"])
            yield Upload(folder, files, (student,), folder, at, _NO_TIME, int(match["id"]), partners, notes)


def _read(path: Path) -> _Worksheet:
    """Return the worksheet; `UsageError` if the column of identifiers or of grades is missing."""
    raw = read_bounded(path)
    cells, separator = decode_csv(raw, path)
    places = find_columns(cells[0] if cells else [], _HEADINGS)
    for name in ("identifier", "grade"):
        if name not in places:
            raise UsageError(
                f"{path} is no grading worksheet of Moodle, it has no column {name!r}: in the assignment choose "
                "`Download grading worksheet`, with Moodle in English or Hebrew."
            )
    return _Worksheet(cells, places, separator, raw.startswith(codecs.BOM_UTF8))


def _keys(grade: Grade) -> Iterator[Key]:
    """Yield the keys by which Moodle may name a student; a pair's folder has the number of the student who uploaded."""
    yield from zip(_KINDS, (grade.student.id, grade.student.email, grade.student.name), strict=True)
    number = _PARTICIPANT.search(grade.handin.platform_folder) if grade.handin else None
    if number and grade.handin and (len(grade.handin.students) == 1 or number[1] == grade.student.id):
        yield "participant", number[1]


def _line(sheet: _Worksheet, line: Sequence[str]) -> Line:
    name, number = sheet.text(line, "name"), sheet.number(line)
    shown = name.replace("_", " ") or "Participant"  # Moodle cuts the folder's name at underscores
    folder = f"{shown}_{number}_assignsubmission_file_" if number else ""
    return Line(name, sheet.text(line, "email"), sheet.text(line, "last modified (submission)").strip(" -"), folder)


def _fill(line: Sequence[str], sheet: _Worksheet, grade: Grade | None) -> list[str]:
    places = sheet.places
    kept = {places[name] for name in ("identifier", "grade", "maximum grade") if name in places}
    cells = [text if place in kept else defused(text) for place, text in enumerate(line)]
    if grade is None or grade.points is None or len(cells) <= places["grade"]:
        return cells
    comma = "," if "," in sheet.text(line, "maximum grade") else "."
    cells[places["grade"]] = points_cell(grade.points).replace(".", comma)
    if places.get("feedback comments", len(cells)) < len(cells):
        lines = printable(plain(grade.text), _COMMENT_LIMIT).split("\n")
        cells[places["feedback comments"]] = "<br>".join(str(escape(text.strip())) for text in lines if text)
    return cells


def _notes(absent: Sequence[str], unknown: Sequence[str], above: int) -> Iterator[str]:
    """Yield sentences about students who are in only one list, and grades that Moodle skips."""
    if absent:
        yield f"moodle.csv: graded, but not on the worksheet: {listed(absent, _SHOWN)}."
    if unknown:
        yield f"moodle.csv: not in this batch, so their lines stay: {listed(unknown, _SHOWN)}."
    if above:
        yield f"moodle.csv: {above} grades are above Moodle's maximum, which skips them: raise it there first."
