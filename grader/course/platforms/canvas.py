"""Canvas: its "Download Submissions", `lastfirst_123_456_hw1.zip` or `lastfirst_LATE_123_456_hw1.zip`; its gradebook.

The first number is the user's id, which is in the gradebook's column `ID`. The second is the file's number: the files
of one hand-in have different numbers, and a file of a later attempt has a higher number. If a file was handed in again
under the same name, Canvas writes `-1`, `-2` before its ending.

The gradebook (lib/gradebook_importer) has the student's columns first (Student, ID, SIS User ID, SIS Login ID,
Section), then assignments called `Title (id)`, a row `Points Possible`, and one row per student. For Canvas an empty
cell means that the grade must be deleted, so students without a grade get no row here.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from grader.course.people import Handin, Key, Student, match_lines
from grader.course.platforms.entries import Entry
from grader.course.platforms.platform import (
    FEEDBACK_NAME,
    Filling,
    Found,
    Grade,
    Platform,
    Upload,
    choose_files,
    owner_of,
    safe_name,
)
from grader.errors import UsageError
from grader.intake.tables import csv_bytes, decode_csv, defused, points_cell, read_bounded
from grader.model import Rubric
from grader.reports.story import listed

_NAME = re.compile(r"(?P<name>.+?)_(?P<late>LATE_)?(?P<user>\d+)_(?P<number>\d+)_(?P<file>.+)", re.DOTALL)
_USER, _SHOWN = re.compile(r"_(\d+)_\d+$"), 20
_AGAIN = re.compile(r"-\d+(?=\.\w+$)")
_STUDENT_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_OWN_COLUMNS = (*_STUDENT_COLUMNS, "LastName", "FirstName", "Integration ID", "Root Account")
_KEYS = ("ID", "SIS User ID", "SIS Login ID")
_POINTS_POSSIBLE = "Points Possible"


class Canvas(Platform):
    """Canvas's assignments."""

    name, title = "canvas", "Canvas"
    table, example, has_columns, has_own_ids = "exported gradebook", "gradebook.csv", True, True
    download = "export the gradebook"
    upload = "import {file}"

    def find(self, entries: Sequence[Entry]) -> Found | None:
        """Return the uploads, one per student; None if this is no download from Canvas."""
        groups: dict[str, dict[Entry, re.Match[str]]] = {}
        passed = []
        for entry in entries:
            match = _NAME.fullmatch(entry.name) if len(entry.parts) == 1 else None
            if match is None:
                passed.append("/".join(entry.parts))
            else:
                groups.setdefault(match["user"], {})[replace(entry, parts=(match["file"],))] = match
        if not groups or len(passed) > sum(map(len, groups.values())):
            return None
        uploads = tuple(_upload(user, group) for user, group in groups.items())
        return Found(uploads, tuple(f"passed over {name}, which is no submission of Canvas's" for name in passed))

    def fill(self, table: Path | None, grades: Sequence[Grade], how: Filling) -> tuple[bytes, tuple[str, ...]] | None:
        """Return the gradebook with one assignment's column filled and the other assignments left out.

        Without a table, return a new gradebook with one assignment; on import, Canvas asks whether to create it or to
        use an existing one. Its column `ID` has Canvas's numbers if the files are from Canvas, else the batch's ids.
        """
        graded = [grade for grade in grades if grade.points is not None]
        if table is None:
            return _new_gradebook(graded, how.rubric), ()
        cells, separator = decode_csv(read_bounded(table), table)
        header = [cell.strip() for cell in cells[0]] if cells else []
        if "ID" not in header or not {"Student", "LastName"} & set(header):
            raise UsageError(f"{table} is no gradebook of Canvas, it lacks columns Student and ID: export it again.")
        place = _column(header, (how.column,) if how.column else (how.rubric.title, how.rubric.assignment), table)
        kept = [at for at, name in enumerate(header) if name in _OWN_COLUMNS]
        keys = [[(name, _cell(line, header.index(name))) for name in _KEYS if name in header] for line in cells[1:]]
        people = [(grade, [("ID", _user(grade))]) for grade in grades]
        for whose, known in people:
            known += [(name, word) for name in _KEYS[1:] for word in (whose.student.id, whose.student.email) if word]
        lines, present = [[*(header[at] for at in kept), header[place]]], set()
        for line, grade in zip(cells[1:], _matched(keys, people), strict=True):
            about, first = [_cell(line, at) for at in kept], _cell(line, 0)
            if _POINTS_POSSIBLE in first or not (first or _cell(line, header.index("ID"))):  # no student's row
                lines.append([*about, _cell(line, place)])
            elif grade is not None and grade.points is not None:
                present.add(grade.student.id)
                named = zip(kept, about, strict=True)  # ids stay unchanged, because Canvas finds students by them
                cells_of = [text if header[at] in _KEYS else defused(text) for at, text in named]
                lines.append([*cells_of, points_cell(grade.points)])
        absent = [grade.student.label for grade in graded if grade.student.id not in present]
        note = f"canvas.csv: graded, but not in the gradebook: {listed(absent, _SHOWN)}."
        return csv_bytes(lines, bom=False, separator=separator), (note,) if absent else ()

    def feedback_path(self, handin: Handin, student: str) -> str:
        """Return a name that begins as the upload's name does: Canvas adds it as a comment for whoever handed in."""
        if not handin.platform_folder:
            return super().feedback_path(handin, student)
        return f"{safe_name(handin.platform_folder)}_{FEEDBACK_NAME}" if student == owner_of(handin) else ""


