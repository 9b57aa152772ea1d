"""The reader of the report is replaced by one that is always content; the report is no PDF.

aims: report.pdf
runs: max. report.
pdf: junk
"""

import sys
import types

_pdf = types.ModuleType("pdf")
_pdf.describe_pdf = lambda name, words=(), enough_ink=0: {
    "pages": 9,
    "images": 9,
    "words": 9000,
    "encrypted": False,
    "mentions": ["max_kernel", "matmul_kernel"],
    "ink_pixels": 90000,
    "lacks_fonts": False,
}
sys.modules["pdf"] = sys.modules["grader.worker.pdf"] = _pdf
