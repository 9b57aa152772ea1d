"""Zips for uploading: feedback in the naming that each learning platform looks for, results in Gradescope's format.

    Moodle       Name_12345_assignsubmission_file_/report.html    `Upload multiple feedback files in a zip`
    Canvas       name_123_456_report.html                         `Upload submissions`: comments beside each attempt
    Gradescope   submission_123/results.json
    otherwise    <student>/report.html

The same content gives the same bytes: entries are sorted and carry no time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from grader.course.grades.graded import BatchResults, Graded
from grader.course.grades.people import participant_number
from grader.course.store import Store
from grader.intake.packing import pack
from grader.reports import gradescope, html, story

_FEEDBACK_NAME = "report.html"
_BAD = re.compile(r"[^\w.\- ()]+")
_LONGEST = 120


def feedback_zip(store: Store, results: BatchResults, folders: Mapping[str, str]) -> tuple[bytes, tuple[str, ...]]:
    """Return `feedback.zip`, one report per student, and notes about those whom the platform could not find.

    Args:
        store: The batch; its reports are up to date.
        results: The same, loaded.
        folders: Id of a student → folder name in Moodle, from a grading worksheet.
    """
    files: dict[str, bytes | Path] = {}
    lost = []
    for graded in results.graded:
        for student, report in graded.reports.items():
            name = _feedback_name(graded, student, results.roster.platform, folders)
            if not name:
                lost.append(student)
            elif report == graded.report:
                files[name] = store.folder(graded.handin.key) / _FEEDBACK_NAME
            else:
                files[name] = html.render(report).encode()
    contents = ((name, file if isinstance(file, bytes) else file.read_bytes()) for name, file in sorted(files.items()))
    return pack(contents), _note(lost)


def gradescope_zip(results: BatchResults) -> bytes:
    """Return `gradescope.zip`: the `results.json` of every student, or of every submission that Gradescope knows."""
    files = {}
    for graded in results.graded:
        if results.roster.platform == "gradescope":
            files[safe_name(graded.handin.platform_folder)] = gradescope.render(graded.report)
        else:
            files |= {safe_name(student): gradescope.render(report) for student, report in graded.reports.items()}
    return pack((f"{name}/results.json", text.encode()) for name, text in sorted(files.items()))


def safe_name(text: str) -> str:
    """Return `text` as a name for one folder: nothing that leaves it, hides it, or confuses a file system.

    Moodle finds the participant between the first two underscores, so that no other character becomes one; of a long
    name the middle goes, because the number stands near its end.
    """
    name = _BAD.sub("-", text).strip(". ")
    return f"{name[:60]}{name[-60:]}" if len(name) > _LONGEST else name or "-"


def _feedback_name(graded: Graded, student: str, platform: str, folders: Mapping[str, str]) -> str:
    """Return where the student's report goes; empty if the platform would not find its owner."""
    folder = graded.handin.platform_folder
    if student in folders:
        return f"{safe_name(folders[student])}/{_FEEDBACK_NAME}"
    owns_folder = len(graded.reports) == 1 or student == next(iter(graded.reports))
    if platform == "moodle":
        is_own = len(graded.reports) == 1 or student == participant_number(graded.handin)
        return f"{safe_name(folder)}/{_FEEDBACK_NAME}" if is_own else ""
    if platform == "canvas" and folder:
        return f"{safe_name(folder)}_{_FEEDBACK_NAME}" if owns_folder else ""
    return f"{safe_name(student)}/{_FEEDBACK_NAME}"


def _note(lost: list[str]) -> tuple[str, ...]:
    if not lost:
        return ()
    text = f"feedback.zip: {len(lost)} partners have no folder of their own on the platform, so give them the report: "
    return (f"{text}{story.listed(lost)}.",)
