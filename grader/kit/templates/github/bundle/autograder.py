"""Grades {{ assignment.name }} for classroom50, whose runner starts this in the student's checkout.

It writes result.json and release-body.md there. Where nothing can be graded it fails, and classroom50 says so.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "grader"


def main():
    """Set up the grader, then grade; neither starts in the checkout, whose files could pass for modules of Python."""
    with tempfile.TemporaryDirectory(prefix="grader-") as temporary:
        subprocess.run(["sh", "install.sh", temporary + "/grader"], cwd=PACKAGE, check=True)
        environment = os.environ | {"GITHUB_WORKSPACE": os.getcwd(), "RUNNER_TEMP": temporary}
        done = subprocess.run([temporary + "/grader/bin/grader", "inside", "github"], cwd=PACKAGE, env=environment)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
