"""One submission in Gradescope's container: /autograder/submission in, /autograder/results/results.json out.

    submission/                 the files; a zip that was uploaded has been unpacked
    submission_metadata.json    who, when, until when, and what came before
    results/results.json        what students and staff see

Formats: https://gradescope-autograders.readthedocs.io/en/latest/specs/ and .../submission_metadata/

Where nothing can be graded for a reason of ours there is no results.json, and what is printed says why: Gradescope then
says itself that the autograder failed, shows staff what it printed, and gives no score. A zero would be a wrong one.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from grader.model import Report
from grader.packages.inside.gradescope_metadata import describe_history, read_metadata
from grader.packages.inside.grading import grade_upload
from grader.reports import write_atomically
from grader.reports.gradescope import document

HOME = Path("/autograder")


def run(home: Path = HOME) -> None:
    """Grade what lies in `home` and write `results/results.json`.

    Raises:
        GraderError: nothing could be graded, for a reason of ours.
    """
    report = grade_upload(home / "source", home / "submission")
    result = describe(report, home / "submission_metadata.json")
    (home / "results").mkdir(exist_ok=True)
    write_atomically(home / "results/results.json", (json.dumps(result, indent=2) + "\n").encode())
    for note in report.evidence.run.notes:
        sys.stdout.write(f"{note}\n")


def describe(report: Report, metadata: Path) -> dict[str, Any]:
    """Return Gradescope's document on `report`, with what the submission's metadata say of its time and of others."""
    result = document(report)
    history = describe_history(read_metadata(metadata), report.score_low)
    result["output"] = "\n".join([result["output"], *history, *report.evidence.run.notes])
    result["output_format"] = "text"
    for test in result["tests"]:
        test["output_format"] = test["name_format"] = "text"
    return result
