"""The hand-in itself, and the report."""

from grader.authoring import check_by_ta, check_files
from grader.authoring.judges.pdf import Wanted, check_report

WANTED = Wanted({"shared memory": ("shared", "משותפ")}, most_pages=4)

test_files = check_files("submission.files")
test_report = check_report("report.pdf", "gemm.pdf", WANTED)
test_explanation = check_by_ta(
    "report.explanation", "The report explains loads, round-off, the choice of λ and what im2col costs; a TA reads it."
)
