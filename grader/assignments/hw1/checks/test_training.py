"""Part 1: does the network learn with the submitted utils?"""

from __future__ import annotations

from grader.assignments.hw1 import recipe
from grader.authoring import Background, Note, Setup, Student, check
from grader.authoring.judges import slices
from grader.authoring.judges.training import expect_learning


@check("train.accuracy", stage="awaits")
def test_train_accuracy(student: Student, training: Background, setup: Setup, note: Note) -> None:
    """The staff network, trained with your utils.py, recognises more than 95 % of the test images."""
    student.load("utils")
    student.expect_spelt("utils", *recipe.UTILS)
    settings = recipe.for_dataset(setup.dataset.name)
    steps = settings.epochs * len(setup.dataset.train_labels) // settings.batch_size
    limit_s = recipe.training_limit_s(steps)
    expect_learning(training, setup.dataset.test_labels, settings.epochs, "utils.py", note, limit_s=limit_s)
    slices.expect_closed(student, "utils", recipe.UTILS)
