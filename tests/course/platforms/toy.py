"""A learning platform in one file: `ada.lovelace@0123/hw1.zip` in its download, and a sheet with semicolons.

Who;E-mail;Handed in;Points;Remarks
0123;ada@example.org;2026-01-17 09:00;;
"""

import re

from grader.course.people import Student, columns, match_lines
from grader.course.platforms.platform import Found, Line, Platform, Upload, by_first_folder, choose_files, pairs_of
from grader.errors import UsageError
from grader.intake.tables import cell, csv_bytes, decode_csv, defused, find_columns, points_cell, read_bounded

FOLDER = re.compile(r"(?P<name>[a-z.]+)@(?P<id>\d+)")
HEADINGS = {"who": ("student",), "handed in": (), "remarks": (), **columns("points", "email")}


class Toy(Platform):
    """The platform of the tests."""

    name, title = "toy", "Toy School"
    table, example, table_tells_time = "sheet", "sheet.csv", True
    download, upload = "save the sheet", "load {file}"

    def find(self, entries):
        """Return the uploads: a folder for each student."""
        uploads = []
        for folder, group in by_first_folder(entries):
            if match := FOLDER.fullmatch(folder):
                files, partners, notes = choose_files(folder, group)
                student = Student(match["id"], match["name"].replace(".", " ").title())
                uploads.append(Upload(folder, files, (student,), folder, partners=partners, notes=notes))
        return Found(tuple(uploads)) if uploads else None

    def read(self, table, roster):
        """Return addresses and times."""
        _head, places, matched = match(table, pairs_of(roster))
        return {
            one.student.id: Line(email=cell(row, places.get("email")), came=cell(row, places.get("handed in")))
            for row, one in matched
            if one
        }

    def fill(self, table, grades, how):  # noqa: ARG002 - there is one column
        """Return the sheet with points and remarks; it cannot be made anew."""
        if table is None:
            return None
        head, places, matched = match(table, grades)
        rows, absent = [head], {one.student.id for one in grades if one.is_graded}
        for row, one in matched:
            rows.append([*map(defused, row)])
            if one and one.points is not None:
                rows[-1][places["points"]], rows[-1][places["remarks"]] = points_cell(one.points), one.text
            absent -= {one.student.id} if one else set()
        notes = (f"toy.csv: graded, but not in the sheet: {len(absent)}.",) if absent else ()
        return csv_bytes(rows, bom=False, separator=";"), notes


def match(table, people):
    """Return the head of the sheet, where its columns are, and each row with the student whom it is about."""
    (head, *rows), _separator = decode_csv(read_bounded(table), table)
    places = find_columns(head, HEADINGS)
    if not {"who", "points", "remarks"} <= places.keys():
        raise UsageError(f"{table} is no sheet of Toy School: save it again.")
    keys = [[(name, cell(row, places.get(name))) for name in ("who", "email")] for row in rows]
    known = [(one, [("who", one.student.id), ("email", one.student.email)]) for one in people]
    return head, places, list(zip(rows, match_lines(keys, known), strict=True))
