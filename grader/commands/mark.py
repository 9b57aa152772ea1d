"""`grader mark`: points that a TA gives, one by one or from a table."""

import argparse
import sys
from pathlib import Path

from grader.commands import OK, add_shared
from grader.course.grades.marks import Marks, give_mark, giver, import_marks, read_marks, withdraw_mark
from grader.course.grades.sheets import write_sheets
from grader.course.grades.tables import read_roster
from grader.course.model import Store
from grader.course.people import Student, find_student
from grader.errors import UsageError
from grader.intake.tables import number
from grader.model import Mark
from grader.reports.story import counted
from grader.scoring.marks import line_of

_DESCRIPTION = """Give points for a check of one student, or adjust the whole score, and write the sheets anew:

  grader mark out/hw1 012345678 CHECK 8 "clear, but no word on speed"
  grader mark out/hw1 012345678 adjustment -5 "handed in under another name"
  grader mark out/hw1 --file marks.ods          columns student, check, points, comment
  grader mark out/hw1 012345678                 what was given so far, by whom and when

A mark stands in place of what the check found, and stays through every rescoring. Partners share it."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = _DESCRIPTION
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add_shared(parser, "batch", "by")
    add = parser.add_argument
    add("student", nargs="?", help="id, email or name")
    add("check", nargs="?", help="a check's id, or adjustment")
    add("points", nargs="?", help="0 to what the check is worth; an adjustment may be negative")
    add("comment", nargs="?", default="", help="what the student reads; an adjustment needs one")
    add("--file", type=Path, metavar="FILE", help="many marks: a CSV, ODS or XLSX; all of them or none")
    add("--replace", action="store_true", help="let the table replace marks that say something else")
    add("--withdraw", action="store_true", help="unmark the check; the history keeps the mark")
    parser.set_defaults(command=_mark)


def _mark(options: argparse.Namespace) -> int:
    store = Store(options.batch)
    read_roster(store)
    if options.file:
        if options.student:
            raise UsageError("a table names the students itself: give either --file or a student.")
        _marks, count = import_marks(store, options.file, options.by, may_replace=options.replace)
        sentence = f"{options.file} says nothing new.\n"
        if count:
            sentence = f"{counted(count, 'mark')} from {options.file}.\n"
    elif options.check is None:
        sys.stdout.write(_history(read_marks(store), _student(store, options.student)))
        return OK
    else:
        sentence = _mark_one(store, options)
    write_sheets(store)
    sys.stdout.write(sentence)
    return OK


def _mark_one(store: Store, options: argparse.Namespace) -> str:
    """Change one mark and return what is to be said about it: a mark that is replaced is named."""
    student = _student(store, options.student)
    before = read_marks(store)
    there = before.current.get((student.id, options.check))
    was = f"; it was {there.points:g}, from {giver(there).rstrip(',')}" if there else ""
    if options.withdraw:
        withdraw_mark(store, student.id, options.check, options.by, expected_version=before.version)
        return f"{student.label}: {options.check} has no mark any more{was}.\n"
    if options.points is None:
        raise UsageError(f"how many points for {options.check}? Name them after the check, or say --withdraw.")
    points = number(options.points, options.check, "points")
    mark = Mark(student.id, options.check, points, options.comment, options.by)
    give_mark(store, mark, expected_version=before.version)
    return f"{student.label}: {options.check} {points:g} points{was}.\n"


def _student(store: Store, word: str | None) -> Student:
    if word is None:
        raise UsageError("whom? Name a student, or a table with --file.")
    return find_student(read_roster(store), word)


def _history(marks: Marks, student: Student) -> str:
    """Return one line for each change, the newest last."""
    lines = []
    for entry in (entry for entry in marks.entries if entry.mark.student == student.id):
        mark, place = entry.mark, line_of(entry.mark.check)
        text = mark.comment if place else f"{mark.points:g} points  {mark.comment}".rstrip()
        lines.append(f"{giver(mark)} {place or mark.check}: {'withdrawn' if entry.withdrawn else text}")
    return "\n".join(lines or [f"{student.label} has no marks yet."]) + "\n"
