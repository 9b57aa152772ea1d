"""What checks import: a submission's failure is an answer, ours is none."""

import pytest

from grader.authoring import StudentFault, WorkerError, attempt
from grader.model import Finding


@pytest.mark.parametrize("error", [StudentFault(Finding("It raised.")), KeyError("W"), ValueError("a shape")])
def test_an_attempt_that_fails_has_the_other_answer(error):
    def ask():
        raise error

    assert attempt(ask, "otherwise") == "otherwise"
    assert attempt(lambda: "itself", "otherwise") == "itself"


def test_our_own_failure_in_an_attempt_is_no_answer():
    def ask():
        raise WorkerError

    with pytest.raises(WorkerError):
        attempt(ask, "otherwise")