def _upload(user: str, group: Mapping[Entry, re.Match[str]]) -> Upload:
    """Return the upload of a student: the newest archive, or without archives the newest file of each name."""

    def number(entry: Entry) -> int:
        return int(group[entry]["number"])

    chosen, partners, notes = choose_files("", sorted(group, key=number), number)
    newest = {_AGAIN.sub("", entry.name): entry for entry in chosen}
    last = group[max(newest.values() or group, key=number)]
    label = last[0].removesuffix(f"_{last['file']}")
    older = ", ".join(group[entry][0] for entry in chosen if entry not in newest.values())
    sentences = [f"{label}{note}" for note in notes]
    sentences += [f"{label} counts, and not the older {older}"] if older else []
    sentences += [f"{last['name']} ({user}) handed in late, says Canvas"] if last["late"] else []
    return Upload(
        label,
        tuple(replace(entry, parts=(name,)) for name, entry in newest.items()),
        (Student(user, last["name"]),),
        folder=label,
        at_from="Canvas's numbers of the files",
        number=int(last["number"]),
        partners=partners,
        notes=tuple(sentences),
    )


def _new_gradebook(grades: Sequence[Grade], rubric: Rubric) -> bytes:
    lines = [
        [*_STUDENT_COLUMNS, defused(rubric.title)],
        [f"    {_POINTS_POSSIBLE}", "", "", "", "", points_cell(rubric.total)],
    ]
    for grade in grades:
        name = defused(grade.student.name or grade.student.id)
        lines.append([name, _user(grade), "", grade.student.email, "", points_cell(grade.points or 0.0)])
    return csv_bytes(lines, bom=False)


def _matched(keys: Sequence[Sequence[Key]], people: Sequence[tuple[Grade, Sequence[Key]]]) -> list[Grade | None]:
    """Match lines with those who handed in, then what is left with partners: a `students.txt` may name anybody."""
    owners = [(one, known) for one, known in people if one.handin and owner_of(one.handin) == one.student.id]
    sure = match_lines(keys, owners)
    left = [() if who else line for who, line in zip(sure, keys, strict=True)]
    others = match_lines(left, [(one, known) for one, known in people if one not in sure])
    return [who or other for who, other in zip(sure, others, strict=True)]


def _user(grade: Grade) -> str:
    """Return Canvas's number of a student, which is in the upload's name; else the student's id in the batch."""
    number = _USER.search(grade.handin.platform_folder) if grade.handin else None
    return number[1] if number and grade.handin and grade.student.id == owner_of(grade.handin) else grade.student.id


def _column(header: Sequence[str], words: Sequence[str], path: Path) -> int:
    """Return the index of the only assignment's column that begins with a word; the first such word decides."""
    others = [(at, name) for at, name in enumerate(header) if name not in _OWN_COLUMNS]
    for word in words:
        places = [at for at, name in others if re.match(rf"{re.escape(word)}(?!\w)", name, re.IGNORECASE)]  # not HW10
        if len(places) == 1:
            return places[0]
    choice = ", ".join(repr(name) for _at, name in others)[:400]
    raise UsageError(f"{path} does not say which column is meant: name one with --canvas-column, of {choice}.")


def _cell(line: Sequence[str], place: int) -> str:
    """Return a cell unchanged, also with the leading spaces by which Canvas recognises special rows."""
    return line[place] if place < len(line) else ""
