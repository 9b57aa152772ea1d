"""`results.json` in Gradescope's format; values for which it has no field are in `extra_data`.

It contains no measured times, so that two gradings with the same seed and outcomes give the same bytes.
"""

import json
from typing import Any

from grader.model import Outcome, Report, Result, printable
from grader.reports.audience import OUR_FAULT, VISIBLE, for_students
from grader.reports.story import finding_text, first_step_text, open_sentences, points_text, selection_text


def render(report: Report) -> str:
    """Return the JSON text. While points are undecided, `score` is the lower end of `score_range`."""
    return json.dumps(document(report), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def document(report: Report) -> dict[str, Any]:
    """Return the document that `render` writes, for callers that add to it."""
    run, shown = report.evidence.run, for_students(report)
    moved = (printable(entry.text) for entry in shown.adjustments)
    lines = (shown.score_text, *moved, selection_text(shown), *open_sentences(shown), first_step_text(shown))
    return {
        "score": report.score_low,
        "output": "\n".join(filter(None, lines)),
        "tests": [_test(*results) for results in zip(report.results, shown.results, strict=True)],
        "extra_data": {
            "outcome": {result.criterion.id: str(result.outcome) for result in report.results},
            "provisional": report.provisional,
            "score_range": [report.score_low, report.score_high],
            "flags": [{"check": check, "reason": printable(reason)} for check, reason in report.flags],
            "device": printable(run.device),
            "data": printable(run.data),
            "sandbox": printable(run.sandbox),
            **({"students": [printable(who) for who in report.students]} if report.students else {}),
            **_decided_by_people(report),
        },
    }


def _decided_by_people(report: Report) -> dict[str, Any]:
    """Return marks, adjustments and comments, if there are any, without the names of those who gave them."""
    marks = {
        result.criterion.id: {"points": result.mark.points, "comment": printable(result.mark.comment)}
        for result in report.results
        if result.mark
    }
    adjustments = [
        {"what": entry.what, "points": [entry.points_low, entry.points_high], "comment": printable(entry.comment)}
        for entry in report.adjustments
    ]
    comments = [
        {"file": printable(comment.file), "line": comment.line, "comment": printable(comment.text)}
        for comment in report.comments
    ]
    decisions = {"marks": marks, "adjustments": adjustments, "comments": comments}
    return {name: entries for name, entries in decisions.items() if entries}


def _test(result: Result, shown: Result) -> dict[str, Any]:
    """Return a check as students see it; a check that is not `visible` is complete, because the platform hides it."""
    return {
        "name": result.criterion.id,
        "score": result.points_low,
        "max_score": result.criterion.points,
        "status": "passed" if result.outcome is Outcome.PASSED else "failed",
        "output": _output(shown if result.criterion.visibility == VISIBLE else result),
        "visibility": result.criterion.visibility,
    }


def _output(result: Result) -> str:
    """Return the text for the student; measured values that change from run to run are left out."""
    measured = result.criterion.threshold is not None or bool(result.criterion.hardware)
    lines = [printable(result.observation.sentence)]
    if result.is_partly_right:
        lines.append(f"Partly right, {points_text(result)} points.")
    if result.outcome.is_open and result.criterion.points:
        lines.append(f"Undecided, {points_text(result)} points: no point is lost.")
    if finding := OUR_FAULT if result.outcome is Outcome.ERROR else result.finding:
        lines.append(finding_text(finding, with_got=not measured))
    lines += [f"remark: {finding_text(remark, with_got=False)}" for remark in result.observation.remarks]
    return "\n".join(line for line in lines if line)
