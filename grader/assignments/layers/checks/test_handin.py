"""The hand-in itself, and the report."""

from grader.authoring import check_by_ta, check_files
from grader.authoring.judges.pdf import Wanted, check_report

WANTED = Wanted({"Amdahl's law": ("Amdahl", "אמדל")})

test_files = check_files("submission.files")
test_report = check_report("report.pdf", "layers.pdf", WANTED)
test_explanation = check_by_ta(
    "report.explanation",
    "The report explains the kernels, the measured shares and the bound on the speed-up; a TA reads it.",
)
