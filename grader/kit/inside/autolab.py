"""Grades one submission on Autolab's grading machine: reads a folder, prints text and two lines of JSON.

    ...                             a table of all checks, as a terminal shows it
    {"_presentation": "semantic"…   the same for Autolab's own page: stages with tests, and hints
    {"scores": {…}}                 the last line: problem -> points

Formats: https://docs.autolabproject.com/lab/ and .../features/formatted-feedback/

Autolab reads the last line of the output, stdout and stderr together, and puts quotes around every word before a colon
in it: so names of problems have no colon. If the grader fails, there are no scores; Autolab then reports that the
autograder failed, and keeps the scores that it has.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from grader.kit.inside import grade_upload, open_upload
from grader.model import Outcome, Report, Result
from grader.reports.audience import for_students
from grader.reports.story import finding_text, parts, points_text
from grader.reports.terminal import render as render_table

PACKAGE, UPLOAD = Path(), Path("../upload")  # where the driver starts, and where it puts the hand-in


def run(package: Path = PACKAGE, upload: Path = UPLOAD) -> None:
    """Grade the files in `upload` with the unpacked package, and print the result.

    Raises:
        GraderError: the grader failed.
    """
    sys.stdout.write(render(grade_upload(package, open_upload(package, upload))))


def render(report: Report) -> str:
    """Return the output for `report`, without parts that students may not see; the last line has the scores."""
    report = for_students(report)
    scores = {problem_name(part.name): part.points_low for part in parts(report) if part.points}
    stages = {
        problem_name(part.name): {result.criterion.id: _test(result) for result in part.results}
        for part in (() if report.evidence.refusal else parts(report))
    }
    shown = {"_presentation": "semantic", "stages": list(stages), **stages}
    lines = (json.dumps(document, allow_nan=False) for document in (shown, {"scores": scores}))  # ASCII, for any texts
    return render_table(report) + "".join(f"{line}\n" for line in lines)


def problem_name(part: str) -> str:
    """Return Autolab's name for a part of the rubric: `Part 1 - GEMM`."""
    return part.replace(": ", " - ").replace(":", " ")


def _test(result: Result) -> dict[str, Any]:
    if result.outcome is Outcome.PASSED:
        return {"passed": True}
    is_open = result.outcome.is_open and result.criterion.points
    lines = [finding_text(result.finding) if result.finding else ""]
    lines += [f"Undecided, {points_text(result)} points: no point is lost."] if is_open else []
    return {"passed": False, "hint": "\n".join(filter(None, lines)) or result.observation.sentence}
