"""Grades one submission on GitHub Actions: reads a checkout; writes annotations, a summary, classroom50's result.json.

    ::notice title=…::Points …    the points, as GitHub Classroom's reporter writes them
    ::error file=…,line=…::…      an annotation on the line that a check names; GitHub shows ten of each level
    $GITHUB_OUTPUT                `status` and `summary`
    $GITHUB_STEP_SUMMARY          a table of all checks, at most 1 MiB

classroom50's runner sets `CLASSROOM`, and reads result.json, release-body.md and report.html from the checkout.

Commands and files: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
Points: https://github.com/classroom-resources/autograding-grading-reporter
result.json: https://github.com/foundation50/classroom50/wiki/Advanced-Autograding
"""

from __future__ import annotations

import json
import math
import os
import secrets
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from html import escape
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from grader.intake.disk import write_atomically
from grader.intake.selection import is_litter
from grader.kit.inside import grade_upload, open_upload
from grader.model import Outcome, Report, Result, printable
from grader.reports import html
from grader.reports.audience import for_students
from grader.reports.listing import listings
from grader.reports.story import finding_text, open_sentences, parts, points_text, style_of

PACKAGE = Path()
REPORT = "report"  # the folder in $RUNNER_TEMP that the workflow keeps
PAGE = "report.html"
_LEVELS = {"failed": "error", "error": "error", "warning": "warning"}
"""Kinds of `story.OutcomeStyle` -> levels of annotations; all others are notices."""
_SHOWN = 10
_CELL_LIMIT = 600


def run(package: Path = PACKAGE, environment: Mapping[str, str] = os.environ) -> None:
    """Grade $GITHUB_WORKSPACE with the unpacked package, and report as described at the top of this file.

    Raises:
        GraderError: the grader failed.
    """
    checkout, token = Path(environment["GITHUB_WORKSPACE"]), secrets.token_hex()
    sys.stdout.write(f"::stop-commands::{token}\n")  # so that no later output, such as a traceback, is a command
    sys.stdout.flush()
    opened = open_upload(package, checkout, is_checkout=True)
    report = for_students(grade_upload(package, opened))
    sys.stdout.write(f"::{token}::\n")
    page = html.render(report).encode()
    for line in annotate(report, find_files(checkout, report), opened.remark):
        sys.stdout.write(f"{line}\n")
    failed = [result for result in report.results if result.outcome is Outcome.FAILED and result.criterion.points]
    status = "failure" if failed or report.evidence.refusal else "success"
    _append(environment["GITHUB_OUTPUT"], f"status={status}\nsummary={report.score_text}\n")
    if "CLASSROOM" in environment:
        result = json.dumps(describe_result(report, environment), indent=2)
        write_atomically(checkout / "result.json", f"{result}\n".encode())
        write_atomically(checkout / "release-body.md", summarise(report, opened.remark, explain_count(report)).encode())
        write_atomically(checkout / PAGE, page)
    else:
        write_atomically(Path(environment["RUNNER_TEMP"], REPORT) / PAGE, page)
        _append(environment["GITHUB_STEP_SUMMARY"], summarise(report, opened.remark))


def find_files(checkout: Path, report: Report) -> dict[str, str]:
    """Return name on the sheet -> path in the checkout; of several files, the one in the fewest subfolders."""
    wanted = {file.name.lower(): file.name for file in report.evidence.submission.files}
    places: dict[str, str] = {}
    for path in sorted(checkout.rglob("*"), key=lambda path: (len(path.parts), path)):
        inner = path.relative_to(checkout)
        if (name := wanted.get(path.name.lower())) and not is_litter(inner.parts):
            places.setdefault(name, inner.as_posix())
    return places


def annotate(report: Report, paths: Mapping[str, str], remark: str = "") -> Iterator[str]:
    """Yield workflow commands: the points, the remark on which files were graded, and findings at their lines.

    `report` is the student's version; `paths` are as `find_files` returns them.
    """
    low, total = whole(report.score_low), whole(report.rubric.total)
    yield command("notice", f"Points {low}/{total}", title="Autograding complete")
    yield command("notice", json.dumps({"totalPoints": low, "maxPoints": total}), title="Autograding report")
    yield command("notice", " ".join([f"{report.score_text}.", *open_sentences(report)]), title="Score")
    if remark:
        yield command("warning", remark, title="What was graded")
    if report.evidence.refusal:
        yield command("error", report.evidence.refusal, title="Not graded")
    yield from _on_lines(report, paths, Counter({"notice": 3, "warning": 1 if remark else 0}))


