"""Whether a report in PDF can be read, and shows anything; a TA judges its content."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.authoring import Background, Note, Sources, StudentFault, StudentRaised, check, fail

LIMIT_S = 30.0
SCANNED_WORDS = 20  # with fewer words, pages with pictures count as scans or screenshots of text
ENOUGH_VISIBLE = 200
"""Visible pixels, of a million on a page: a short word of usual size has more, a page of text tens of thousands."""
Topics = Mapping[str, Sequence[str]]
"""Topic -> words, in any language, of which the text must have one, perhaps as a part of another word."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a report must contain."""

    topics: Topics = field(default_factory=dict)
    pictures: int = 0
    words: int = 0
    most_pages: int = 0  # 0 for any number of pages


_READER = "grader.worker.pdf", "describe_pdf"


def check_report(check_id: str, file: str, wanted: Wanted) -> Callable[..., None]:
    """Return a check of a report; see `expect_readable`."""

    def expect_report(background: Callable[..., Background], sources: Sources, note: Note) -> None:
        expect_readable(background, sources, file, wanted, note)

    expect_report.__doc__ = f"`{file}` is there, can be read, and is not empty."
    return check(check_id)(expect_report)


def expect_readable(
    background: Callable[..., Background], sources: Sources, file: str, wanted: Wanted, note: Note
) -> None:
    """Fail unless `file` is a PDF that can be read and shows something; keep its facts, and flag what it seems to lack.

    Fonts, languages and screenshots can hide text from a program, so a TA decides what is missing. `background` is the
    fixture of that name.
    """
    sources.expect(file)
    words = tuple(each for some in wanted.topics.values() for word in some for each in _spellings(word))
    try:
        facts = _describe(background, file, words, note)
    except StudentRaised as raised:
        fail(
            f"{file} cannot be read as a PDF.",
            got=raised.finding.message,
            hint="Open it on another computer; export it again.",
        )
    if not isinstance(facts, dict):
        fail(f"{file} cannot be read as a PDF.")
    for name, value in facts.items():
        note.fact(name, value)
    if facts.get("encrypted"):
        fail(f"{file} is protected by a password.", hint="Export it without.")
    _expect_content(facts, file, note)
    _flag_what_a_person_must_see(facts, file, wanted, note)


def _spellings(word: str) -> tuple[str, ...]:
    """Return a word as it may come out of a PDF: text that runs from right to left is often stored backwards."""
    return (word,) if word.isascii() else (word, word[::-1])


def _describe(background: Callable[..., Background], file: str, words: Sequence[str], note: Note) -> Any:
    """Return the facts of the staff's reader; if it fails to draw the pages, those without pixels, and flag the file.

    Raises:
        StudentFault: the file cannot be read, even without drawing.
    """
    # in a worker of its own: modules of the submission may have replaced the reader in their worker
    whole = background(*_READER, file, tuple(words), ENOUGH_VISIBLE, reads=True)
    try:
        return whole.result(LIMIT_S)
    except StudentFault as fault:
        whole.close()
        facts = background(*_READER, file, tuple(words), reads=True).result(LIMIT_S)
        note.flag(f"{file} was not drawn; look whether its pages show anything: {fault.finding.message}")
        return facts


def _expect_content(facts: dict[str, Any], file: str, note: Note) -> None:
    """End the check as failed if the pages are blank: invisible text is no content."""
    is_drawn = "visible_pixels" in facts
    if is_drawn and facts["visible_pixels"] >= ENOUGH_VISIBLE:
        return
    if not facts.get("pages") or not (facts.get("words") or facts.get("images")):
        fail(f"{file} has no content.", got=f"{facts.get('pages')} pages, no text, no pictures")
    if is_drawn and not facts.get("lacks_fonts"):
        fail(
            f"The pages of {file} look blank: what the file holds cannot be seen.",
            got=f"{facts['words']} words, {facts['images']} pictures, but hardly a dot on {facts['pages']} drawn pages",
            hint="Open it and look: white, transparent or tiny text, or text beyond the edge, does not count.",
        )
    if is_drawn:
        note.flag(f"{file} looks blank here, but has text in a font that is not in the file: look at its pages")


def _flag_what_a_person_must_see(facts: dict[str, Any], file: str, wanted: Wanted, note: Note) -> None:
    if facts["words"] < SCANNED_WORDS:
        what = "pictures but hardly any text: scanned, or screenshots only"
        note.flag(f"{file} has {what if facts['images'] else 'hardly any text that a program can read'}")
    elif lacking := [*_lacking(facts, wanted)]:
        note.flag(f"{file} seems to lack what the sheet asks for: {'; '.join(lacking)}. Add it if it is not there")
    if wanted.most_pages and facts["pages"] > wanted.most_pages:
        note.flag(f"{file} has {facts['pages']} pages, and the sheet asks for {wanted.most_pages} at most")


def _lacking(facts: dict[str, Any], wanted: Wanted) -> Iterator[str]:
    mentioned = {*(facts.get("mentions") or ())}
    if facts["words"] < wanted.words:
        yield f"explanations (it has {facts['words']} words)"
    if facts["images"] < wanted.pictures:
        yield f"{wanted.pictures} pictures (it has {facts['images']})"
    for topic, words in wanted.topics.items():
        if not mentioned.intersection(each for word in words for each in _spellings(word)):
            yield topic
