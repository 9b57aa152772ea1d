"""Kits of two assignments in one environment: no file of one is a file of the other, and both check."""

import io
import os
import sys
import zipfile

import pytest
import test_assignment
from subprocesses import ended

from grader.assignment import load_assignment
from grader.kit.handout import make_wheel
from grader.kit.settings import load_settings

pytestmark = pytest.mark.wide


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """The folder of the assignment that docs/assignment.md makes, and the wheel of its kit."""
    folder = test_assignment.write_files(tmp_path_factory.mktemp("courses"))
    return folder, make_wheel(load_settings(load_assignment("tiny", root=folder.parent)))


@pytest.fixture(scope="module")
def site(handout, tiny, tmp_path_factory):
    """Where an installer puts both."""
    folder = tmp_path_factory.mktemp("site")
    for data in (handout.wheel.data, tiny[1].data):
        zipfile.ZipFile(io.BytesIO(data)).extractall(folder)
    return folder


def run(site, folder, *words):
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONSAFEPATH": "", "CHECKED_BY": "", "ASSIGNMENTS": ""}
    return ended([sys.executable, "-m", *words], cwd=folder, env=environment)


def test_they_share_no_file(handout, tiny):
    names = [set(zipfile.ZipFile(io.BytesIO(data)).namelist()) for data in (handout.wheel.data, tiny[1].data)]
    assert not names[0] & names[1]
    assert {name.split("/")[0].split("-")[0] for name in names[1]} == {"tinycheck_files", "tinycheck.py", "tinycheck"}


def test_both_check(site, tiny, tmp_path):
    done = run(site, tiny[0] / "reference", "tinycheck", "--plain", "--device", "cpu")
    assert "Predicted: 10 of 10 automatic points." in done.stdout, done.stdout + done.stderr
    (tmp_path / "utils.py").write_text("def sigmoid(x): return x\n")
    done = run(site, tmp_path, "hw1check", "--plain", "--only", "utils.sigmoid")
    assert "utils.sigmoid: failed, 0 of 3 points." in done.stdout, done.stdout + done.stderr


def test_workers_run_the_kits_own_copy_too(site, tmp_path):
    """A copy that says something else than the one beside the libraries must be the one that speaks."""
    files = site / "hw1check_files/grader/worker"
    original = (files / "faults.py").read_text("utf-8")
    (tmp_path / "utils.py").write_text("def sigmoid(x): raise ValueError('no')\n")
    try:
        child = files / "child.py"
        before = child.read_text("utf-8")
        child.write_text(before.replace("type(error).__name__, text", "'Own' + type(error).__name__, text"), "utf-8")
        (files / "faults.py").write_text(original.replace(" raised {kind}", " has raised {kind}"), "utf-8")
        done = run(site, tmp_path, "hw1check", "--plain", "--only", "utils.sigmoid")
        assert "`sigmoid` has raised OwnValueError: no" in done.stdout, done.stdout + done.stderr
    finally:
        child.write_text(before, "utf-8")
        (files / "faults.py").write_text(original, "utf-8")


def test_a_script_runs_without_a_gpu(site, tmp_path):
    (tmp_path / "fill.py").write_text(
        "import numpy as np\nfrom numba import cuda\n\n@cuda.jit\ndef fill(a):\n    a[cuda.grid(1)] = 7\n\n"
        "a = np.zeros(4)\nfill[2, 2](a)\nprint(a)\n"
    )
    done = run(site, tmp_path, "hw1check", "run", "--trace", "1,0", "fill.py")
    assert "[7. 7. 7. 7.]" in done.stdout
    assert "writes a[2] = 7" in done.stdout + done.stderr
