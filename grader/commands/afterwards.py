"""What is done with a batch that is graded: `grader verify`, `diff`, `appeal`, `mail`, `merge` and `mark`."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from grader.commands import BELOW, OK, add_shared
from grader.commands.rescore import describe
from grader.course.grades.appeal import RUNS, find_case, hear
from grader.course.grades.difference import compare_paths, diff_csv, diff_page, diff_text
from grader.course.grades.letters import FIELDS, write_letters
from grader.course.grades.marks import Marks, give_mark, giver, import_marks, read_marks, withdraw_mark
from grader.course.grades.merging import Merged, find_records, merge
from grader.course.grades.rescoring import find_place, score_place, verify_batch, verify_report
from grader.course.grades.sheets import write_sheets
from grader.course.grades.tables import read_roster
from grader.course.model import Store
from grader.course.people import Student, find_student
from grader.errors import UsageError
from grader.intake.disk import write_atomically
from grader.intake.tables import number, read_bounded
from grader.model import Mark, printable
from grader.reports.story import counted, listed
from grader.scoring.marks import line_of

_SHOWN = 50


def add_verify(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = (
        "Compute the score from the evidence and compare it with results.json, junit.xml and "
        "grades.csv. Exit code 0: they match. 1: they do not."
    )
    parser.add_argument("path", type=Path, help="an evidence.json, a report's folder, or a batch")
    add_shared(parser, "rubric", rubric="score with this rubric (default: the batch's own)")
    parser.set_defaults(command=_verify)


def _verify(options: argparse.Namespace) -> int:
    place = find_place(options.path)
    if place.is_batch and place.batch is not None:
        if options.rubric:
            raise UsageError("--rubric is for one report, a batch has its own: rescore the batch with it.")
        problems = list(verify_batch(place.batch))
    else:
        problems = list(verify_report(score_place(place, options.rubric), place.folder))
    for problem in problems[:_SHOWN]:
        sys.stdout.write(f"{printable(problem)}\n")
    if len(problems) > _SHOWN:
        sys.stdout.write(f"... and {len(problems) - _SHOWN} more.\n")
    verdict = f"{len(problems)} differences" if problems else "matches: every score is what the evidence gives"
    sys.stdout.write(f"{options.path}: {verdict}.\n")
    return BELOW if problems else OK


def add_diff(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = (
        "Say for each student and check what changed, and why: the rubric, the zip, timing, the "
        "environment, the grader's version, a mark, or the seed only. Nothing is run."
    )
    add = parser.add_argument
    add("old", type=Path, help="a batch, a report's folder or an evidence.json")
    add("new", type=Path, help="another of the same kind")
    add("--old-rubric", type=Path, metavar="FILE", help="score the old report with this rubric")
    add("--rubric", type=Path, metavar="FILE", help="score the new report with this rubric")
    add("--html", type=Path, metavar="FILE", help="write a page, too")
    add("--csv", type=Path, metavar="FILE", help="write a CSV, too")
    parser.set_defaults(command=_diff)


def _diff(options: argparse.Namespace) -> int:
    changes = compare_paths(options.old, options.new, (options.old_rubric, options.rubric))
    if options.html:
        write_atomically(options.html, diff_page(changes, options.old, options.new).encode())
    if options.csv:
        write_atomically(options.csv, diff_csv(changes))
    sys.stdout.write(diff_text(changes))
    return OK


_MOST_RUNS = 50


def add_appeal(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = (
        "Grade one hand-in of a batch again, three times with fresh seeds, and write a page that puts "
        "the runs side by side. Grades stay as they are. Exit code 0: all gradings agree. 1: they do not."
    )
    add_shared(parser, "batch")
    parser.add_argument("who", help="a student, the key of a hand-in, or a zip")
    parser.add_argument("--runs", type=int, default=RUNS, metavar="N", help=f"how many times (default: {RUNS})")
    add_shared(parser, "only")
    parser.set_defaults(command=_appeal)


def _appeal(options: argparse.Namespace) -> int:
    if not 1 <= options.runs <= _MOST_RUNS:
        raise UsageError(f"--runs {options.runs}: choose 1 to {_MOST_RUNS}.")
    err = Console(stderr=True)
    case = find_case(Store(options.batch), options.who)
    appeal = hear(
        Store(options.batch), case, options.runs, options.only, lambda text: err.print(f"  {text}", highlight=False)
    )
    sys.stdout.write(f"{appeal.verdict}\nSide by side: {appeal.page}\n")
    return BELOW if appeal.disputed else OK


_MOST = 20


def add_mail(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = (
        "Write mail/<student>.eml and mail/mail.csv into a batch, from a template whose first line may be "
        f"`Subject: ...`, with the fields ${', $'.join(FIELDS)}. Nothing is sent: open the files with a mail program."
    )
    add_shared(parser, "batch")
    parser.add_argument("template", type=Path, help="a text file (UTF-8)")
    parser.add_argument("--attach", action="store_true", help="put the student's report.html into each mail")
    parser.set_defaults(command=_mail)


def _mail(options: argparse.Namespace) -> int:
    template = read_bounded(options.template).decode("utf-8", "replace")
    written = write_letters(Store(options.batch), template, attach=options.attach)
    lines = [f"{counted(len(written.files), 'mail')} in {written.table.parent}, and {written.table}. Nothing was sent."]
    if written.without_address:
        lines.append(f"  no address: {printable(listed(written.without_address, _MOST))}")
    sys.stdout.write("\n".join(lines) + "\n")
    return OK


def add_merge(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = (
        "Join a platform's provisional results with a batch of the same files, graded where there is a GPU, into a new "
        "batch with all sheets. No student code runs, and neither of the two changes."
    )
    add_shared(parser, "batch", batch="the batch that was graded where there is a GPU")
    add = parser.add_argument
    add("provisional", type=Path, help="what the platform exported: a folder, a zip or a file with its results")
    add("--out", type=Path, metavar="DIR", help="the new batch (default: the batch's folder, and -final)")
    parser.set_defaults(command=_merge)


def _merge(options: argparse.Namespace) -> int:
    place = find_place(options.batch)
    if not place.is_batch or place.batch is None:
        raise UsageError(f"{options.batch} is no batch: name the folder that `make batch` wrote")
    records, problems = find_records(options.provisional)
    batch = options.batch.resolve()  # `.` has no name of its own
    target = options.out or batch.with_name(f"{batch.name}-final")
    merged = merge(place.batch, records, target)
    sheets = write_sheets(merged.store, all_reports=True)
    sys.stdout.write("".join(f"{line}\n" for line in (*_describe(merged), *problems)))
    sys.stdout.write(describe(merged.store, sheets))
    return OK


def _describe(merged: Merged) -> Iterator[str]:
    yield f"{counted(len(merged.joined), 'hand-in')} joined with provisional results of the same files."
    if merged.alone:
        yield f"  no provisional result has the files of {listed(merged.alone, _MOST)}: the batch's own grading stands"
    for key, checks in list(merged.contradicted.items())[:_MOST]:
        yield f"  {key}: {listed(checks, _MOST)} passed in one grading and failed in the other: open, for a TA"
    if (more := len(merged.contradicted) - _MOST) > 0:
        yield f"  and {counted(more, 'hand-in')} more with such checks"
    if merged.unused:
        yield f"  {counted(merged.unused, 'provisional result')} of other files, such as earlier submissions, left out"


_MARKING = """Give points for a check of one student, or adjust the whole score, and write the sheets anew:

  grader mark out/hw1 012345678 CHECK 8 "clear, but no word on speed"
  grader mark out/hw1 012345678 adjustment -5 "handed in under another name"
  grader mark out/hw1 --file marks.ods          columns student, check, points, comment
  grader mark out/hw1 012345678                 what was given so far, by whom and when

A mark stands in place of what the check found, and stays through every rescoring. Partners share it."""


def add_mark(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = _MARKING
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
