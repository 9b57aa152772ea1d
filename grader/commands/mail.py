"""`grader mail`: one text for each student of a batch, as files for a mail program. Nothing is sent."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grader.commands import OK, add_shared
from grader.course.grades.letters import FIELDS, write_letters
from grader.course.model import Store
from grader.intake.tables import read_bounded
from grader.model import printable
from grader.reports.story import counted, listed

_MOST_NAMES = 20


def add(parser: argparse.ArgumentParser) -> None:
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
        lines.append(f"  no address: {printable(listed(written.without_address, _MOST_NAMES))}")
    sys.stdout.write("\n".join(lines) + "\n")
    return OK
