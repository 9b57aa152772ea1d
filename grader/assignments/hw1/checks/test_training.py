"""Part 1: does the network learn with the submitted utils?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from grader.assignments.hw1 import recipe
from grader.authoring import Background, Note, Setup, Student, StudentFault, check, expect
from grader.authoring.judges import slices
from grader.authoring.judges.training import expect_learning, limit_s
from grader.model import Threshold

RTOL, ATOL = 1e-5, 1e-6


@check("train.accuracy", stage="awaits")
def test_train_accuracy(
    student: Student,
    training: Background,
    train: Callable[[bool], Background],
    threshold: Threshold | None,
    setup: Setup,
    note: Note,
) -> None:
    """The staff network, trained with your utils.py, recognises more than 95 % of the test images."""
    student.load("utils")
    student.expect_spelt("utils", *recipe.UTILS)
    labels, settings = setup.dataset.test_labels, recipe.for_dataset(setup.dataset.name)
    steps = settings.epochs * len(setup.dataset.train_labels) // settings.batch_size
    most_s = limit_s(recipe.SIZES, settings.batch_size, steps)
    fault = None
    try:
        expect_learning(training, labels, settings.epochs, "utils.py", note, limit_s=most_s)
    except StudentFault as found:
        fault = found
    is_enough = not fault and (not threshold or threshold.is_reached_by(note.facts["test_accuracy_percent"]))
    if not is_enough and _sigmoid_is_wrong(student):
        fault = None
        note.remark("Trained with the staff's sigmoid: yours is wrong, which costs utils.sigmoid alone.")
        expect_learning(train(True), labels, settings.epochs, "utils.py", note, limit_s=most_s)
    if fault:
        raise fault
    slices.expect_closed(student, "utils", recipe.UTILS)


def _sigmoid_is_wrong(student: Student) -> bool:
    x = np.linspace(-5, 5, 12).reshape(3, 4)
    try:
        expect("It", student.utils.sigmoid(x), 1 / (1 + np.exp(-x)), rtol=RTOL, atol=ATOL)
    except StudentFault:
        return True
    return False
