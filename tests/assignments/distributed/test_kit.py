"""What students of distributed get: the checks with numbers in place of the solution, and what starts ranks."""

import distributed_numbers
import numpy as np
import pytest

from grader.assignment import load_assignment
from grader.kit.handout import collect, launcher
from grader.kit.settings import load_settings


@pytest.fixture(scope="module")
def settings():
    return load_settings(load_assignment("distributed"))


def test_the_numbers_are_those_of_the_solution():
    with np.load(distributed_numbers.PATH) as kept:
        made = distributed_numbers.make_numbers()
        assert {*kept} == {*made}
        for name, numbers in made.items():
            assert np.allclose(kept[name], numbers, rtol=1e-12, atol=0), name


def test_the_kit_has_student_editions_of_what_is_hidden(settings):
    files = collect(settings)
    folder = settings.assignment.folder
    for name in settings.hidden:
        assert files[f"assignments/distributed/{name}"] == (folder / "kit" / name).read_bytes()
    texts = "\n".join(data.decode() for name, data in files.items() if name.endswith(".py") and "distributed" in name)
    for secret in ("hidden * (1 - hidden)", "delta2 @ theta2", "delta2.T @"):
        assert secret not in texts
        assert secret in (folder / "solutions.py").read_text("utf-8")


def test_the_kit_starts_ranks_and_that_of_hw1_need_not(settings):
    assert "ranks/conductor.py" in collect(settings)
    assert b"mpi4py" in launcher("distributed", "x.whl", settings.needs.values())
    other = load_settings(load_assignment("hw1"))
    assert "ranks/conductor.py" not in collect(other)
    assert b"mpi4py" not in launcher("hw1", "x.whl", other.needs.values())
