"""The core knows no assignment: not by imports (test_architecture.py), and not by words either, examples included."""

import re
from pathlib import Path

import pytest

from grader.assignment import ASSIGNMENTS, DEFAULT, assignment_folders, load_assignment

CORE = ASSIGNMENTS.parent
KINDS = {".py", ".html", ".js", ".css", ".toml", ".txt"}
ELSEWHERE = ("cuda_cpu/bench",)
"""Programs that take the executor's times: they run kernels like those of an assignment, and grade nothing."""
LAYERS = {"hw1": ("784",)}  # assignment -> sizes that nobody would write down for another reason
CODE = {"submission.files", "Dataset", "Matrix", "cost", "gradients", "train"}
"""Check ids that are also an attribute of our own, and names of students that are also words of our own."""
ORDINARY = {"collectives", "dataset", "layers", "losses", "matrix", "network", "operations", "train"} | {
    *("forward", "gradients", "loss", "predict", "update")
}
"""Modules and functions of students whose names anybody uses."""


def texts() -> dict[str, str]:
    """Return name -> content of the package's files that belong to no assignment."""
    names = {path.relative_to(CORE).as_posix(): path for path in CORE.rglob("*") if path.suffix in KINDS}
    kept = {name: path for name, path in names.items() if not name.startswith(("assignments/", *ELSEWHERE))}
    return {name: path.read_text("utf-8") for name, path in kept.items()}


def words_of(name: str) -> set[str]:
    """Return what only an assignment says: its check ids, files, modules, functions and sizes."""
    assignment = load_assignment(name)
    ids = {row.id for row in assignment.rubric.criteria} - CODE
    modules = {Path(file).stem for file in assignment.files} - ORDINARY
    functions = {function for _module, function in assignment.graded} - CODE - ORDINARY
    staff = {path.stem for path in assignment.folder.glob("staff/*.py") if path.stem not in {"main", "right"}}
    own = {*ids, *assignment.files, *(modules - {name}), *functions, *(f"{stem}.py" for stem in staff)}
    return own | {*LAYERS.get(name, ()), assignment.rubric.title}


@pytest.mark.parametrize("name", [name for name in assignment_folders() if (ASSIGNMENTS / name).is_dir()])
def test_no_word_of_an_assignment_stands_in_the_core(name):
    pattern = re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, sorted(words_of(name))))})(?!\w)")
    found = {
        f"{file}:{number}: {match[1]}"
        for file, text in texts().items()
        for number, line in enumerate(text.splitlines(), 1)
        for match in pattern.finditer(line)
    }
    assert not found


def test_the_makefile_and_the_core_know_one_name_of_one_assignment_once():
    """It is the default, and stands in examples of what to type."""
    lines = (CORE.parent / "Makefile").read_text("utf-8").splitlines()
    named = [line for line in lines if DEFAULT in line and "@echo" not in line and " ## " not in line]
    assert named == [f"ASSIGNMENT ?= {DEFAULT}"]
    quoted = re.compile(rf"""["']{DEFAULT}["']""")
    assert [name for name, text in texts().items() if quoted.search(text)] == ["assignment.py"]
