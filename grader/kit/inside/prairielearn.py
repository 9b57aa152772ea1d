"""Grades one submission in PrairieLearn's container: reads /grade/student, writes /grade/results/results.json.

Layout and format: https://docs.prairielearn.com/externalGrading/ and .../pl-external-grader-results/

    student/                the uploaded files, under the names that question.html asks for
    results/results.json    `score` between 0 and 1, `tests` with points, pictures as data URLs; at most 1 MB

PrairieLearn escapes all texts. If nothing can be graded, because of a student's zip or because the grader fails, the
result is `gradable: false`: this costs neither points nor an attempt. The entry point writes such a result first.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grader.intake.disk import write_atomically
from grader.kit.inside import grade_upload, open_upload
from grader.model import Report, printable
from grader.reports.audience import for_students
from grader.reports.gradescope import document
from grader.reports.html import environment
from grader.reports.plots import curve

PACKAGE = Path()
HOME = Path("/grade")
_SHOWN = ("provisional", "score_range", "device", "data", "sandbox")
"""The parts of a report's further data that are included; flags are for TAs and are left out."""
_TEST = {"name": "name", "points": "score", "max_points": "max_score", "message": "output"}
"""PrairieLearn's keys of a test -> Gradescope's."""


def run(package: Path = PACKAGE, home: Path = HOME) -> None:
    """Grade the submission in `home` with the unpacked package, and write `results/results.json`.

    Raises:
        GraderError: the grader failed.
    """
    report = grade_upload(package, open_upload(package, home / "student"))
    write_atomically(home / "results/results.json", render(report).encode())


def render(report: Report) -> str:
    """Return the JSON text for `report`, without parts that students may not see."""
    return json.dumps(_document(for_students(report)), indent=2) + "\n"


def _document(report: Report) -> dict[str, Any]:
    if report.evidence.refusal:
        return {"gradable": False, "format_errors": [printable(report.evidence.refusal)]}
    result = document(report)
    return {
        "gradable": True,
        "score": report.score_low / report.rubric.total if report.rubric.total else 0.0,
        "message": result["output"],
        "images": list(_images(report)),
        "tests": [{word: test[gradescopes] for word, gradescopes in _TEST.items()} for test in result["tests"]],
        "grader": {name: result["extra_data"][name] for name in _SHOWN},
    }


def _images(report: Report) -> Iterator[dict[str, str]]:
    """Yield the plots of accuracy as data URLs; other plots depend on the machine and are left out."""
    for result in report.results:
        if plot := curve(result):
            svg = environment().get_template("curve.svg").render(plot=plot)
            url = f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
            yield {"label": f"{result.criterion.id}: accuracy after each epoch", "url": url}
