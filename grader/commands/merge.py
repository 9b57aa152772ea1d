"""`grader merge`: what a platform graded provisionally and what was graded where there is a GPU, as the final batch."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from grader.commands import OK, add_shared
from grader.commands.rescore import describe
from grader.course.grades.merging import Merged, find_records, merge
from grader.course.grades.rescoring import find_place
from grader.course.grades.sheets import write_sheets
from grader.errors import UsageError
from grader.reports.story import counted, listed

_MOST = 20


def add(parser: argparse.ArgumentParser) -> None:
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
