"""The hand-in itself."""

from __future__ import annotations

from grader.authoring import Note, Sources, check, fail


@check("submission.files")
def test_files(sources: Sources, note: Note) -> None:
    """The zip holds exactly the files that the sheet asks for."""
    for warning in sources.warnings:
        note.remark(warning)
    if sources.missing:
        unless = ", unless a TA finds them under other names" if sources.spare else ""
        fail(f"Missing: {', '.join(sources.missing)}.", hint=f"Their checks give no points{unless}.")
    if sources.warnings:
        fail(
            "The zip is not quite as the sheet asks; everything was graded all the same.",
            got="; ".join(sources.warnings[:3]),
        )
