"""The hand-in itself, and the report."""

from collections.abc import Callable

from grader.authoring import Background, Note, Sources, check
from grader.authoring.judges import pdf
from grader.authoring.judges.pdf import Wanted

FILE = "gemm.pdf"
WANTED = Wanted({"shared memory": ("shared", "משותפ")}, most_pages=4)


@check("submission.files")
def test_files(sources: Sources, note: Note) -> None:
    """The zip holds exactly the files that the sheet asks for."""
    sources.expect_complete(note)


@check("report.pdf")
def test_report(background: Callable[..., Background], sources: Sources, note: Note) -> None:
    """`gemm.pdf` is there, can be read, and is not empty."""
    pdf.expect_readable(background, sources, FILE, WANTED, note)


@check("report.explanation")
def test_explanation(note: Note) -> None:
    """The report explains loads, round-off, the choice of λ and what im2col costs; a TA reads it."""
    note.fact("marked_by", "a TA")
