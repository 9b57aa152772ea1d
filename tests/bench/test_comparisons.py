import numpy as np
import pytest
from nonempty import some

from grader.assignment import assignment_folders, load_assignment
from grader.bench.comparisons import load_comparisons, read_comparisons, read_works
from grader.errors import StaffError, UsageError

GOOD = """
[[comparison]]
id = "max"
title = "Maximum"
work = "maximum"
shape = [3, 4]
[[comparison.row]]
name = "CPU"
function = "max_functions.max_cpu"
"""
PYTHON = load_assignment("hw1").folder / "comparisons.py"
WORKS = read_works(PYTHON)
RIGHT = {"maximum": np.maximum, "self_product": lambda x: x @ x.T}


def test_the_sheet_compares_what_it_asks_for():
    found = load_comparisons(load_assignment("hw1"))
    assert {comparison.id: [row.name for row in comparison.rows] for comparison in found} == {
        "max": ["CPU", "Numba", "CUDA"],
        "matmul": ["NumPy", "Numba", "CUDA"],
    }
    assert [comparison.shape for comparison in found] == [(1000, 1000), (784, 128)]


def test_every_assignments_file_can_be_read():
    assignments = map(load_assignment, assignment_folders())
    for assignment in some(one for one in assignments if (one.folder / "comparisons.toml").exists()):
        assert load_comparisons(assignment)


def test_one_comparison_can_be_chosen():
    assert [each.id for each in load_comparisons(load_assignment("hw1"), "matmul")] == ["matmul"]
    with pytest.raises(UsageError, match="no comparison 'min': choose one of max, matmul"):
        load_comparisons(load_assignment("hw1"), "min")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"maximum"', '"minimum"', "use maximum, self_product"),
        ('"max_functions.max_cpu"', '"max_cpu"', "module.function"),
        ('name = "CPU"', 'name = "CPU"\ncalls = 0', "1 to 1000 calls"),
        ("title", "titel", "unknown field"),
        ("[3, 4]", "[3]", "shape"),
        ('id = "max"', "id = ", "comparisons.toml"),
    ],
)
def test_a_wrong_file_is_one_sentence(tmp_path, old, new, says):
    path = tmp_path / "comparisons.toml"
    path.write_text(GOOD.replace(old, new, 1))
    path.with_suffix(".py").write_bytes(PYTHON.read_bytes())
    with pytest.raises(StaffError, match=says):
        read_comparisons(path)


@pytest.mark.parametrize("work", WORKS)
def test_right_results_are_right_and_wrong_ones_are_not(work):
    kind = WORKS[work]
    inputs = kind.draw(np.random.default_rng(3), (7, 5))
    right = RIGHT[work](*inputs)
    assert kind.is_right(inputs, right)
    assert kind.is_right(inputs, right.tolist())
    for wrong in (right + 1, right[:-1], None, right * np.nan, "text"):
        assert not kind.is_right(inputs, wrong)


def test_inputs_are_fresh_each_time():
    rng = np.random.default_rng(3)
    draw = WORKS["maximum"].draw
    assert not np.array_equal(draw(rng, (9, 9))[0], draw(rng, (9, 9))[0])


def test_operations_by_the_book():
    assert WORKS["self_product"].operations((784, 128)) == 2 * 784 * 784 * 128


def test_a_python_file_that_fails_is_one_sentence(tmp_path):
    path = tmp_path / "comparisons.toml"
    path.write_text(GOOD)
    with pytest.raises(StaffError, match="comparisons.py cannot be imported: FileNotFoundError"):
        read_comparisons(path)
    path.with_suffix(".py").write_text("1 / 0")
    with pytest.raises(StaffError, match="cannot be imported: ZeroDivisionError"):
        read_comparisons(path)
    path.with_suffix(".py").write_text("maximum = max")
    with pytest.raises(StaffError, match="there is none"):
        read_comparisons(path)
