"""The result.json that CS50's classroom50 collects.

Its points are whole numbers, and a score is their sum. Where a rubric has fractions they are hundredths of a point.
What is really given stands beside them, in words: in each test, the only place where further keys are allowed.
Format: https://github.com/foundation50/classroom50/wiki/Advanced-Autograding, and schemas/result-v1.schema.json there
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from itertools import accumulate, pairwise
from typing import Any

from grader.model import Outcome, Report
from grader.reports.story import points_text

SCHEMA = "classroom50/result/v1"


def describe_result(report: Report, environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the document on `report`; `environment` is what classroom50's runner sets."""
    count = _hundredths if _has_fractions(report) else _whole_numbers
    most = count(result.criterion.points for result in report.results)
    given = map(min, most, count(result.points_low for result in report.results))
    tests = [
        {
            "test-name": result.criterion.id,
            "passed": result.outcome is Outcome.PASSED,
            "score": score,
            "max-score": max_score,
            "outcome": str(result.outcome),
            "points": points_text(result),
        }
        for result, score, max_score in zip(report.results, given, most, strict=True)
    ]
    return {
        "schema": SCHEMA,
        "classroom": environment["CLASSROOM"],
        "assignment": environment["ASSIGNMENT"],
        "assignment_type": environment.get("ASSIGNMENT_TYPE", "individual"),
        "owner": environment["OWNER"],
        "submission": environment["SUBMISSION_TAG"],
        "commit": environment["COMMIT_URL"],
        "release": environment["RELEASE_URL"],
        "review": environment.get("REVIEW_URL") or environment["COMMIT_URL"],
        "datetime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": sum(test["score"] for test in tests),
        "max-score": sum(most),
        "tests": tests,
    }


def explain_count(report: Report) -> str:
    """Return a sentence on what the document counts, where that is no points; else nothing."""
    return "In the gradebook, scores count in hundredths of a point." if _has_fractions(report) else ""


def _has_fractions(report: Report) -> bool:
    return any(result.criterion.points != int(result.criterion.points) for result in report.results)


def whole(points: float) -> int:
    """Return the nearest whole number; a half counts as one."""
    return math.floor(points + 0.5)


def _whole_numbers(points: Iterable[float]) -> list[int]:
    """Return a whole number for each of `points`: such that the sum of the first few is rounded, and nothing else."""
    sums = [whole(each) for each in accumulate(points, initial=0.0)]
    return [high - low for low, high in pairwise(sums)]


def _hundredths(points: Iterable[float]) -> list[int]:
    return [round(100 * each) for each in points]
