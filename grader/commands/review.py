"""Commands with which TAs give points: `grader mark`, and `grader review`, a local page with the reports."""

import argparse
import logging
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from grader.commands import OK, add_shared
from grader.course.grades.marks import Marks, give_mark, giver, import_marks, login_name, read_marks, withdraw_mark
from grader.course.grades.sheets import SheetWriter, write_sheets
from grader.course.grades.tables import read_roster
from grader.course.marking.settings import HOST, Guard, Settings
from grader.course.marking.viewmodel import first_address
from grader.course.model import Store
from grader.course.people import Student, find_handin, find_student
from grader.errors import UsageError, install_command
from grader.intake.tables import number
from grader.model import Mark
from grader.reports.story import counted, listed
from grader.scoring.marks import ADJUSTMENT, line_of

_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _add_review(parser: argparse.ArgumentParser) -> None:
    parser.description = "Serve the marking view of a batch on 127.0.0.1 until Ctrl-C. Each mark updates the sheets."
    add_shared(parser, "batch", "by", "sandbox", sandbox="where PDFs are opened to be drawn (default: auto)")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="listen there (default: a free one)")
    parser.add_argument("--share", type=_share, default=(1, 1), metavar="2/3", help="only this part of the class")
    parser.add_argument("--anonymous", action="store_true", help="show numbers in place of names and ids")


def _share(text: str) -> tuple[int, int]:
    """Return the two numbers in `text`, such as `2/3`: which part, of how many."""
    number, _slash, count = text.partition("/")
    if number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count):
        return int(number), int(count)
    raise argparse.ArgumentTypeError(f"{text!r} is no share: say 1/3, 2/3 or 3/3 for three TAs")


def _review(options: argparse.Namespace) -> int:
    store = Store(options.batch)
    settings = Settings(options.by or login_name(), options.share, options.anonymous)
    first_address(store, settings)
    sheets = SheetWriter(store, follows=True)
    server, guard = serve(store, options.port, settings, options.sandbox, sheets)
    sys.stdout.write(f"Marking view: {guard.origin}/{guard.token}/\nThe address is the key: keep it. Ctrl-C ends.\n")
    sys.stdout.flush()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # a line for each request would hide the address
    _serve_until_stopped(server)
    sheets.write_everything()
    with suppress(OSError):  # the terminal may be gone
        sys.stdout.write(f"\nThe sheets in {store.root} have all marks.\n")
        sys.stdout.flush()
    return OK


def _serve_until_stopped(server: Any) -> None:
    """Serve until Ctrl-C, SIGTERM or a closed terminal; later signals are ignored, so that the sheets get written."""

    def stop(_number: int, _frame: Any) -> None:
        for kind in _ENDS:
            signal.signal(kind, signal.SIG_IGN)
        raise KeyboardInterrupt

    for kind in _ENDS:
        signal.signal(kind, stop)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()


def serve(
    store: Store, port: int, settings: Settings, sandbox: str = "auto", sheets: SheetWriter | None = None
) -> tuple[Any, Guard]:
    """Return a server that listens on 127.0.0.1 but does not serve yet, and its guard.

    Raises:
        UsageError: the port cannot be used, or flask or Pillow is not installed.
    """
    try:
        from werkzeug.serving import make_server  # noqa: PLC0415 - flask belongs to the `staff` extra

        from grader.course.marking.app import create_app  # noqa: PLC0415 - the same
        from grader.course.marking.pdfpages import make_cache  # noqa: PLC0415 - Pillow does, too
    except ImportError as error:
        raise UsageError(
            f"the marking view needs {error.name}, which is not installed: {install_command('staff')}"
        ) from error
    listening = _listen(port)
    guard = Guard(listening.getsockname()[1])
    app = create_app(store, guard, settings, make_cache(sandbox), sheets)
    return make_server(HOST, guard.port, app, threaded=True, fd=listening.detach()), guard


def _listen(port: int) -> socket.socket:
    """Return a socket that listens on 127.0.0.1; the guard needs its port before there is a server."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise UsageError(f"port {port} of {HOST} cannot be used ({error}): leave out --port for a free one.") from error
    listening.listen()
    return listening


_MARKING = """Give points for a check of one student, or adjust the whole score, and write the sheets anew:

  grader mark out/hw1 012345678 CHECK 8 "clear, but no word on speed"
  grader mark out/hw1 012345678 adjustment -5 "handed in under another name"
  grader mark out/hw1 --file marks.ods          columns student, check, points, comment
  grader mark out/hw1 012345678                 what was given so far, by whom and when

A mark replaces what the check found; every rescoring keeps it. Partners share it."""


def _add_mark(parser: argparse.ArgumentParser) -> None:
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
    """Give or withdraw one mark and return a sentence about it, which names the mark that it replaces."""
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
    after = give_mark(store, mark, expected_version=before.version).by_student
    partners = [one for one in find_handin(read_roster(store), student.id).students if one != student]
    own = [one.label for one in partners if options.check in after.get(one.id, {}) and options.check != ADJUSTMENT]
    keep = f" {listed(own)} has a mark of it already, which stays." if own else ""
    return f"{student.label}: {options.check} {counted(points, 'point')}{was}.{keep}\n"


def _student(store: Store, word: str | None) -> Student:
    if word is None:
        raise UsageError("whom? Name a student, or a table with --file.")
    return find_student(read_roster(store), word)


def _history(marks: Marks, student: Student) -> str:
    """Return one line for each change, the newest last."""
    lines = []
    for entry in (entry for entry in marks.entries if entry.mark.student == student.id):
        mark, place = entry.mark, line_of(entry.mark.check)
        text = mark.comment if place else f"{counted(mark.points, 'point')}  {mark.comment}".rstrip()
        lines.append(f"{giver(mark)} {place or mark.check}: {'withdrawn' if entry.withdrawn else text}")
    return "\n".join(lines or [f"{student.label} has no marks yet."]) + "\n"
