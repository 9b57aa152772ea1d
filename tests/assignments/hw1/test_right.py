"""One mistake costs one check: the staff's functions stand in for wrong ones where others need them."""

import ast

import handins
import pytest

from grader.assignment import load_assignment
from grader.grading import Options, grade
from grader.model import Outcome
from grader.trial.changes import replaced

pytestmark = pytest.mark.wide

HW1 = load_assignment("hw1")
REMARK = "Wrong, or not followed, and judged by checks of their own: {}; here the staff's versions run in their place."
RIGHT = (handins.REFERENCE / "utils.py").read_text("utf-8")
TEMPLATE = (handins.TEMPLATE / "utils.py").read_text("utf-8")
WRONG = {
    "sigmoid": "def sigmoid(x):\n    return np.tanh(x)\n",
    "sigmoid_prime": "def sigmoid_prime(x):\n    return x * (1 - x)\n",
    "random_weights": "def random_weights(sizes):\n    return [xavier_initialization(n, n) for n in sizes]\n",
    "zeros_biases": "def zeros_biases(sizes):\n    return [np.zeros(n) for n in sizes[:-1]]\n",
    "create_batches": "def create_batches(data, labels, batch_size):\n    return [(data[0], labels[0])]\n",
}


@pytest.fixture
def graded(tmp_path):
    """Return a function that grades a text as utils.py: check -> result."""

    def run(text, *only):
        (tmp_path / "utils.py").write_text(text, "utf-8")
        report = grade(tmp_path, HW1, Options(seed=handins.SEED, device="cpu", only=only))
        return {result.criterion.id: result for result in report.results if result.observation.sentence}

    return run


def with_wrong(*names):
    return "\n\n".join([RIGHT, *(WRONG[name] for name in names)])


def failed(results):
    return {check.partition(".")[2] for check, result in results.items() if result.outcome is not Outcome.PASSED}


def said(result):
    return [remark.message for remark in result.observation.remarks]


def test_a_derivative_that_calls_a_wrong_sigmoid_is_right_and_says_so_and_a_wrong_one_stays_wrong(graded):
    text = handins.change_of("mistakes", "utils", "sigmoid_without_parentheses").applied().decode()
    results = graded(text, "utils.sigmoid", "utils.sigmoid_prime")
    assert (results["utils.sigmoid"].points_high, results["utils.sigmoid_prime"].points_low) == (0, 3)
    assert said(results["utils.sigmoid_prime"]) == [REMARK.format("`utils.sigmoid`")]
    wrong = f"{with_wrong('sigmoid')}\n\ndef sigmoid_prime(x):\n    return sigmoid(x)\n"
    results = graded(wrong, "utils.sigmoid", "utils.sigmoid_prime")
    assert [result.points_high for result in results.values()] == [0, 0]
    overwriting = f"{RIGHT}\n\ndef sigmoid(x):\n    x *= -1\n    return 1 / (1 + np.exp(x))\n"
    results = graded(overwriting, "utils.sigmoid", "utils.sigmoid_prime")
    assert [result.points_low for result in results.values()] == [3, 3]


@pytest.mark.parametrize(
    "names",
    [
        ("random_weights", "zeros_biases"),
        *(pytest.param((name,), marks=pytest.mark.slow) for name in WRONG),
        pytest.param(("sigmoid", "create_batches"), marks=pytest.mark.slow),
    ],
)
def test_a_wrong_function_costs_its_own_check_and_not_the_training(graded, names):
    results = graded(with_wrong(*names), "utils", "train")
    assert failed(results) == {*names}
    training = results["train.accuracy"]
    assert training.points_low == 11
    assert said(training) == [REMARK.format(", ".join(f"`utils.{name}`" for name in names))]
    assert training.observation.facts["replaced_by_the_staffs"] == [f"utils.{name}" for name in names]


def test_a_training_with_hardly_a_right_function_or_with_junk_in_every_one_earns_nothing(graded):
    results = graded(with_wrong("sigmoid", "zeros_biases", "create_batches"), "train")
    assert results["train.accuracy"].points_high == 0
    assert said(results["train.accuracy"]) == [
        "Wrong functions that the network uses: sigmoid, zeros_biases, create_batches. Repair them first."
    ]
    names = [node.name for node in ast.parse(TEMPLATE).body if isinstance(node, ast.FunctionDef)]
    junk = "\n\n".join(f"def {name}(*args):\n    return 0\n" for name in names if name != "xavier_initialization")
    assert {result.points_high for result in graded(f"{TEMPLATE}\n\n{junk}", "utils", "train").values()} == {0}


@pytest.mark.slow
def test_no_mistake_excuses_a_network_that_knows_before_it_learns(graded):
    attack = handins.change_of("attacks", "utils", "pretrained_weights")
    results = graded(replaced(RIGHT, attack.text), "utils.random_weights", "train")
    assert [result.points_high for result in results.values()] == [0, 0]
    assert "it did not learn that here" in results["train.accuracy"].finding.message
    assert said(results["train.accuracy"]) == []


@pytest.mark.parametrize("unwritten", ["sigmoid", pytest.param("zeros_biases", marks=pytest.mark.slow)])
def test_what_is_not_written_yet_is_neither_wrong_nor_replaced(graded, unwritten):
    written = f"{RIGHT}\n\ndef {unwritten}(x):\n    raise NotImplementedError('fill this in')\n"
    training = graded(f"{written}\n\n{WRONG['sigmoid_prime']}", "train")["train.accuracy"]
    assert training.points_high == 0
    assert "raised NotImplementedError: fill this in" in training.finding.message
    assert said(training) == []
