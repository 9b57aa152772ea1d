"""Part 1: does the network learn with the submitted utils?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from grader.assignments.hw1 import recipe
from grader.assignments.hw1.checks import test_utils
from grader.authoring import Background, Note, Setup, Student, StudentFault, StudentRaised, check
from grader.authoring.judges import slices
from grader.authoring.judges.training import TaughtElsewhere, expect_learning, limit_s
from grader.model import Threshold

MOST_REPLACED = 2
"""Of the five functions that the network uses, most have to be the student's own, and right."""


@check("train.accuracy", stage="awaits")
def test_train_accuracy(
    student: Student,
    training: Background,
    train: Callable[[Sequence[str]], Background],
    threshold: Threshold | None,
    setup: Setup,
    rng: np.random.Generator,
    note: Note,
) -> None:
    """The staff network, trained with your utils.py, recognises more than 95 % of the test images."""
    student.load("utils")
    student.expect_spelt("utils", *recipe.UTILS)
    fault = _fault_of(training, setup, note)
    is_enough = not fault and (not threshold or threshold.is_reached_by(note.facts["test_accuracy_percent"]))
    may_be_slip = not is_enough and not isinstance(fault, TaughtElsewhere)
    if may_be_slip and (replaced := _choose_replaced(student, rng, note)):
        fault = _fault_of(train(replaced), setup, note)
    if fault:
        raise fault
    slices.expect_closed(student, "utils", recipe.UTILS)


def _fault_of(training: Background, setup: Setup, note: Note) -> StudentFault | None:
    """Wait for a training, and note what it came to; return why it did not learn."""
    labels, settings = setup.dataset.test_labels, recipe.for_dataset(setup.dataset.name)
    steps = settings.epochs * len(setup.dataset.train_labels) // settings.batch_size
    most_s = limit_s(recipe.SIZES, settings.batch_size, steps)
    try:
        expect_learning(training, labels, settings.epochs, "utils.py", note, limit_s=most_s)
    except StudentFault as fault:
        return fault
    return None


def _choose_replaced(student: Student, rng: np.random.Generator, note: Note) -> list[str]:
    """Return the functions that are wrong, if the network can be trained with the staff's instead; tell the student.

    A mistake costs its own check, and no other. But what nobody has written yet is no mistake, and a training with
    hardly a function of the student's would not be theirs.
    """
    faults = {name: fault for name in recipe.UTILS if (fault := _find_fault(student, name, rng))}
    if not faults or any(_is_unwritten(fault) for fault in faults.values()):
        return []
    names, own = ", ".join(faults), ", ".join(f"utils.{name}" for name in faults)
    if len(faults) > MOST_REPLACED:
        hint = f"With at most {MOST_REPLACED} of them wrong, the staff's would stand in for these."
        note.remark(f"Wrong among the functions that the network uses: {names}. Repair them first.", hint=hint)
        return []
    note.fact("replaced_by_the_staffs", list(faults))
    verb = "is" if len(faults) == 1 else "are"
    note.remark(f"Trained with the staff's {names}, because yours {verb} wrong: see {own}.")
    return list(faults)


def _find_fault(student: Student, name: str, rng: np.random.Generator) -> StudentFault | None:
    """Return what the check of a function finds wrong with it; what it would tell the student is told there."""
    unread = Note()
    judges: dict[str, Callable[[], None]] = {
        "sigmoid": lambda: test_utils.test_sigmoid(student, rng, unread),
        "sigmoid_prime": lambda: test_utils.test_sigmoid_prime(student, rng, unread),
        "random_weights": lambda: test_utils.test_random_weights(student),
        "zeros_biases": lambda: test_utils.test_zeros_biases(student),
        "create_batches": lambda: test_utils.test_create_batches(student, rng, unread),
    }
    try:
        judges[name]()
    except StudentFault as fault:
        return fault
    return None


def _is_unwritten(fault: StudentFault) -> bool:
    """Whether a function is not there, or raises what the template raises."""
    return isinstance(fault, StudentRaised) and (
        fault.type_name == "NotImplementedError" or fault.finding.message.startswith("utils.py has no function")
    )
