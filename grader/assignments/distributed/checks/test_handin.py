"""The hand-in itself, and the report."""

from grader.authoring import check_by_ta, check_files
from grader.authoring.judges.pdf import Wanted, check_report

WANTED = Wanted({"the bubble": ("bubble", "בועה"), "the ring": ("ring", "טבעת")}, most_pages=4)

test_files = check_files("submission.files")
test_report = check_report("report.pdf", "distributed.pdf", WANTED)
test_explanation = check_by_ta(
    "report.explanation",
    "The report explains what travels, and which split needs no communication on the way back; a TA reads it.",
)
