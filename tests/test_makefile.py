"""What people give to `make` arrives as it was typed, and nothing in it is ever run."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

import handins
import psutil
import pytest
from waiting import wait_until

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
FORMS = {
    "grade": {"ASSIGNMENT": "--assignment={}", "SUBMISSION": "{}", "OUT": "--out={}", "DATA": "--data={}"},
    "batch SUBMISSIONS=x": {"STUDENTS": "--students={}", "BACKEND": "--backend={}", "WORKERS": "--workers={}"},
    "outcomes": {"SAMPLE": "--sample={}", "SEED": "--seed={}"},
}
FORMS |= {"batch": {"SUBMISSIONS": "{}"}, "rescore": {"BATCH": "{}"}, "merge BATCH=x": {"PROVISIONAL": "{}"}}
FORMS |= {"diff NEW=x": {"OLD": "{}"}, "diff OLD=x": {"NEW": "{}"}, "package": {"FOR": "{}"}, "test": {"MARKS": "{}"}}
FORMS |= {"rescore BATCH=x": {"RUBRIC": "--rubric={}"}, "diff OLD=x NEW=x": {"HTML": "--html={}"}}
FORMS |= {
    "package FOR=x": {"FINAL": "--final={}"},
    "bench": {"CORES": "--cores={}"},
    "new": {"ASSIGNMENTS": "--into={}"},
}
FORMS |= {"bench-versions": {"AGAINST": "--against={}"}, "conformance": {"NUMBA": "numba=={}"}}
"""Target -> names that it uses, and the argument in which the program gets each."""
GIVEN = {name: (target, form) for target, forms in FORMS.items() for name, form in forms.items()}

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


def begin(folder, *words, **environment):
    plain = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    kept = {name: value for name, value in plain.items() if name not in {*GIVEN, "PYTHON", "ARGS"}}
    command = ["make", "--no-print-directory", *words]
    return subprocess.Popen(command, cwd=folder, env=kept | environment, stdout=PIPE, stderr=PIPE, text=True)


def make(folder, *words, **environment):
    with begin(folder, *words, **environment) as running:
        out, err = running.communicate(timeout=280)
    return subprocess.CompletedProcess(running.args, running.returncode, out, err)


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


def test_no_data_folder_is_named_unless_somebody_names_one_of_any_name(checkout):
    for target in ("grade", "batch SUBMISSIONS=x", "doctor", "selftest", "package FOR=x"):
        assert make(checkout, *target.split()).returncode == 0
    assert not [argument for arguments, _data in called(checkout) for argument in arguments if "--data" in argument]
    (checkout / HOSTILE).mkdir()
    assert make(checkout, "test", f"DATA={HOSTILE}").returncode == 0
    assert called(checkout)[-1][1] == str(checkout / HOSTILE)
    assert make(checkout, "test", "DATA=nowhere").returncode != 0


def test_the_reference_is_graded_where_nothing_is_named_and_further_options_are_words_of_the_shell(checkout):
    (checkout / "my courses" / "axpy" / "reference").mkdir(parents=True)
    for words in (["ASSIGNMENT=axpy", "ASSIGNMENTS=my courses"], ["ASSIGNMENT=gemm"]):
        assert "this grades the reference" in make(checkout, "grade", *words).stderr
    assert [arguments[-1] for arguments, _data in called(checkout)] == ["my courses/axpy/reference", "reference/gemm"]
    assert make(checkout, "grade", """ARGS=--only max --out="a b $HOME" """, HOME="/here").returncode == 0
    assert called(checkout)[-1][0][-5:-2] == ["--only", "max", "--out=a b /here"]


@pytest.mark.parametrize("target", ["grade", "bench"])
def test_only_who_names_no_submission_is_told_that_it_is_the_reference(checkout, target):
    verb = {"grade": "grades", "bench": "measures"}[target]
    said = f"No SUBMISSION=... is given: this {verb} the reference, reference/gemm\n"
    done = make(checkout, target, "ASSIGNMENT=gemm")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", said)
    assert make(checkout, target, "SUBMISSION=mine.zip").stderr == ""


def test_outcomes_are_those_of_all_assignments_unless_one_is_named(checkout):
    for words in ([], ["ASSIGNMENT=hw1"]):
        assert make(checkout, "outcomes", *words).returncode == 0
    programs = [arguments for arguments, _data in called(checkout) if arguments[0] == "tests/outcomes"]
    assert programs == [["tests/outcomes", "--out=out"], ["tests/outcomes", "--out=out", "--assignment=hw1"]]


def test_help_lists_what_is_needed_every_day_help_all_every_target_and_what_has_to_be_named_is_asked_for(checkout):
    written = set(re.findall(r"^([a-z-]+):.*?## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    answers = (make(checkout, name).stdout for name in ("help", "help-all"))
    some, every = (re.findall(r"^  make ([a-z-]+) ", answer, re.MULTILINE) for answer in answers)
    assert {"grade", "batch", "review", "test"} <= set(some) < written
    assert len(some) <= 18
    assert set(every) == written
    assert "Say which: make diff OLD=out/old NEW=out/new" in make(checkout, "diff", "OLD=x").stderr


def test_a_real_grading_takes_a_file_and_a_folder_of_any_name(checkout):
    shutil.rmtree(checkout / ".venv")
    (checkout / ".venv").symlink_to(Path(sys.prefix))
    (checkout / HOSTILE).write_bytes(handins.packed(handins.reference_files()))
    options = "ARGS=--only submission.files --sandbox limits --device cpu"
    done = make(checkout, "grade", f"SUBMISSION={HOSTILE}", f"OUT=o {HOSTILE}", options)
    assert done.returncode == 0, done.stderr
    (written,) = (checkout / f"o {HOSTILE}").glob("*/results.json")
    assert written.parent.name == HOSTILE.removesuffix(".zip")
    assert not (checkout / "ran").exists()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked for in /proc")
@pytest.mark.parametrize("target", ["grade SUBMISSION=slow", "batch SUBMISSIONS=class"])
def test_sigterm_to_make_ends_the_grader_and_nothing_stays(checkout, target):
    shutil.rmtree(checkout / ".venv")
    (checkout / ".venv").symlink_to(Path(sys.prefix))
    for folder in ("slow", "class/one"):
        (checkout / folder).mkdir(parents=True)
        (checkout / folder / "utils.py").write_text("import time\ntime.sleep(60)\n")
    temporary = checkout / "temporary"
    temporary.mkdir()
    options = "ARGS=--sandbox limits --device cpu"
    with begin(checkout, *target.split(), options, "DATA=digits", TMPDIR=str(temporary)) as running:
        wait_until(lambda: list(temporary.glob("grader-worker-*")))
        running.terminate()
        said = running.communicate(timeout=60)[1]
    assert ("Stopped. " if "batch" in target else "grader: stopped before it was finished\n") in said
    wait_until(lambda: not list(temporary.iterdir()))
    wait_until(lambda: not [process for process in psutil.process_iter(["environ"]) if mentions(process, temporary)])


def mentions(process, folder):
    return str(folder) in ((process.info["environ"] or {}).get("TMPDIR", ""))
