"""The report hw1.pdf: what a program can say of it, and what a TA marks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grader.authoring import Background, Note, Sources, StudentRaised, check, fail

FILE = "hw1.pdf"
LIMIT_S = 30.0
SCANNED_WORDS = 20
"""Below this, pages with pictures are taken for scans or screenshots of text."""


@check("report.pdf")
def test_report(background: Callable[..., Background], sources: Sources, note: Note) -> None:
    """`hw1.pdf` is there, can be read, and is not empty."""
    sources.expect(FILE)
    try:
        # a worker of its own: where the submission's modules ran, they may have left a reader that is always content
        seen = background("pdf", "describe_pdf", FILE).result(LIMIT_S)
    except StudentRaised as raised:
        fail(
            f"{FILE} cannot be read as a PDF.",
            got=raised.finding.message,
            hint="Open it on another computer; export it again.",
        )
    if not isinstance(seen, dict):
        fail(f"{FILE} cannot be read as a PDF.")
    for name, value in seen.items():
        note.fact(name, value)
    if seen.get("encrypted"):
        fail(f"{FILE} is protected by a password.", hint="Export it without.")
    if not seen.get("pages") or not (seen.get("words") or seen.get("images")):
        fail(f"{FILE} has no content.", got=f"{seen.get('pages')} pages, no text, no pictures")
    _flag_what_a_person_must_see(seen, note)


def _flag_what_a_person_must_see(seen: dict[str, Any], note: Note) -> None:
    """Fonts, languages and screenshots defeat a program that reads, so nothing here costs a point."""
    if seen["words"] < SCANNED_WORDS:
        note.flag("hw1.pdf has pictures but hardly any text: scanned, or screenshots only")
        return
    if absent := {"max_kernel", "matmul_kernel"} - set(seen.get("mentions") or ()):
        note.flag(f"the text of hw1.pdf does not mention {' and '.join(sorted(absent))}")
    if not seen["images"]:
        note.flag("hw1.pdf has no picture; the sheet asks for screenshots of the time comparisons")


@check("report.explanation")
def test_explanation(note: Note) -> None:
    """The report explains both kernels, the speed-ups and the results; a TA reads it."""
    note.fact("marked_by", "a TA")
