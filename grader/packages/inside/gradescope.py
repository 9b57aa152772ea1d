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

from grader.packages.inside.gradescope_metadata import Metadata, describe_history, read_metadata
from grader.packages.inside.grading import final_result, grade_upload
from grader.reports import write_atomically
from grader.reports.gradescope import document
from grader.reports.record import KEY, write_record

HOME = Path("/autograder")


def run(home: Path = HOME) -> None:
    """Grade what lies in `home` and write `results/results.json`.

    Raises:
        GraderError: nothing could be graded, for a reason of ours.
    """
    package, upload = home / "source", home / "submission"
    final = final_result(package, upload)
    result = final or _graded(package, upload)
    result = describe(result, read_metadata(home / "submission_metadata.json"), is_final=final is not None)
    (home / "results").mkdir(exist_ok=True)
    write_atomically(home / "results/results.json", (json.dumps(result, indent=2) + "\n").encode())


def _graded(package: Path, upload: Path) -> dict[str, Any]:
    """Grade an upload, tell staff what they should know, and return the result with its record."""
    report = grade_upload(package, upload)
    notes = list(report.evidence.run.notes)
    sys.stdout.write("".join(f"{note}\n" for note in notes))
    result = document(report)
    result["extra_data"] |= {"notes": notes, KEY: write_record(report.evidence)}
    return result


def describe(result: dict[str, Any], metadata: Metadata, *, is_final: bool = False) -> dict[str, Any]:
    """Return `result` with what the metadata say of its time and of earlier ones, and every text as plain text."""
    history = describe_history(metadata, result["score"], is_final=is_final)
    plain = {"output_format": "text", "name_format": "text"}
    tests = [{**test, **plain} for test in result["tests"]]
    return {**result, "output": "\n".join([result["output"], *history]), "output_format": "text", "tests": tests}
