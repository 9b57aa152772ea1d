"""Part 1: does the network learn with the submitted utils?"""

from collections.abc import Callable
from functools import partial
from inspect import signature
from itertools import pairwise
from typing import Any

import numpy as np

from grader.assignments.hw1 import recipe
from grader.assignments.hw1.checks import test_utils
from grader.authoring import Array, Background, Note, Setup, Student, StudentFault, StudentRaised, check
from grader.authoring.comparison import as_array
from grader.authoring.judges import slices
from grader.authoring.judges.substitutes import Runner
from grader.authoring.judges.training import TaughtElsewhere, expect_learning, limit_s
from grader.model import Threshold

MOST_REPLACED = 2  # of the five functions that the network uses, most have to be the student's own, and right


@check("train.accuracy", stage="awaits")
def test_train_accuracy(
    student: Student,
    training: Background,
    runner: Runner,
    train: Callable[[Runner], Background],
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
    if may_be_slip and (helped := _replace_wrong(runner, rng, note)).replaced:
        fault = _fault_of(train(helped), setup, note)
    if fault:
        raise fault
    slices.expect_closed(student, "utils", recipe.UTILS)


def _fault_of(training: Background, setup: Setup, note: Note) -> StudentFault | None:
    """Wait for a training, and note its results; return the fault if it did not learn, else None."""
    labels, settings = setup.dataset.test_labels, recipe.for_dataset(setup.dataset.name)
    steps = settings.epochs * len(setup.dataset.train_labels) // settings.batch_size
    most_s = limit_s(recipe.SIZES, settings.batch_size, steps)
    try:
        classify = partial(_classes, setup.dataset.test_images / 256)
        expect_learning(training, classify, labels, settings.epochs, "utils.py", note, limit_s=most_s)
    except StudentFault as fault:
        return fault
    return None


def _classes(images: Array, state: Any) -> Array | None:
    """Return the most active output neuron for each image; None if `state` is no network as the sheet has it."""
    arrays = [as_array(part) for part in state] if isinstance(state, list) else []
    shapes = [*pairwise(recipe.SIZES), *((size,) for size in recipe.SIZES[1:])]
    if [getattr(array, "shape", None) for array in arrays] != shapes:
        return None
    activations, half = images, len(arrays) // 2
    with np.errstate(all="ignore"):  # a network that diverged knows nothing
        for weights, biases in zip(arrays[:half], arrays[half:], strict=True):
            activations = 1 / (1 + np.exp(-(activations @ np.asarray(weights) + biases)))
    return np.asarray(activations.argmax(axis=1), np.uint8)


def _replace_wrong(runner: Runner, rng: np.random.Generator, note: Note) -> Runner:
    """Return a runner with the staff's functions in place of wrong ones, if that is allowed; tell the student.

    A mistake costs its own check, and no other. But a function that is not written yet is no mistake, and a training
    with hardly any function of the student would not be the student's.
    """
    runner.student.allowance.calls_again = False  # what does not end is wrong
    faults = {name: fault for name in recipe.UTILS if (fault := _find_fault(runner, name, rng))}
    raised = [fault for fault in faults.values() if isinstance(fault, StudentRaised)]
    if any(fault.type_name == "NotImplementedError" for fault in raised):  # as in the template
        return runner
    if any(fault.finding.message.startswith("utils.py has no function") for fault in raised):
        return runner
    if len(faults) > MOST_REPLACED:
        hint = f"If at most {MOST_REPLACED} were wrong, the grader would replace them here."
        note.remark(f"Wrong functions that the network uses: {', '.join(faults)}. Repair them first.", hint=hint)
        return runner
    helped = runner.without(*(f"utils.{name}" for name in faults))
    helped.remark(note)
    return helped


def _find_fault(runner: Runner, name: str, rng: np.random.Generator) -> StudentFault | None:
    """Return the fault that a function's own check finds, if any; its remarks are left to that check."""
    judge = getattr(test_utils, f"test_{name}")
    note = Note()
    fixtures = {"student": runner.student, "runner": runner, "rng": rng, "note": note}
    try:
        judge(**{fixture: fixtures[fixture] for fixture in signature(judge).parameters})
        note.expect_kept()
    except StudentFault as fault:
        return fault
    return None
