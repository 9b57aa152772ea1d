"""What docs/assignment.md says, done word by word: its files are written, its commands typed, in its order."""

import csv
import os
import re
import shutil
import sys
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from rows import some
from subprocesses import ended

from grader.assignment import load_assignment
from grader.authoring.session import collect_checks
from grader.bench.model import load_comparisons
from grader.commands.authors import make_scaffold
from grader.errors import UsageError
from grader.grading import Options, grade
from grader.kit.handout import collect
from grader.kit.settings import load_settings
from grader.sandbox.levels import choose_launcher
from grader.trial.selftest import run_trials

pytestmark = pytest.mark.wide

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/assignment.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MADE = {"tiny": "functions", "sums": "classes", "ring": "ranks"}  # the page's assignments, and of which kind they are
MOST_LINES = 120  # of what an author writes for a small homework: solution, template, checks, mistakes and settings
NEEDS_A_NETWORK = ("python3 -m venv ", "out/tiny/.venv/bin/python -m pip install ")
"""Commands that set up the kit's environment: this one has its libraries already."""
INHERITED = ("PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_VISIBLE_DEVICES")


def files() -> dict[str, str]:
    return {path: text for _kind, path, text in BLOCK.findall(PAGE) if path}


def commands() -> list[str]:
    return [line for kind, _path, text in BLOCK.findall(PAGE) if kind == "sh" for line in text.splitlines()]


def write_files(folder: Path) -> Path:
    for name, kind in MADE.items():
        make_scaffold(name, folder / "courses", kind)
    return folder / "courses/tiny"


def set_up_python(folder: Path, search: str = "") -> None:
    """Let `folder`/bin/python be this Python, with the folder `search` before all others."""
    (folder / "bin").mkdir(parents=True)
    program = folder / "bin/python"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{search}" exec "{sys.executable}" "$@"\n')
    program.chmod(0o755)


@dataclass
class Maintainer:
    """Somebody in a copy of the project that has nothing but the Makefile and an environment that is set up."""

    folder: Path
    said: dict[str, str] = field(default_factory=dict)  # command -> what it printed

    def __post_init__(self) -> None:
        for name in ("Makefile", "pyproject.toml"):
            shutil.copyfile(ROOT / name, self.folder / name)
        set_up_python(self.folder / ".venv")
        for name in (".runtime", ".staff"):
            (self.folder / ".venv" / name).touch()

    def type(self, command: str) -> None:
        if command.startswith(NEEDS_A_NETWORK):
            self._set_up_kit()
            return
        environment = {name: os.environ[name] for name in INHERITED if name in os.environ}
        done = ended(["bash", "-c", command], cwd=self.folder, env=environment)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        self.said[command] = done.stdout

    def _set_up_kit(self) -> None:
        kit = self.folder / "out/tiny"
        if not (kit / ".venv").exists():
            (wheel,) = (kit / "kit").glob("tinycheck-*.whl")
            zipfile.ZipFile(wheel).extractall(kit / "site")
            set_up_python(kit / ".venv", str(kit / "site"))

    def table(self) -> dict[str, str]:
        """Return student -> score of the grade sheet."""
        with (self.folder / "out/handins/grades.csv").open(encoding="utf-8-sig", newline="") as file:
            return {row["student"]: row["score"] for row in csv.DictReader(file)}


def test_the_page_shows_files_as_they_are_and_fits_on_few_screens(tmp_path):
    write_files(tmp_path)
    assert len(files()) == 4
    assert {name: (tmp_path / name).read_text("utf-8") for name in files()} == files()
    assert len(PAGE.splitlines()) <= 220
    assert not set(NEEDS_A_NETWORK) - {name for name in NEEDS_A_NETWORK for line in commands() if line.startswith(name)}


@pytest.mark.parametrize("name", ["sums", pytest.param("ring", marks=pytest.mark.slow)])
def test_a_homework_of_classes_or_ranks_is_small_and_does_what_it_says(tmp_path, monkeypatch, name):
    write_files(tmp_path)
    monkeypatch.setenv("ASSIGNMENTS", str(tmp_path / "courses"))
    own = [path for path in (tmp_path / "courses" / name).rglob("*") if path.is_file()]
    assert sum(len(path.read_text("utf-8").splitlines()) for path in own) <= MOST_LINES
    if name == "ring":
        pytest.importorskip("mpi4py")
    trials = list(run_trials(load_assignment(name), Options(device="cpu", seed=1)))
    assert [trial.problem for trial in trials if trial.problem] == []
    assert sum("mistake" in trial.what for trial in trials) == 2


