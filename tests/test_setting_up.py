"""The Makefile sets up an environment once, however many begin at once; with programs that stand for Python and pip."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="needs make")
ROOT = Path(__file__).parents[1]
STAND_IN = """\
#!/bin/sh
say() { echo "$1 begins" >> log; sleep 0.3; echo "$1 ends" >> log; }
case "$*" in
    "-m venv .venv") mkdir -p .venv/bin; cp "$0" .venv/bin/python; say venv ;;
    *"pip "*" freeze "*) echo "numba==0.68.1" ;;
    *"pip "*) say "pip $(echo "$*" | sed 's/.* //')" ;;
    *gpudriver.py*) echo ".[a,b]" ;;
esac
"""
UV_STAND_IN = """\
#!/bin/sh
echo "uv $1 $(echo "$*" | sed 's/.* //')" >> log
[ "$1" = pip ] || { mkdir -p .venv/bin; cp python .venv/bin/python; }
"""


@pytest.fixture
def checkout(tmp_path):
    """A folder with the Makefile, and a Python that only notes down what it was asked to do."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    python = tmp_path / "python"
    python.write_text(STAND_IN)
    python.chmod(0o755)
    return tmp_path


def begin(checkout, target="setup", uv="", **settings):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "PIP_"))} | settings
    command = ["make", target, f"PYTHON={checkout / 'python'}", *([] if uv is None else [f"UV={uv}"])]
    return subprocess.Popen(command, cwd=checkout, env=kept, stderr=subprocess.DEVNULL)


@pytest.mark.skipif(not shutil.which("flock"), reason="needs flock")
def test_two_that_set_up_at_once_do_it_once(checkout):
    assert [one.wait(60) for one in [begin(checkout) for _ in range(3)]] == [0, 0, 0]
    done = (checkout / "log").read_text().splitlines()
    assert done == ["venv begins", "venv ends", "pip .[a,b] begins", "pip .[a,b] ends"]


def test_a_changed_list_of_packages_is_installed_anew_and_a_failure_tried_again(checkout):
    assert begin(checkout).wait(60) == 0
    os.utime(checkout / "pyproject.toml", ((checkout / ".venv" / ".runtime").stat().st_mtime + 10,) * 2)
    shutil.move(checkout / ".venv/bin/python", checkout / "kept")
    (checkout / ".venv/bin/python").symlink_to(shutil.which("false"))
    assert begin(checkout).wait(60) != 0
    (checkout / ".venv/bin/python").unlink()
    shutil.move(checkout / "kept", checkout / ".venv/bin/python")
    assert (begin(checkout).wait(60), (checkout / "log").read_text().count("pip .[a,b] ends")) == (0, 2)


def test_installed_versions_are_written_as_pip_takes_them(checkout):
    assert begin(checkout, "constraints").wait(60) == 0
    assert (checkout / "constraints.txt").read_text() == "numba==0.68.1\n"


@pytest.mark.parametrize(("students", "is_installed"), [("course.csv", False), ("course.xlsx", True)])
def test_what_reads_spreadsheets_is_installed_for_a_batch_whose_list_is_one(checkout, students, is_installed):
    assert begin(checkout, "batch", SUBMISSIONS="folder", STUDENTS=students).wait(60) == 0
    assert (checkout / ".venv/.staff").exists() == is_installed


def test_uv_does_it_where_it_is_installed_and_pip_has_no_settings_of_its_own(checkout):
    uv = checkout / "uv"
    uv.write_text(UV_STAND_IN)
    uv.chmod(0o755)
    path = f"{checkout}:{os.environ['PATH']}"
    assert begin(checkout, uv=None, PATH=path).wait(60) == 0
    assert (checkout / "log").read_text().splitlines() == ["uv venv .venv", "uv pip .[a,b]"]
    shutil.rmtree(checkout / ".venv")
    assert begin(checkout, uv=None, PATH=path, PIP_CONSTRAINT="versions.txt").wait(60) == 0
    by_pip = (checkout / "log").read_text().splitlines()[2:]
    assert by_pip == ["venv begins", "venv ends", "pip .[a,b] begins", "pip .[a,b] ends"]
