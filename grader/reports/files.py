"""Puts reports on the disk: all are rendered before the first is written, and each appears whole or not at all."""

from collections.abc import Callable, Sequence
from pathlib import Path

from grader.intake.disk import write_atomically
from grader.model import Report
from grader.reports import evidence, gradescope, html, junit

FORMATS: dict[str, tuple[str, Callable[[Report], str]]] = {
    "html": ("report.html", html.render),
    "staff": ("staff.html", html.render_staff),
    "junit": ("junit.xml", junit.render),
    "json": ("results.json", gradescope.render),
}
"""Names of the formats, as on the command line, with their files."""


def write_reports(report: Report, folder: Path, formats: Sequence[str] = tuple(FORMATS)) -> tuple[Path, ...]:
    """Write `report` into `folder` and return the files, in the order of `formats`; `evidence.json` is always the last.

    Raises:
        UsageError: a folder that cannot be made.
        GraderError: a file cannot be written; those that stood there before are whole.
    """
    texts = [(FORMATS[name][0], FORMATS[name][1](report).encode()) for name in dict.fromkeys(formats)]
    texts.append((evidence.EVIDENCE_FILE, evidence.encode(report.evidence)))
    return tuple(write_atomically(folder / name, content) for name, content in texts)
