"""What is asked of scenarios of layers: launches of those runs that came to an end."""

import numpy as np
import pytest

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


def test_a_run_that_raises_costs_no_launches_of_the_others():
    runs = [(raising, {}, "linear.backward"), (right, {"Z": (Z, 1.0)}, "linear.forward")]
    assert launches_of(runs, Note()) == [[], [*LAUNCHES]]
    with pytest.raises(StudentFault, match="backward raised"):
        launches_of(runs[:1] * 2, Note())
