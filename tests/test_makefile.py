"""What people give to `make` arrives as it was typed, and nothing in it is ever run."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import handins
import pytest

ROOT = Path(__file__).parents[1]
HOSTILE = "a`touch ran`$(touch ran)$(shell touch ran)${HOME}$$;touch ran&|>ran \"q\" 'r' \\ %s * # ש.zip"
STAND_IN = """\
#!{python}
import json, os, shutil, sys
with open("calls", "a") as calls:
    calls.write(json.dumps([sys.argv[1:], os.environ.get("GRADER_DATA", "")]) + "\\n")
if sys.argv[1:3] == ["-m", "venv"]:
    os.makedirs(sys.argv[3] + "/bin")
    shutil.copy(sys.argv[0], sys.argv[3] + "/bin/python")
"""
GIVEN = {
    "ASSIGNMENT": ("grade", "--assignment={}"),
    "SUBMISSION": ("grade", "{}"),
    "OUT": ("grade", "--out={}"),
    "DATA": ("grade", "--data={}"),
    "SUBMISSIONS": ("batch", "{}"),
    "STUDENTS": ("batch SUBMISSIONS=x", "--students={}"),
    "BACKEND": ("batch SUBMISSIONS=x", "--backend={}"),
    "WORKERS": ("batch SUBMISSIONS=x", "--workers={}"),
    "BATCH": ("rescore", "{}"),
    "RUBRIC": ("rescore BATCH=x", "--rubric={}"),
    "PROVISIONAL": ("merge BATCH=x", "{}"),
    "OLD": ("diff NEW=x", "{}"),
    "NEW": ("diff OLD=x", "{}"),
    "HTML": ("diff OLD=x NEW=x", "--html={}"),
    "CORES": ("bench", "--cores={}"),
    "FOR": ("package", "{}"),
    "FINAL": ("package FOR=x", "--final={}"),
    "ASSIGNMENTS": ("new", "--into={}"),
    "AGAINST": ("bench-versions", "--against={}"),
    "MARKS": ("test", "{}"),
    "SAMPLE": ("outcomes", "--sample={}"),
    "SEED": ("outcomes", "--seed={}"),
    "NUMBA": ("conformance", "numba=={}"),
}
"""Name -> a target that uses it, and the argument in which the program gets it."""

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="needs make")


@pytest.fixture
def checkout(tmp_path):
    """A folder with the Makefile and an environment whose Python only notes down what it is called with."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    os.utime(tmp_path / "pyproject.toml", (1, 1))
    (tmp_path / ".venv/bin").mkdir(parents=True)
    for program in (tmp_path / ".venv/bin/python", tmp_path / "python"):
        program.write_text(STAND_IN.format(python=sys.executable))
        program.chmod(0o755)
    for stamp in (".runtime", ".staff", ".dev", ".mpi"):
        (tmp_path / ".venv" / stamp).touch()
    return tmp_path


def make(folder, *words, **environment):
    plain = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    kept = {name: value for name, value in plain.items() if name not in {*GIVEN, "PYTHON", "ARGS"}}
    command = ["make", "--no-print-directory", *words]
    return subprocess.run(
        command, cwd=folder, env=kept | environment, capture_output=True, text=True, timeout=280, check=False
    )


def called(checkout):
    return [json.loads(line) for line in (checkout / "calls").read_text().splitlines()]


@pytest.mark.parametrize("name", GIVEN)
@pytest.mark.parametrize("on_command_line", [True, False])
def test_a_value_arrives_as_it_was_typed_and_is_not_run(checkout, name, on_command_line):
    target, form = GIVEN[name]
    given = {name: HOSTILE}
    words = [f"{name}={HOSTILE}"] if on_command_line else []
    done = make(checkout, *target.split(), "PYTHON=./python", *words, **({} if on_command_line else given))
    assert done.returncode == 0, done.stderr
    assert form.format(HOSTILE) in [argument for arguments, _data in called(checkout) for argument in arguments]
    assert not (checkout / "ran").exists()


def test_a_python_of_any_name_sets_up(checkout):
    shutil.rmtree(checkout / ".venv")
    shutil.move(checkout / "python", checkout / HOSTILE)
    assert make(checkout, "setup", f"PYTHON=./{HOSTILE}", "UV=").returncode == 0
    assert ["-m", "venv", ".venv"] in [arguments for arguments, _data in called(checkout)]
    assert not (checkout / "ran").exists()


def test_tests_get_a_data_folder_of_any_name(checkout):
    (checkout / HOSTILE).mkdir()
    assert make(checkout, "test", f"DATA={HOSTILE}").returncode == 0
    assert called(checkout)[-1][1] == str(checkout / HOSTILE)
    assert make(checkout, "test", "DATA=nowhere").returncode != 0


def test_no_data_folder_is_named_unless_somebody_names_one(checkout):
    for target in ("grade", "batch SUBMISSIONS=x", "doctor", "selftest", "package FOR=x"):
        assert make(checkout, *target.split()).returncode == 0
    assert not [argument for arguments, _data in called(checkout) for argument in arguments if "--data" in argument]


def test_further_options_are_words_of_the_shell(checkout):
    assert make(checkout, "grade", """ARGS=--only max --pytest="-k 'gpu or $HOME'" """, HOME="/here").returncode == 0
    assert called(checkout)[-1][0][-5:-2] == ["--only", "max", "--pytest=-k 'gpu or /here'"]


def test_the_reference_is_graded_where_no_submission_is_named(checkout):
    own = checkout / "my courses" / "axpy" / "reference"
    own.mkdir(parents=True)
    for words in (["ASSIGNMENT=axpy", "ASSIGNMENTS=my courses"], ["ASSIGNMENT=gemm"]):
        assert make(checkout, "grade", *words).returncode == 0
    assert [arguments[-1] for arguments, _data in called(checkout)] == ["my courses/axpy/reference", "reference/gemm"]


def test_outcomes_are_those_of_all_assignments_unless_one_is_named(checkout):
    for words in ([], ["ASSIGNMENT=hw1"]):
        assert make(checkout, "outcomes", *words).returncode == 0
    programs = [arguments for arguments, _data in called(checkout) if arguments[0] == "tests/outcomes"]
    assert programs == [["tests/outcomes", "--out=out"], ["tests/outcomes", "--out=out", "--assignment=hw1"]]


def test_what_has_to_be_named_is_asked_for(checkout):
    assert "Say which: make diff OLD=out/old NEW=out/new" in make(checkout, "diff", "OLD=x").stderr


def test_a_real_grading_takes_a_file_and_a_folder_of_any_name(checkout):
    shutil.rmtree(checkout / ".venv")
    (checkout / ".venv").symlink_to(Path(sys.prefix))
    (checkout / HOSTILE).write_bytes(handins.packed(handins.reference_files()))
    options = "ARGS=--only submission.files --sandbox limits --device cpu --format json"
    done = make(checkout, "grade", f"SUBMISSION={HOSTILE}", f"OUT=o {HOSTILE}", options)
    assert done.returncode == 0, done.stderr
    (written,) = (checkout / f"o {HOSTILE}").glob("*/results.json")
    assert written.parent.name == HOSTILE.removesuffix(".zip")
    assert not (checkout / "ran").exists()
