"""The hand-in itself, and the report."""

from __future__ import annotations

from collections.abc import Callable

from grader.authoring import Background, Note, Sources, check
from grader.authoring.judges import pdf

FILE = "gemm.pdf"


@check("submission.files")
def test_files(sources: Sources, note: Note) -> None:
    """The zip holds exactly the files that the sheet asks for."""
    sources.expect_complete(note)
