"""`grader verify`: whether reports and sheets say what the evidence gives."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grader.commands import BELOW, OK, add_shared
from grader.course.grades.rescoring import find_place, score_place, verify_batch, verify_report
from grader.errors import UsageError
from grader.model import printable

_SHOWN = 50


def add(parser: argparse.ArgumentParser) -> None:
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