def test_its_files_are_an_assignment_that_gives_nothing_away(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSIGNMENTS", str(write_files(tmp_path).parent))
    assignment = load_assignment("tiny")
    assert [row.id for row in assignment.rubric.criteria] == ["add.cpu", "add.gpu", "add.launch"]
    assert [comparison.id for comparison in load_comparisons(assignment)] == ["add"]
    collect_checks(assignment.checks)
    given = {name for name in collect(load_settings(assignment)) if name.startswith("assignments/")}
    own = {"assignment.toml", "checks/test_tiny.py", "comparisons.py", "comparisons.toml", "kit.toml", "rubric.toml"}
    assert given == {"assignments/__init__.py", *(f"assignments/tiny/{name}" for name in own)}


HELPER = """
from pathlib import Path

def look(number):
    found = {}
    for path in (Path(__file__), *(Path(__file__).parents[1] / name for name in NAMES)):
        try:
            found[f"{path.parent.name}/{path.name}"] = bool(path.read_bytes())
        except OSError:
            found[f"{path.parent.name}/{path.name}"] = False
    return number, found
"""
CHECK = """

@check("add.staff")
def test_staff(student, note):
    number, found = student.ask_whole("helper", "look", (42,)).value
    note.fact("number", number)
    note.fact("found", found)
"""


@pytest.mark.parametrize("level", ["full", "landlock"])
def test_a_worker_may_read_the_staff_folder_and_nothing_else_of_the_assignment(tmp_path, level):
    try:
        choose_launcher(level, "cpu")
    except UsageError as error:
        pytest.skip(str(error))
    folder = write_files(tmp_path)
    (folder / "staff").mkdir()
    checks = f"checks/test_{level}.py"  # a name of its own: pytest keeps imported test modules
    closed = (checks, "reference/tiny.py", "template/tiny.py")
    (folder / "staff/helper.py").write_text(HELPER.replace("NAMES", repr(("rubric.toml", *closed))))
    (folder / "checks/test_tiny.py").rename(folder / checks)
    with (folder / checks).open("a") as file:
        file.write(CHECK)
    rubric = (folder / "rubric.toml").read_text("utf-8")
    row = '    { id = "add.staff", part = "Staff", points = 0 },\n]'
    (folder / "rubric.toml").write_text(rubric.replace("\n]", f"\n{row}"))
    options = Options(device="cpu", sandbox=level, only=("add.staff",))
    report = grade(folder / "reference", load_assignment("tiny", root=folder.parent), options)
    (observed,) = report.evidence.observations
    assert observed.facts == {
        "number": 42,
        "found": {"staff/helper.py": True, "tiny/rubric.toml": False, **dict.fromkeys(closed, False)},
    }


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="the page's commands need make")
def test_its_commands_do_what_it_says(tmp_path):
    try:
        choose_launcher("auto", "cpu")
    except UsageError as error:
        pytest.skip(str(error))
    maintainer = Maintainer(tmp_path)
    folder = tmp_path / "courses/tiny"
    for command in commands():
        if "ASSIGNMENT=ring" in command:
            continue  # it needs MPI, and the same is tried above
        if command.startswith("make rescore"):
            assert maintainer.table() == {"ada": "10", "bob": "0"}
            rubric = (folder / "rubric.toml").read_text("utf-8")
            changed = rubric.replace("total = 10", "total = 12").replace("points = 2", "points = 4")
            (folder / "rubric.toml").write_text(changed, "utf-8")
        maintainer.type(command)
        if command.startswith("make rescore"):
            assert maintainer.table() == {"ada": "12", "bob": "0"}
            (folder / "rubric.toml").write_text(rubric, "utf-8")
    _expect_said(maintainer.said)
    table = (tmp_path / "out/bench/bench.csv").read_text("utf-8").splitlines()
    assert [line.split(",")[:3] for line in table[1:]] == [["add", "CPU", "1"], ["add", "CUDA", "1"]]
    assert not [line for line in table if "wrong result" in line or "raised" in line]
    with zipfile.ZipFile(tmp_path / "out/tiny-handout.zip") as packed:
        names = {name for name in packed.namelist() if "/kit/" not in name}
    assert names == {"tiny/tiny.py", "tiny/tinycheck.py", "tiny/Makefile", "tiny/README.md"}
    assert zipfile.ZipFile(tmp_path / "out/tiny/tiny.zip").namelist() == ["tiny.py"]


def _expect_said(said: dict[str, str]) -> None:
    reference, template = (text for command, text in said.items() if command.startswith("make grade"))
    assert "Score: 10 of 10" in reference
    assert "digits" not in reference, "no check reads a data set"
    assert "Score: 0 of 10" in template
    for text in some(text for command, text in said.items() if command.startswith("make selftest")):
        assert "Everything is as it has to be." in text
    (predicted,) = (text for command, text in said.items() if "tinycheck check" in command)
    assert "Predicted: 10 of 10" in predicted


def test_the_page_names_no_file_that_is_not_there():
    for name in some(re.findall(r"`((?:grader|tests|student_template)/[\w/.]+)`", PAGE)):
        assert (ROOT / name).exists(), name
