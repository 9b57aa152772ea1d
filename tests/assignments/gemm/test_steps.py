"""Which copies between host and device count against a product of views."""

import numpy as np

from grader.assignments.gemm.steps import count_copies
from grader.authoring import Note, Run, Seen
from grader.authoring.judges.scenarios import Scene

A, B, C, DONE = (np.full((8, 9), float(number)) for number in range(4))
OWN_OF_A_GPU = [("to device", A), ("to device", B), ("to device", C), ("to host", DONE)]


def count(*copies):
    run = Run("`gemm`", {}, Scene(Seen(), copies=copies))
    return count_copies(run.compared(lambda _value: None, Note()), (A, B, C))


def test_matrices_that_travel_count_and_settings_and_the_scenarios_own_copies_do_not():
    assert count(*OWN_OF_A_GPU) == 0
    assert count(("to host", DONE)) == 0, "elsewhere than on a GPU"
    assert count(("to device", np.array([1.0, 0.5])), *OWN_OF_A_GPU) == 0
    assert count(("to host", A), ("to device", 2 * B + 5), *OWN_OF_A_GPU) == 2
    assert count(("to host", A), ("to device", A), ("to host", DONE)) == 1
