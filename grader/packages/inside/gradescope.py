"""One submission in Gradescope's container: /autograder/submission in, /autograder/results/results.json out.

    submission/                 the files; a zip that was uploaded has been unpacked, a repository is as it was
    submission_metadata.json    who, when, until when, by which way, and what came before
    results/results.json        what students and staff see

Formats: https://gradescope-autograders.readthedocs.io/en/latest/specs/ and .../submission_metadata/

Where nothing can be graded for a reason of ours there is no results.json, and what is printed says why: Gradescope then
says itself that the autograder failed, shows staff what it printed, and gives no score. A zero would be a wrong one.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from grader.packages.inside.gradescope_metadata import Metadata, describe_history, read_metadata
from grader.packages.inside.grading import Opened, final_result, grade_upload, open_upload
from grader.reports import write_atomically
from grader.reports.gradescope import document
from grader.reports.record import KEY, write_record

HOME = Path("/autograder")


def run(home: Path = HOME) -> None:
    """Grade what lies in `home` and write `results/results.json`.

    Raises:
        GraderError: nothing could be graded, for a reason of ours.
    """
    began = time.perf_counter()
    package, metadata = home / "source", read_metadata(home / "submission_metadata.json")
    opened = open_upload(package, home / "submission", is_checkout=metadata.is_checkout)
    final = final_result(package, opened)
    result = describe(final or _graded(package, opened), metadata, opened.remark, is_final=final is not None)
    result["execution_time"] = round(time.perf_counter() - began, 1)
    (home / "results").mkdir(exist_ok=True)
    write_atomically(home / "results/results.json", (json.dumps(result, indent=2) + "\n").encode())


def _graded(package: Path, opened: Opened) -> dict[str, Any]:
    """Grade an upload, tell staff what they should know, and return the result with its record."""
    report = grade_upload(package, opened)
    notes = list(report.evidence.run.notes)
    sys.stdout.write("".join(f"{note}\n" for note in notes))
    result = document(report)
    result["extra_data"] |= {"notes": notes, KEY: write_record(report.evidence)}
    return result


def describe(result: dict[str, Any], metadata: Metadata, remark: str = "", *, is_final: bool = False) -> dict[str, Any]:
    """Return `result` with what else its student should know, and every text as plain text.

    Args:
        result: As `reports.gradescope.document` returns it.
        metadata: What Gradescope says of the time of this submission and of earlier ones.
        remark: Which of several things was graded.
        is_final: Whether the result is a batch's.
    """
    said = filter(None, [result["output"], remark, *describe_history(metadata, result["score"], is_final=is_final)])
    plain = {"output_format": "text", "name_format": "text"}
    tests = [{**test, **plain} for test in result["tests"]]
    return {**result, "output": "\n".join(said), "output_format": "text", "tests": tests}
