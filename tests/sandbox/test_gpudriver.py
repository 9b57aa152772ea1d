"""What is installed for a driver, before anything is."""

import subprocess
import sys
from pathlib import Path

from rows import each

from grader.sandbox import gpudriver


@each("version, extra", [(0, ""), (11080, ""), (12000, "gpu12"), (12020, "gpu12"), (12090, "gpu12"), (13000, "gpu13")])
def test_a_driver_gets_what_it_can_run(version, extra):
    assert gpudriver.choose_extra(version) == extra
    said = gpudriver.describe(version)
    assert extra in said
    assert "\n" not in said


def test_a_driver_that_is_too_old_is_named_with_the_way_out():
    assert "CUDA 11.8, which is too old: update it to 525" in gpudriver.describe(11080)


def test_it_runs_as_a_file_without_anything_installed():
    done = subprocess.run(
        [sys.executable, "-I", "-S", gpudriver.__file__, "staff"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(".[staff")
    assert done.stderr.count("\n") == 1
    assert Path(gpudriver.__file__).name == "gpudriver.py"