def _on_lines(report: Report, paths: Mapping[str, str], count: Counter[str]) -> Iterator[str]:
    """Yield an annotation for each remark at a line, at most `_SHOWN` of each level; `count` has those used already."""
    for listing in listings(report):
        for line in listing.lines:
            for remark in line.remarks:
                level = _LEVELS.get(remark.style.kind, "notice")
                count[level] += 1
                if count[level] <= _SHOWN:
                    place = {"file": paths.get(listing.name, listing.name), "line": str(line.number)}
                    yield command(level, remark.message, **place, title=remark.check or "Course staff")


def command(name: str, message: str, **properties: str) -> str:
    """Return a workflow command in one line, for any texts."""
    shown = ",".join(f"{key}={_escape(value, ':', ',')}" for key, value in properties.items())
    return f"::{name} {shown}::{_escape(printable(message))}"


def _escape(text: str, *more: str) -> str:
    return "".join(f"%{ord(char):02X}" if char in {"%", "\r", "\n", *more} else char for char in text)


def summarise(report: Report, *more: str) -> str:
    """Return the summary as HTML without an empty line, so that GitHub reads no Markdown in it.

    `report` is the student's version; `more` are further sentences, of which empty ones are left out.
    """
    sentences = filter(None, (*more, report.evidence.refusal, *open_sentences(report)))
    lines = [f"<h2>{_cell(report.rubric.title)}: {_cell(report.score_text)}</h2>"]
    lines += [f"<p>{_cell(sentence)}</p>" for sentence in sentences]
    if not report.evidence.refusal:
        lines.append("<table><tr><th>check</th><th>outcome</th><th>points</th><th>what happened</th></tr>")
        lines += [_row(result) for part in parts(report) for result in part.results]
        lines.append("</table>")
    return f"<div>{''.join(lines)}</div>\n\n"


def _row(result: Result) -> str:
    style = style_of(result)
    text = finding_text(result.finding) if result.finding and result.outcome is not Outcome.PASSED else ""
    cells = (result.criterion.id, f"{style.icon} {style.word}", points_text(result), text)
    return f"<tr>{''.join(f'<td>{_cell(text)}</td>' for text in cells)}</tr>"


def _cell(text: str) -> str:
    """Return `text` as HTML in one line."""
    return "<br>".join(escape(line) for line in printable(text, _CELL_LIMIT).splitlines() if line.strip())


def _append(path: str, text: str) -> None:
    with Path(path).open("a", encoding="utf-8") as file:
        file.write(text)


SCHEMA = "classroom50/result/v1"


def describe_result(report: Report, environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the document for `report`; `environment` has the variables that classroom50's runner sets."""
    scale = 100 if _has_fractions(report) else 1
    most = _whole_numbers(scale * result.criterion.points for result in report.results)
    scores = map(min, most, _whole_numbers(scale * result.points_low for result in report.results))
    tests = [
        {
            "test-name": result.criterion.id,
            "passed": result.outcome is Outcome.PASSED,
            "score": score,
            "max-score": max_score,
            "outcome": str(result.outcome),
            "points": points_text(result),
        }
        for result, score, max_score in zip(report.results, scores, most, strict=True)
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
    """Return a sentence about the document's unit, if that is not a point; else an empty text."""
    return "In the gradebook, scores count in hundredths of a point." if _has_fractions(report) else ""


def _has_fractions(report: Report) -> bool:
    return any(result.criterion.points != int(result.criterion.points) for result in report.results)


def whole(points: float) -> int:
    """Return the nearest whole number; halves are rounded up."""
    return math.floor(points + 0.5)


def _whole_numbers(points: Iterable[float]) -> list[int]:
    """Return a whole number for each of `points`, such that the sum of the first n is the rounded sum, for every n."""
    return [high - low for low, high in pairwise([whole(each) for each in accumulate(points, initial=0.0)])]
