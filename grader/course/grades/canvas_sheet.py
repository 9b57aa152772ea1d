"""`canvas.csv`: a gradebook for Canvas to import, filled from its own export where there is one.

Canvas (lib/gradebook_importer) wants the student's columns first (Student, ID, SIS User ID, SIS Login ID, Section),
then assignments called `Title (id)`, a row `Points Possible`, and one row per student. It takes an empty cell for a
grade that is to be deleted, so students without a grade have no row here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.course.grades.sheet import Row, points_cell
from grader.errors import UsageError
from grader.intake.tables import Cells, csv_bytes, decode_csv, defused, read_bounded
from grader.model import Rubric

_STUDENT_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_OTHER_COLUMNS = ("LastName", "FirstName", "Integration ID", "Root Account")
_KEYS = ("ID", "SIS User ID", "SIS Login ID")
_POINTS_POSSIBLE = "Points Possible"


def new_gradebook(rows: Sequence[Row], rubric: Rubric, provisional: str = "skip") -> bytes:
    """Return a gradebook with one assignment, which Canvas asks about on import: create it, or take an existing one.

    Students stand under the id that this batch knows them by, which is Canvas's own: the files came from there.
    """
    lines = [
        [*_STUDENT_COLUMNS, defused(rubric.title)],
        [f"    {_POINTS_POSSIBLE}", "", "", "", "", points_cell(rubric.total)],
    ]
    for row in rows:
        grade = row.grade(provisional)
        if grade is not None:
            name = defused(row.student.name or row.student.id)
            lines.append([name, row.student.id, "", row.student.email, "", points_cell(grade)])
    return csv_bytes(lines, bom=False)


def fill_gradebook(
    path: Path, rows: Sequence[Row], rubric: Rubric, column: str = "", provisional: str = "skip"
) -> tuple[bytes, tuple[str, ...]]:
    """Return the export at `path` with one assignment's column filled and the other assignments left out, and notes.

    Args:
        path: What Canvas exported.
        rows: The grade sheet.
        rubric: Names the assignment where `column` does not.
        column: The column's heading, or the beginning of it.
        provisional: As in `Row.grade`.

    Raises:
        UsageError: it cannot be read, is no gradebook, or it is unclear which column is meant.
    """
    cells, separator = decode_csv(read_bounded(path), path)
    header = [cell.strip() for cell in cells[0]] if cells else []
    if "ID" not in header or not {"Student", "LastName"} & set(header):
        raise UsageError(
            f"{path} is no gradebook of Canvas, it has no columns Student and ID: export the gradebook again."
        )
    place = _column(header, (column,) if column else (rubric.title, rubric.assignment), path)
    kept = [at for at, name in enumerate(header) if name in (*_STUDENT_COLUMNS, *_OTHER_COLUMNS)]
    lines, found = _lines(cells, header, kept, place, _by_id(rows), provisional)
    absent = [row for row in rows if row.grade(provisional) is not None and row.student.id not in found]
    notes = [f"canvas.csv: {len(absent)} graded students are not in the gradebook."] if absent else []
    return csv_bytes(lines, bom=False, separator=separator), tuple(notes)


def _lines(
    cells: Cells, header: Sequence[str], kept: Sequence[int], place: int, known: dict[str, Row | None], provisional: str
) -> tuple[Cells, set[str]]:
    lines, found = [[*(header[at] for at in kept), header[place]]], set()
    for line in cells[1:]:
        about = [_cell(line, at) for at in kept]
        if _is_about_the_assignment(line, header):
            lines.append([*about, _cell(line, place)])
            continue
        row = _find(line, header, known)
        grade = row.grade(provisional) if row else None
        if row is not None and grade is not None:
            found.add(row.student.id)
            lines.append([*(_safe(header[at], text) for at, text in zip(kept, about, strict=True)), points_cell(grade)])
    return lines, found


def _column(header: Sequence[str], words: Sequence[str], path: Path) -> int:
    """Return the place of the only assignment whose heading begins with one of `words`; the first word decides."""
    own = (*_STUDENT_COLUMNS, *_OTHER_COLUMNS)
    for word in words:
        places = [
            at for at, name in enumerate(header) if name not in own and name.casefold().startswith(word.casefold())
        ]
        if len(places) == 1:
            return places[0]
    choice = ", ".join(repr(name) for name in header if name not in own)[:400]
    raise UsageError(f"{path} does not say which column is meant: name one with --canvas-column, of {choice}.")


def _by_id(rows: Sequence[Row]) -> dict[str, Row | None]:
    """Return id or address → row; None where two students share it."""
    known: dict[str, Row | None] = {}
    for row in rows:
        for key in {row.student.id.casefold(), row.student.email.casefold()} - {""}:
            known[key] = None if key in known else row
    return known


def _find(line: Sequence[str], header: Sequence[str], known: dict[str, Row | None]) -> Row | None:
    keys = (_cell(line, header.index(name)).casefold() for name in _KEYS if name in header)
    return next((row for row in (known.get(key) for key in keys if key) if row is not None), None)


def _is_about_the_assignment(line: Sequence[str], header: Sequence[str]) -> bool:
    """Return whether a line holds points possible or posting policies, and no student."""
    first = _cell(line, 0)
    return _POINTS_POSSIBLE in first or not (first or _cell(line, header.index("ID")))


def _safe(name: str, text: str) -> str:
    """Return names without formulas; ids as they are, since Canvas looks students up by them."""
    return text if name in _KEYS else defused(text)


def _cell(line: Sequence[str], place: int) -> str:
    """Return a cell as it is: Canvas knows its rows by the spaces before their names."""
    return line[place] if place < len(line) else ""
