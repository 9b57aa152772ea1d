"""Zips for uploading: feedback in the naming that each learning platform looks for, results in Gradescope's format.

    Moodle       Name_12345_assignsubmission_file_/report.html    `Upload multiple feedback files in a zip`
    Canvas       name_123_456_report.html                         `Upload submissions`: comments beside each attempt
    Gradescope   submission_123/results.json
    otherwise    <student>/report.html

The same content gives the same bytes: entries are sorted and carry no time.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from grader.course.grades.graded import BatchResults
from grader.course.platforms import PLATFORMS
from grader.course.platforms.platform import FEEDBACK_NAME, safe_name
from grader.course.store import Store
from grader.intake.packing import pack
from grader.reports import gradescope, html, story


def feedback_zip(store: Store, results: BatchResults, folders: Mapping[str, str]) -> tuple[bytes, tuple[str, ...]]:
    """Return `feedback.zip`, one report per student, and notes about those whom the platform could not find.

    Args:
        store: The batch; its reports are up to date.
        results: The same, loaded.
        folders: Id of a student → the folder in which the platform's table says it looks.
    """
    files: dict[str, bytes | Path] = {}
    platform = PLATFORMS[results.roster.platform]
    lost = []
    for graded in results.graded:
        for student, report in graded.reports.items():
            own = f"{safe_name(folders[student])}/{FEEDBACK_NAME}" if student in folders else ""
            name = own or platform.feedback_path(graded.handin, student)
            if not name:
                lost.append(student)
            elif report == graded.report:
                files[name] = store.folder(graded.handin.key) / FEEDBACK_NAME
            else:
                files[name] = html.render(report).encode()
    contents = ((name, file if isinstance(file, bytes) else file.read_bytes()) for name, file in sorted(files.items()))
    return pack(contents), _note(lost)


def gradescope_zip(results: BatchResults) -> bytes:
    """Return `gradescope.zip`: the `results.json` of every student, or of every submission that Gradescope knows."""
    platform, files = PLATFORMS[results.roster.platform], {}
    for graded in results.graded:
        for student, report in reversed([*graded.reports.items()]):  # who share a folder have the first one's
            files[platform.results_folder(graded.handin, student)] = gradescope.render(report)
    return pack((f"{name}/results.json", text.encode()) for name, text in sorted(files.items()))


def _note(lost: list[str]) -> tuple[str, ...]:
    if not lost:
        return ()
    text = f"feedback.zip: {len(lost)} partners have no folder of their own on the platform, so give them the report: "
    return (f"{text}{story.listed(lost)}.",)
