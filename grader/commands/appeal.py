"""`grader appeal`: the same file three times with fresh seeds, side by side; or all regrade requests, answered."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from grader.batch.files import read_record
from grader.batch.grades.appeal import RUNS, find_case, hear
from grader.batch.grades.people import find_student
from grader.batch.grades.requests import FAILED, FOR_A_TA, answer_requests, find_strangers, read_requests
from grader.batch.store import Store
from grader.commands import BELOW, OK
from grader.errors import UsageError
from grader.lms.model import Roster
from grader.model import printable

_MOST_RUNS = 50


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = (
        "Grade one hand-in of a batch again, three times with fresh seeds, and write a page that puts "
        "the runs side by side. Grades stay as they are. Exit code 0: all gradings agree. 1: they do not. "
        "With --requests, every regrade request gets that, and a text to send; without anybody, says how they stand."
    )
    add = parser.add_argument
    add("batch", type=Path, help="the folder of a batch")
    add("who", nargs="?", help="a student, the key of a hand-in, or a zip")
    add("--requests", type=Path, metavar="PATH", help="a table (student, check, text), or a folder of .txt and .eml")
    add("--runs", type=int, default=RUNS, metavar="N", help=f"how many times (default: {RUNS})")
    add(
        "--only",
        action="append",
        default=[],
        metavar="ID",
        help="only this check, or all whose id starts so; repeatable",
    )
    parser.set_defaults(command=_appeal)


def _appeal(options: argparse.Namespace) -> int:
    if not 1 <= options.runs <= _MOST_RUNS:
        raise UsageError(f"--runs {options.runs}: choose 1 to {_MOST_RUNS}.")
    store, err = Store(options.batch), Console(stderr=True)
    if options.who is None:
        return _answer_requests(store, options, lambda text: err.print(f"  {text}", markup=False, highlight=False))
    if options.requests:
        raise UsageError("requests name the students themselves: give either --requests or a student.")
    case = find_case(store, options.who)
    appeal = hear(store, case, options.runs, options.only, lambda text: err.print(f"  {text}", highlight=False))
    sys.stdout.write(f"{appeal.verdict}\nSide by side: {appeal.page}\n")
    return BELOW if appeal.disputed else OK


def _answer_requests(store: Store, options: argparse.Namespace, tell: Callable[[str], None]) -> int:
    """Answer what `--requests` names, if it does, and say how all requests stand."""
    roster = read_record(store.roster, Roster)
    if options.requests:
        requests = answer_requests(store, options.requests, options.runs, tell)
        strangers = find_strangers(store, options.requests)
    else:
        requests, strangers = read_requests(store), ()
    lines = [
        f"{find_student(roster, one.student).label}: {one.check or 'all'}: {one.state} {one.why}" for one in requests
    ]
    lines += (f"left: {line}" for line in strangers)
    lines.append(
        f"Texts and table: {store.root / 'appeal'}. Nothing was sent." if requests else "There are no requests."
    )
    sys.stdout.write("\n".join(printable(line).rstrip() for line in lines) + "\n")
    return BELOW if strangers or any(one.state in {FOR_A_TA, FAILED} for one in requests) else OK
