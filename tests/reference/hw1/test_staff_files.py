"""What the course gives students is what it grades with, and what the reference has."""

import ast
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]
STAFF = REPOSITORY / "grader" / "assignments" / "hw1" / "staff"
REFERENCE, TEMPLATE = REPOSITORY / "reference" / "hw1", REPOSITORY / "student_template" / "hw1"


@pytest.mark.parametrize("folder", [REFERENCE, TEMPLATE], ids=["reference", "student_template"])
def test_the_network_is_the_one_that_grades(folder):
    assert (folder / "network.py").read_bytes() == (STAFF / "network.py").read_bytes()


def names_of(path):
    body = ast.parse(path.read_text("utf-8")).body
    bound = [node.targets for node in body if isinstance(node, ast.Assign)]
    functions = {node.name for node in body if isinstance(node, ast.FunctionDef)}
    return functions | {name.id for targets in bound for name in ast.walk(targets[0]) if isinstance(name, ast.Name)}


def test_a_file_that_imports_from_the_hand_outs_collect_can_be_imported_where_it_is_graded():
    public = {name for name in names_of(TEMPLATE / "collect.py") if not name.startswith("_")}
    assert "FILES" in public
    assert public - {"FILES"} == names_of(STAFF / "collect.py")


@pytest.mark.parametrize("name", ["main.py", "collect.py"])
def test_the_programs_that_train_are_the_same_in_both(name):
    assert (REFERENCE / name).read_bytes() == (TEMPLATE / name).read_bytes()
