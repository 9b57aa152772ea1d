"""One mistake costs one check: a wrong sigmoid is replaced where others call it."""

import handins
import pytest

from grader.assignment import load_assignment
from grader.grading import Options, grade

REMARK = "It is right with the staff's sigmoid: yours is wrong, which costs utils.sigmoid alone."


@pytest.fixture
def graded(tmp_path):
    """Return a function that grades changed utils: check -> result."""

    def run(text):
        change = handins.change_of("mistakes", "utils", text).applied() if text.isidentifier() else text.encode()
        (tmp_path / "utils.py").write_bytes(change)
        options = Options(seed=handins.SEED, device="cpu", only=("utils.sigmoid", "utils.sigmoid_prime"))
        report = grade(tmp_path, load_assignment("hw1"), options)
        return {result.criterion.id: result for result in report.results if result.observation.sentence}

    return run


def test_a_derivative_that_calls_a_wrong_sigmoid_is_right_and_says_so(graded):
    results = graded("sigmoid_without_parentheses")
    assert results["utils.sigmoid"].points_high == 0
    assert results["utils.sigmoid_prime"].points_low == 3
    assert [remark.message for remark in results["utils.sigmoid_prime"].observation.remarks] == [REMARK]


def test_a_wrong_derivative_stays_wrong(graded):
    source = (handins.REFERENCE / "utils.py").read_text("utf-8")
    wrong = f"{source}\n\ndef sigmoid(x):\n    return np.tanh(x)\n\n\ndef sigmoid_prime(x):\n    return sigmoid(x)\n"
    results = graded(wrong)
    assert [result.points_high for result in results.values()] == [0, 0]
