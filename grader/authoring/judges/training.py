"""Networks that were trained in a worker with submitted functions: did they learn, and did they learn it there?

What such a training comes to is a dict of

    parameters   what the network was before the training and after each epoch, a list
    control      what a network is after a few steps with shuffled labels
    fit_s        how long the training took

A kit's training may have no `control`. No test image ever reaches a worker, so that nobody can look one up there: what
was learnt comes back, and the parent predicts.
"""

import time
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from grader.authoring import Background, Finding, Inconclusive, Note, StudentFault, fail

CERTAIN = 0.5
"""No network that knows nothing is right about half of ten classes."""
INDEPENDENT = 200
LIMIT_TIMES = 10
"""A training may take so many times as long as the staff's own on this machine."""
SHORTEST_LIMIT_S, LONGEST_LIMIT_S = 30.0, 150.0
_PACE_STEPS = 100
_NETWORK_TIMES = 2
"""The staff's network takes so many times as long as the products and functions alone."""

Labels = npt.NDArray[np.uint8]


class TaughtElsewhere(StudentFault):
    """The network knows what it was never taught: no mistake explains that."""


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
    """Note how well the network did after each epoch; fail if it did not learn in this training.

    The worker never had `labels`, the right classes of the test images: `classify` returns what a network of given
    parameters takes these for, and None for what is no network. `file` is the submitted file that the network uses.
    Noted are `accuracy_per_epoch_percent`, `test_accuracy_percent`, `test_images`, and `fit_s` as it was told.

    Raises:
        TaughtElsewhere: the network knew what it was never taught.
        StudentFault: it raised, hung, or returned something else.
        Inconclusive: it learnt, but only with the whole file.
    """
    result = training.result(limit_s)
    answer = result if isinstance(result, dict) else {}
    states = answer.get("parameters")
    if not isinstance(states, list) or len(states) != epochs + 1:
        states = []  # a forged list may have a million
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
    """Return how many seconds a training may take: a multiple of what it takes here with NumPy.

    `sizes` are how many units each layer of the network has, the inputs first; each step sees `batch_size` samples.
    """
    step_s = _step_s(tuple(sizes), batch_size)
    return min(max(LIMIT_TIMES * _NETWORK_TIMES * steps * step_s, SHORTEST_LIMIT_S), LONGEST_LIMIT_S)


@cache
def _step_s(sizes: tuple[int, ...], batch_size: int) -> float:
    """Return how long a step of training takes with NumPy, in seconds: the products and functions of all layers.

    The shortest of many, because other programs make it longer; what they do to the training is seen while it runs.
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
    """Fail if a network knows what it was never taught; flag what is more than chance gives."""
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
    images are alike, so that a binomial count over all images would be too narrow: only `INDEPENDENT` of them count
    as independent, and the bound is p + 6·√(p(1 - p)/n). 300 untrained networks gave at most 19 %.
    """
    most = float(np.bincount(labels).max() / len(labels))
    return most + 6 * float(np.sqrt(most * (1 - most) / INDEPENDENT))
