"""Part 1: does the network learn with the submitted utils?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from grader.assignments.hw1 import recipe
from grader.authoring import Background, Note, Setup, Student, StudentFault, check, fail
from grader.authoring.judges import slices

CLASSES = 10
CERTAIN = 0.5
"""No network that knows nothing is right about half of ten classes."""
INDEPENDENT = 200

Labels = npt.NDArray[np.uint8]


@check("train.accuracy", stage="awaits")
def test_train_accuracy(student: Student, training: Background, setup: Setup, note: Note) -> None:
    """The staff network, trained with your utils.py, recognises more than 95 % of the test images."""
    student.load("utils")
    student.expect_spelt("utils", *recipe.UTILS)
    hangs = student.was_stopped("utils")
    answer = _await(training, recipe.DOUBTFUL_LIMIT_S if hangs else recipe.TRAINING_LIMIT_S)
    labels = setup.dataset.test_labels
    epochs = recipe.for_dataset(setup.dataset.name).epochs
    predictions = answer.get("predictions") if isinstance(answer, dict) else None
    if not isinstance(predictions, np.ndarray) or predictions.shape != (epochs + 1, len(labels)):
        fail(
            "The training did not return one row of predictions per epoch.",
            hint="utils.py must not replace parts of the network.",
        )
    _expect_ignorance(answer, predictions[0], labels, note)
    for name in map(str, answer.get("remembers") or ()):
        note.flag(f"{name} keeps something from one call to the next, and that changed while the network learnt")
    accuracies = [round(float(accuracy), 3) for accuracy in 100 * (predictions[1:] == labels).mean(axis=1)]
    note.fact("accuracy_per_epoch_percent", accuracies)
    note.fact("test_accuracy_percent", accuracies[-1])
    note.fact("test_images", len(labels))
    slices.expect_closed(student, "utils", recipe.UTILS)


def _expect_ignorance(answer: dict[str, Any], untrained: Labels, labels: Labels, note: Note) -> None:
    """Fail if the network knows what it was never taught: before the training, or from labels that say nothing."""
    if replaced := answer.get("replaced"):
        fail(
            "Parts of the staff network were replaced while utils.py was imported.",
            got=", ".join(map(str, replaced[:5])),
            hint="utils.py only defines its functions; leave network.py as it is.",
        )
    control = answer.get("control")
    if not isinstance(control, np.ndarray) or control.shape != labels.shape:
        control = untrained
    bound = _chance_bound(labels)
    cases = {"before the first step of training": untrained, "after training on shuffled labels": control}
    for when, predictions in cases.items():
        share = float(np.mean(predictions == labels))
        note.fact(f"accuracy_{when.replace(' ', '_')}_percent", round(100 * share, 3))
        if share > CERTAIN:
            fail(
                f"The network knows {100 * share:.0f} % of the test images {when}: it did not learn that here.",
                expected=f"about {100 / CLASSES:.0f} %",
                got=f"{100 * share:.1f} %",
                hint="random_weights must be random, and labels be used as they are given.",
            )
        if share > bound:
            note.flag(
                f"the network knows {100 * share:.0f} % of the test images {when}; chance gives {100 * bound:.0f} %"
            )


def _chance_bound(labels: Labels) -> float:
    """Return the share of right classes that chance does not exceed.

    A network that knows nothing is at best right for the most frequent class, a share p. Its answers to similar
    images are alike, so that a binomial count over all images would be too narrow: only `INDEPENDENT` of them count
    as independent, and the bound is p + 6·√(p(1 - p)/n). 300 untrained networks gave at most 19 %.
    """
    most = float(np.bincount(labels).max() / len(labels))
    return most + 6 * float(np.sqrt(most * (1 - most) / INDEPENDENT))


def _await(training: Background, limit_s: float) -> Any:
    """Return the training's answer; its faults are told in words, because students know no function `train`."""
    try:
        return training.result(limit_s)
    except StudentFault as fault:
        text = fault.finding.message.replace("`train`", "the training with your utils.py", 1)
        raise StudentFault(replace(fault.finding, message=text[:1].upper() + text[1:])) from fault
