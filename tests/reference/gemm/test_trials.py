"""What the reference's report says of its tests is so."""

import subprocess
import sys
from pathlib import Path

import pytest
from pypdf import PdfReader

pytestmark = pytest.mark.wide

REFERENCE = Path(__file__).parents[3] / "reference" / "gemm"


def test_the_trials_that_the_report_tells_of_succeed():
    command = [sys.executable, "-m", "grader.cuda_cpu", "trials.py"]
    done = subprocess.run(command, cwd=REFERENCE, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_report_says_how_the_code_was_tested():
    text = " ".join(page.extract_text() for page in PdfReader(REFERENCE / "gemm.pdf").pages)
    assert "5. How the code was tested" in text
    assert "trials.py" in text
