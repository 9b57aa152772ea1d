"""One submission on Autolab's grading machine: a folder with the hand-in in, text and two lines of JSON out.

    ...                             a table of all checks, as a terminal shows it
    {"_presentation": "semantic"…   the same for Autolab's own page: stages with tests, and hints
    {"scores": {…}}                 the last line: problem -> points

Formats: https://docs.autolabproject.com/lab/ and .../features/formatted-feedback/

Autolab takes the last line of all that was printed, stdout and stderr together, and puts quotes around every word
before a colon in it: so names of problems have no colon. Where nothing can be graded for a reason of ours there are
no scores; Autolab then says that the autograder failed, and leaves the scores that it has.
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

PACKAGE, UPLOAD = Path(), Path("../upload")
"""Where the driver starts, and where it lays the hand-in."""


def run(package: Path = PACKAGE, upload: Path = UPLOAD) -> None:
    """Grade what lies in `upload` with the unpacked package, and print the result.

    Raises:
        GraderError: nothing could be graded, for a reason of ours.
    """
    sys.stdout.write(render(grade_upload(package, open_upload(package, upload))))


def render(report: Report) -> str:
    """Return what is printed on `report`, as its student may see it; the last line holds the scores."""
    report = for_students(report)
    scores = {problem_name(part.name): part.points_low for part in parts(report) if part.points}
    stages = {
        problem_name(part.name): {result.criterion.id: _test(result) for result in part.results}
        for part in (() if report.evidence.refusal else parts(report))
    }
    shown = {"_presentation": "semantic", "stages": list(stages), **stages}
    return f"{render_table(report)}{_line(shown)}{_line({'scores': scores})}"


def problem_name(part: str) -> str:
    """Return what a part of the rubric is called on Autolab: `Part 1 - GEMM`."""
    return part.replace(": ", " - ").replace(":", " ")


def _line(document: dict[str, Any]) -> str:
    """Return JSON in one line of ASCII, whatever the texts in it hold."""
    return json.dumps(document, allow_nan=False) + "\n"


def _test(result: Result) -> dict[str, Any]:
    if result.outcome is Outcome.PASSED:
        return {"passed": True}
    is_open = result.outcome.is_open and result.criterion.points
    lines = [finding_text(result.finding) if result.finding else ""]
    lines += [f"Open, {points_text(result)} points: this is no lost point."] if is_open else []
    return {"passed": False, "hint": "\n".join(filter(None, lines)) or result.observation.sentence}
