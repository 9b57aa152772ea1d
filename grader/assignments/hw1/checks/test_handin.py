"""The hand-in itself."""

from __future__ import annotations

from grader.authoring import Note, Sources, check


@check("submission.files")
def test_files(sources: Sources, note: Note) -> None:
    """The zip holds exactly the files that the sheet asks for."""
    sources.expect_complete(note)
