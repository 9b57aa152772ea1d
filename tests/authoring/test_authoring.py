"""What checks import: a submission's failure is an answer, ours is none; files that are missing; derivatives."""

from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from rows import each

from grader.authoring import Note, Sources, StudentFault, WorkerError, attempt
from grader.authoring.judges import networks
from grader.model import Finding, Submission

LOST = "Without hw1.pdf, its points are lost."


@each("error", [StudentFault(Finding("It raised.")), KeyError("W"), ValueError("a shape"), WorkerError()])
def test_an_attempt_that_fails_has_the_other_answer_unless_the_failure_is_ours(error):
    def ask():
        raise error

    with pytest.raises(WorkerError) if isinstance(error, WorkerError) else nullcontext():
        assert attempt(ask, "otherwise") == "otherwise"
    assert attempt(lambda: "itself", "otherwise") == "itself"


@each(
    "missing, spare, said",
    (("hw1.pdf",), (), LOST),
    (("hw1.pdf",), ("main.py", "README.md"), LOST),
    (("utils.py", "hw1.pdf"), (), "Without utils.py and hw1.pdf, their points are lost."),
    (("hw1.pdf",), ("report.pdf",), "A TA decides whether 'report.pdf' is meant by hw1.pdf."),
    (("utils.py", "hw1.pdf"), ("util.py",), f"{LOST} A TA decides whether 'util.py' is meant by utils.py."),
)
def test_the_points_of_a_missing_file_are_lost_unless_another_may_be_meant(missing, spare, said):
    sources = Sources(Path(), Submission("", "", missing=missing, spare=spare))
    with pytest.raises(StudentFault) as raised:
        sources.expect_complete(Note())
    assert raised.value.finding.message == f"Missing: {', '.join(missing)}."
    assert raised.value.finding.hint == said


X = np.linspace(-30, 30, 61)


@each(
    "value, slope",
    (lambda x: 1 / (1 + np.exp(-x)), np.exp(-X) / (1 + np.exp(-X)) ** 2),
    (np.sin, np.cos(X)),
    (lambda x: x**3, 3 * X**2),
)
def test_a_step_along_the_imaginary_axis_gives_the_derivative_to_the_last_digits(value, slope):
    np.testing.assert_allclose(networks.differentiate_analytic(value, X), slope, rtol=1e-14, atol=1e-15)


def test_a_number_has_a_derivative_by_each_entry():
    x = X[:6].reshape(2, 3)
    slopes = networks.differentiate_number(lambda one: complex((one**3).sum() * one[0, 0]), x)
    right = 3 * x**2 * x[0, 0]
    right[0, 0] += (x**3).sum()
    np.testing.assert_allclose(slopes, right, rtol=1e-13)
