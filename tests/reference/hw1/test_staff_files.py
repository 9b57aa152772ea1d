"""What the course gives students is what it grades with, and what the reference has."""

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]
STAFF = REPOSITORY / "grader" / "assignments" / "hw1" / "staff"
REFERENCE, TEMPLATE = REPOSITORY / "reference" / "hw1", REPOSITORY / "student_template" / "hw1"


@pytest.mark.parametrize("folder", [REFERENCE, TEMPLATE], ids=["reference", "student_template"])
@pytest.mark.parametrize("name", ["collect.py", "network.py"])
def test_the_copy_is_the_file_that_grades(folder, name):
    assert (folder / name).read_bytes() == (STAFF / name).read_bytes()


def test_the_program_that_trains_is_the_same_in_both():
    assert (REFERENCE / "main.py").read_bytes() == (TEMPLATE / "main.py").read_bytes()
