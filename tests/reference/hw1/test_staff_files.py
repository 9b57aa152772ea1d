from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]
STAFF = REPOSITORY / "grader" / "assignments" / "hw1" / "staff"


@pytest.mark.parametrize("folder", ["reference/hw1", "student_template/hw1"])
@pytest.mark.parametrize("name", ["collect.py", "main.py", "network.py"])
def test_the_copy_is_the_file_that_grades(folder, name):
    assert (REPOSITORY / folder / name).read_bytes() == (STAFF / name).read_bytes()
