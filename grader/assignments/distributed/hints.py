"""Hints on the mistake behind wrong numbers, for `expect`, which asks for them only if numbers are wrong."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from grader.assignments.distributed import recipe
from grader.authoring import Array

Known = Mapping[str, Array]
"""Sentence -> the numbers that a mistake gives; they are compared before the sentence that a search finds."""
Hints = Callable[[Array], Known]
_NONE: Known = {}
_SAME, _SINGLE = recipe.GUARDED, 1e-6

_FIRST, _LATER = "The first cost is wrong already: ", "The first cost is right, later costs are wrong: "
ALONE = (_FIRST + "check `cost`.", _LATER + "check `gradients`, and theta - learning_rate · derivative.")
SHARED = (
    _FIRST + "it takes rank 0's weights, the errors of all samples as a mean over all of them, and the L2 term once.",
    _LATER + "a step takes all ranks' derivatives, divided by the number of all samples, and the L2 term once.",
)
ON_ONE = (
    _FIRST + "even on one rank, so it is not the sharing: check the outputs, the biases and the L2 term.",
    _LATER + "even on one rank, so it is not the sharing: check the derivatives, all before a step, L2 and the rate.",
)
DIVIDED = (
    _FIRST + "b2 and its squares count once, and the squares of W1, b1 and W2 are those of all ranks.",
    _LATER + "each rank needs the derivatives of its own columns and rows, by the weights from before the step.",
)


def of_costs(right: Array, sentences: tuple[str, str], known: Known = _NONE) -> Hints:
    """Return hints that tell a wrong first cost from wrong later costs; `sentences` are the hints for the two."""

    def find(costs: Array) -> str:
        if np.allclose(costs[:-1], right[1:], rtol=_SAME):
            return "These are the costs after each step: take each cost before its step."
        if not np.isclose(costs[0], right[0], rtol=_SAME):
            return sentences[0]
        rises = costs[-1] > costs[0] > right[-1]
        return "The costs rise: subtract the derivatives." if rises else sentences[1]

    return partial(_hints_of, right, find, known)


def of_ring(right: Array, size: int, known: Known = _NONE) -> Hints:
    """Return hints that tell numbers that belong to no part from parts that are not complete."""

    def find(sums: Array) -> str:
        wrong = ~np.isclose(sums, right, rtol=_SAME)
        if wrong.sum() == right.size % size:
            return "The length does not divide by P, and the rest is lost: cut parts that cover all numbers."
        if np.allclose(np.sort(sums), np.sort(right), rtol=_SAME):
            return "The sums are right, and at other places: a part belongs where it was cut out."
        return "Some parts are not yet sums of all ranks: add up in P - 1 steps, then pass them on in P - 1 steps."

    return partial(_hints_of, right, find, known)


def of_pipeline(right: Array) -> Hints:
    """Return hints that tell samples in another order from wrong numbers."""

    def find(outputs: Array) -> str:
        is_mixed = np.allclose(np.sort(outputs, axis=0), np.sort(right, axis=0), rtol=_SAME)
        return "The samples come in another order: put micro-batches together as they came." if is_mixed else ""

    return partial(_hints_of, right, find, _NONE)


def always(right: Array, text: str, known: Known = _NONE) -> Hints:
    """Return hints with `text`, whatever the numbers are; without it if it is empty."""
    return partial(_hints_of, right, lambda _array: text, known)


def _hints_of(right: Array, find: Callable[[Array], str], known: Known, got: Array) -> Known:
    """Return the known mistakes, and the sentence that `find` gives for numbers of the right shape."""
    if got.shape != right.shape:
        return known
    text = "It has 7 right digits: send and store float64." if np.allclose(got, right, rtol=_SINGLE) else find(got)
    return {**known, text: got} if text else known
