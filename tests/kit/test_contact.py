"""The first contact: whatever is missing, one sentence says so and names the command that helps."""

import os
import runpy
import shutil
import sys
from pathlib import Path

import pytest
from rows import each
from subprocesses import ended

from grader.commands.own import run
from grader.kit.handout import launcher
from grader.worker.launcher import Settings
from grader.worker.process import Limits

TEMPLATE = Path(__file__).parents[2] / "student_template/hw1"
OLD = (3, 9, 18, "final", 0)


@pytest.fixture
def start(tmp_path):
    path = tmp_path / "hw1check.py"
    path.write_bytes(launcher("hw1", "hw1check-1-py3-none-any.whl"))
    return path


def test_an_old_python_is_told_by_its_number(start, monkeypatch):
    monkeypatch.setattr(sys, "version_info", OLD)
    with pytest.raises(SystemExit, match="^Python 3.11 or newer is needed, and this is 3.9.*PYTHON=python3.12"):
        runpy.run_path(str(start), run_name="__main__")


def test_missing_packages_are_named_with_the_command_that_brings_them(start):
    done = ended([sys.executable, "-I", "-S", str(start)])
    assert done.returncode == 1
    assert "has no jinja2, msgspec, numba, numpy" in done.stderr
    assert "type: make setup   (without make: python -m pip install kit/hw1check-1-py3-none-any.whl)" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_python_without_packages_hands_over_to_the_one_that_make_setup_made(start):
    own = start.parent / ".venv/bin/python"
    own.parent.mkdir(parents=True)
    own.write_text('#!/bin/sh\necho "handed over: $*"\n')
    own.chmod(0o755)
    done = ended([sys.executable, "-I", "-S", str(start), "--only", "utils"])
    assert done.stdout == "handed over: -m hw1check --only utils\n", done.stderr


def told(capsys, *arguments):
    """Return the one line on stderr, after checking that it is one and that the exit code says wrong usage."""
    assert run("hw1", arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_a_wrong_folder_is_named_and_the_right_one_if_it_lies_inside(tmp_path, capsys):
    assert "go to the folder that you unzipped, or name it" in told(capsys, str(tmp_path))
    shutil.copytree(TEMPLATE, tmp_path / "hw1")
    assert f"go there with `cd {tmp_path / 'hw1'}`" in told(capsys, str(tmp_path))
    assert "there is no folder nowhere, nor a command" in told(capsys, "nowhere")
    assert "is a file: name the folder that it is in" in told(capsys, str(tmp_path / "hw1/utils.py"))
    (tmp_path / "hw1check.py").touch()
    assert all(part in told(capsys, "zip", str(tmp_path)) for part in ("there is none of utils.py", "move them here"))


@each(
    "word, answer",
    ("sigmoid", "did you mean utils.sigmoid or utils.sigmoid_prime?"),
    ("max_gpu", "did you mean max.gpu.correct or max.gpu.launch or max.gpu.speedup?"),
    ("utils.zeros", "did you mean utils.zeros_weights or utils.zeros_biases?"),
    ("utils.sigmiod", "did you mean utils.sigmoid or utils.sigmoid_prime?"),
    ("everything", "the checks are utils.sigmoid, "),
)
def test_an_unknown_check_is_answered_with_those_that_are_alike(capsys, word, answer):
    assert f"there is no check {word!r}: {answer}" in told(capsys, "check", str(TEMPLATE), "--only", word)


def test_a_data_folder_with_holes_is_named(tmp_path, capsys):
    data = tmp_path / "data"
    data.mkdir()
    (data / "t10k-labels-idx1-ubyte").write_bytes(b"")
    line = told(capsys, str(TEMPLATE), "--data", str(data), "--only", "train")
    assert "lacks t10k-images-idx3-ubyte" in line
    assert "run `make data`" in line


def test_windows_itself_is_sent_to_wsl_for_checks(monkeypatch, capsys):
    monkeypatch.setattr(sys, "platform", "win32")
    assert "install WSL" in told(capsys, str(TEMPLATE))


def test_the_zip_is_made_on_windows_too(monkeypatch, tmp_path, capsys):
    for name in ("utils.py", "max_functions.py", "matmul_functions.py"):
        shutil.copy(TEMPLATE / name, tmp_path)
    (tmp_path / "hw1.pdf").write_bytes(b"%PDF-1.7\n")
    monkeypatch.setattr(sys, "platform", "win32")
    for name in ("O_NOFOLLOW", "O_NONBLOCK"):
        monkeypatch.delattr(os, name)
    assert run("hw1", ["zip", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "hw1.zip is written" in said
    assert "still to be written: sigmoid" in said
    assert "The score to expect is not known here: checks need Linux, macOS or WSL." in said


def test_elsewhere_than_on_linux_no_address_space_is_limited(monkeypatch):
    settings = Settings(Path(), Path())
    assert settings.address_space_bytes == Limits().address_space_bytes > 0
    monkeypatch.setattr(sys, "platform", "darwin")
    assert settings.address_space_bytes == 0


def test_the_command_line_needs_nothing_of_unix_before_it_knows_the_system():
    """On Windows fcntl and resource do not exist: whoever only wants the zip must not be stopped by that."""
    code = (
        "import sys; sys.modules['fcntl'] = sys.modules['resource'] = None\n"
        "from grader.commands.own import run\n"
        "sys.platform = 'win32'\n"
        f"sys.exit(run('hw1', ['check', {str(TEMPLATE)!r}]))"
    )
    done = ended([sys.executable, "-c", code])
    assert (done.returncode, "install WSL" in done.stderr) == (2, True), done.stderr
