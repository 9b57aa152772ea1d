"""The report hw1.pdf: what a program can say of it, and what a TA marks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grader.authoring import Background, Note, Sources, StudentFault, StudentRaised, check, fail

FILE = "hw1.pdf"
LIMIT_S = 30.0
SCANNED_WORDS = 20
"""Below this, pages with pictures are taken for scans or screenshots of text."""
ENOUGH_INK = 200
"""Pixels on one page, of a million: a short word of a usual size has more, a page of text has tens of thousands."""


@check("report.pdf")
def test_report(background: Callable[..., Background], sources: Sources, note: Note) -> None:
    """`hw1.pdf` is there, can be read, and is not empty."""
    sources.expect(FILE)
    try:
        seen = _describe(background, note)
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
    _expect_content(seen, note)
    _flag_what_a_person_must_see(seen, note)


def _describe(background: Callable[..., Background], note: Note) -> Any:
    """Return what the staff's reader sees; without ink, and with a flag, if drawing it is what fails.

    Raises:
        StudentFault: the file cannot be read, drawn or not.
    """
    # a worker of its own: where the submission's modules ran, they may have left a reader that is always content
    whole = background("pdf", "describe_pdf", FILE, ENOUGH_INK)
    try:
        return whole.result(LIMIT_S)
    except StudentFault as fault:
        whole.close()
        seen = background("pdf", "describe_pdf", FILE).result(LIMIT_S)
        note.flag(f"{FILE} was not drawn; look whether its pages show anything: {fault.finding.message}")
        return seen


def _expect_content(seen: dict[str, Any], note: Note) -> None:
    """End the check as failed if the pages are blank: text that nobody can see is no content."""
    is_drawn = "ink_pixels" in seen
    if is_drawn and seen["ink_pixels"] >= ENOUGH_INK:
        return
    if not seen.get("pages") or not (seen.get("words") or seen.get("images")):
        fail(f"{FILE} has no content.", got=f"{seen.get('pages')} pages, no text, no pictures")
    if is_drawn and not seen.get("lacks_fonts"):
        fail(
            f"The pages of {FILE} look blank: what the file holds cannot be seen.",
            got=f"{seen['words']} words, {seen['images']} pictures, but hardly a dot on {seen['pages']} drawn pages",
            hint="Open it and look: white, transparent or tiny text, or text beyond the edge, does not count.",
        )
    if is_drawn:
        note.flag(f"{FILE} looks blank here, but has text in a font that is not in the file: look at its pages")


def _flag_what_a_person_must_see(seen: dict[str, Any], note: Note) -> None:
    """Fonts, languages and screenshots defeat a program that reads, so nothing here costs a point."""
    if seen["words"] < SCANNED_WORDS:
        what = "pictures but hardly any text: scanned, or screenshots only"
        note.flag(f"{FILE} has {what if seen['images'] else 'hardly any text that a program can read'}")
        return
    if absent := {"max_kernel", "matmul_kernel"} - set(seen.get("mentions") or ()):
        note.flag(f"the text of hw1.pdf does not mention {' and '.join(sorted(absent))}")
    if not seen["images"]:
        note.flag("hw1.pdf has no picture; the sheet asks for screenshots of the time comparisons")


@check("report.explanation")
def test_explanation(note: Note) -> None:
    """The report explains both kernels, the speed-ups and the results; a TA reads it."""
    note.fact("marked_by", "a TA")
