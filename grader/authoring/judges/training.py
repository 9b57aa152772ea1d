"""Judge networks that a worker trained with submitted functions: what they learnt, and whether they learnt it there.

Such a training returns a dict of

    parameters   a list of the network's parameters, before the training and after each epoch
    control      the parameters of a network after a few steps with shuffled labels
    fit_s        the seconds of the training

A kit's training may have no `control`. No test image ever reaches a worker, so no submission can look one up: the
worker returns parameters, and the parent predicts.
"""

import time
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from grader.authoring import Background, Finding, Inconclusive, Note, StudentFault, fail

CERTAIN = 0.5  # no network that knows nothing is right for half of the images, which have ten classes
INDEPENDENT = 200
LIMIT_TIMES = 10  # how many times as long as the staff's own training on this machine a training may take
SHORTEST_LIMIT_S, LONGEST_LIMIT_S = 30.0, 150.0
_PACE_STEPS = 100
_NETWORK_TIMES = 2  # how many times as long as its products and functions alone the staff's network takes

Labels = npt.NDArray[np.uint8]


class TaughtElsewhere(StudentFault):
    """The network knows classes that it was never taught: no mistake explains that."""


def expect_learning(
    training: Background,
    classify: Callable[[Any], Labels | None],
    labels: Labels,
    epochs: int,
    file: str,
    note: Note,
    *,
    limit_s: float,
) -> None:
    """Keep the accuracy of the network after each epoch; fail if it knew the classes without this training.

    The worker never had `labels`, the right classes of the test images. `classify` returns the classes that a network
    with given parameters predicts, None if these are not parameters. `file` is the submitted file that the network
    uses. Facts: `accuracy_per_epoch_percent`, `test_accuracy_percent`, `test_images`, and the worker's `fit_s`.

    Raises:
        TaughtElsewhere: the network knew classes that it was never taught.
        StudentFault: the training raised, hung, or returned something else.
        Inconclusive: the training worked only with the whole files.
    """
    result = training.result(limit_s)
    answer = result if isinstance(result, dict) else {}
    states = answer.get("parameters")
    if not isinstance(states, list) or len(states) != epochs + 1:
        states = []  # a forged list may have a million items
    trained = [classify(state) for state in states]
    control = classify(answer["control"]) if "control" in answer else next(iter(trained), None)
    rows = [classes for classes in (*trained, control) if classes is not None]
    if len(rows) != epochs + 2:
        fail(
            "The training did not return one row of predictions per epoch.",
            hint=f"{file} must not replace parts of the network.",
        )
    predictions, control = np.array(rows[:-1]), rows[-1]
    hint = f"The weights must be random at first, and {file} use the labels as they are given."
    _expect_ignorance(predictions[0], "before the first step of training", labels, hint, note)
    _expect_ignorance(control, "after training on shuffled labels", labels, hint, note)
    accuracies = [round(float(accuracy), 3) for accuracy in 100 * (predictions[1:] == labels).mean(axis=1)]
    note.fact("accuracy_per_epoch_percent", accuracies)
    note.fact("test_accuracy_percent", accuracies[-1])
    note.fact("test_images", len(labels))
    if isinstance(fit_s := answer.get("fit_s"), float):
        note.fact("fit_s", round(fit_s, 3))
    if training.doubt:
        raise Inconclusive(f"{training.doubt}. A TA should read it and give the points.")


def limit_s(sizes: Sequence[int], batch_size: int, steps: int) -> float:
    """Return how many seconds a training may take: a multiple of its time with NumPy here, between 30 and 150.

    `sizes` are the numbers of units of the layers, the inputs first; each step uses `batch_size` samples.
    """
    step_s = _step_s(tuple(sizes), batch_size)
    return min(max(LIMIT_TIMES * _NETWORK_TIMES * steps * step_s, SHORTEST_LIMIT_S), LONGEST_LIMIT_S)


@cache
def _step_s(sizes: tuple[int, ...], batch_size: int) -> float:
    """Return how long a step of training takes with NumPy, in seconds: the products and functions of all layers.

    The shortest of many, because other programs make it longer; the training itself gets more time on a busy machine.
    """
    rng = np.random.default_rng(0)
    weights = [rng.uniform(-0.1, 0.1, shape) for shape in pairwise(sizes)]
    gradients = [np.empty_like(matrix) for matrix in weights]
    rows = rng.uniform(size=(batch_size, sizes[0]))
    times_s = []
    for _ in range(_PACE_STEPS):
        began_s = time.perf_counter()
        layers = [rows]
        for matrix in weights:
            layers.append(1 / (1 + np.exp(-(layers[-1] @ matrix))))
        delta = layers[-1]
        for at in reversed(range(len(weights))):
            np.matmul(layers[at].T, delta, out=gradients[at])
            weights[at] += gradients[at] * 0
            delta = (delta @ weights[at].T) * layers[at] * (1 - layers[at])
        times_s.append(time.perf_counter() - began_s)
    return min(times_s)


def _expect_ignorance(predictions: Labels, when: str, labels: Labels, hint: str, note: Note) -> None:
    """Fail if a network knows classes that it was never taught; flag more right ones than chance gives."""
    share, bound = float(np.mean(predictions == labels)), _chance_bound(labels)
    note.fact(f"accuracy_{when.replace(' ', '_')}_percent", round(100 * share, 3))
    if share > CERTAIN:
        words = f"The network knows {100 * share:.0f} % of the test images {when}: it did not learn that here."
        chance = f"about {100 / len(np.unique(labels)):.0f} %"
        raise TaughtElsewhere(Finding(words, chance, f"{100 * share:.1f} %", hint))
    if share > bound:
        note.flag(f"the network knows {100 * share:.0f} % of the test images {when}; chance gives {100 * bound:.0f} %")


def _chance_bound(labels: Labels) -> float:
    """Return the share of right classes that chance does not exceed.

    A network that knows nothing is at best right for the most frequent class, a share p. Its answers to similar
    images are alike, so a binomial count over all images would be too narrow: only `INDEPENDENT` of them count
    as independent, and the bound is p + 6·√(p(1 - p)/n). 300 untrained networks gave at most 19 %.
    """
    most = float(np.bincount(labels).max() / len(labels))
    return most + 6 * float(np.sqrt(most * (1 - most) / INDEPENDENT))
