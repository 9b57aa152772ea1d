"""What is asked of scenarios of layers: launches of those runs that came to an end."""

from types import SimpleNamespace

import numpy as np
import pytest
from rows import each

from grader.assignments.layers import parts
from grader.assignments.layers.answers import launches_of
from grader.authoring import Note, StudentFault, fail
from grader.authoring.judges.scenarios import Launched, Scene
from grader.worker.runs import Run
from grader.worker.wire import Seen

Z = np.ones((2, 3))
LAUNCHES = (Launched("product", (1, 1, 1), (16, 16, 1), before=(0 * Z,), after=(Z,)),)


def right():
    return Run("forward", {"Z": Z}, Scene(Seen(), LAUNCHES))


def raising():
    fail("backward raised ValueError.")


@each("weights", {"all zero": np.zeros((5, 6)), "of another shape": np.arange(30.0).reshape(6, 5)})
def test_weights_of_no_use_are_found_before_a_training_needs_them(weights):
    with pytest.raises(StudentFault, match="nothing is learnt"):
        parts.WEIGHTS.judge(SimpleNamespace(run=lambda *_asked: SimpleNamespace(value={"W": weights})))


def test_a_run_that_raises_costs_no_launches_of_the_others():
    runs = [(raising, {}, "linear.backward"), (right, {"Z": (Z, 1.0)}, "linear.forward")]
    assert launches_of(runs, Note()) == [[], [*LAUNCHES]]
    with pytest.raises(StudentFault, match="backward raised"):
        launches_of(runs[:1] * 2, Note())
