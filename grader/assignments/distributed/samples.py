"""What checks draw, and how exact results have to be, for grader and kit; `solutions` has the right results."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.assignments.distributed import recipe
from grader.authoring import Array

EPSILON = float(np.finfo(float).eps)
SOFTMAX_SETTINGS = (0.3, 4, 0.05)  # learning rate, iterations, and factor of the L2 term
SOFTMAX_NAMES = ("W1", "b1", "W2", "b2")
"""The weights of part 4's network: sigmoid, softmax, cross-entropy, L2 over all weights and biases."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Samples, labels, and the weights to begin with."""

    inputs: Array
    labels: Array
    theta1: Array
    theta2: Array

    @property
    def arrays(self) -> tuple[Array, Array, Array, Array]:
        """All arrays, as the functions of the sheet take them."""
        return self.inputs, self.labels, self.theta1, self.theta2


def draw_full(rng: np.random.Generator, samples: int) -> Array:
    """Return inputs of which none is like another, so that each can be told wherever it arrives."""
    return rng.uniform(0.5, 1, (samples, recipe.FEATURES))


def point_alike(slopes: Any, right: tuple[Array, Array], thetas: tuple[Array, ...]) -> bool:
    """Return whether derivatives by both layers' weights point nearly as the right ones do, or straight back.

    Real mistakes, such as sums for means or a slope that is missing, turn them by a few degrees. L2 does not count: if
    it is not divided by N, it is larger than all the rest.
    """
    try:
        first, second = (_cosine(*one) for one in zip(slopes, right, thetas, strict=True))
    except (TypeError, ValueError):
        return False
    return min(first, second) > 0.5 and max(first, second) > 0.9  # noqa: PLR2004 - those mistakes stay above 0.99


def _cosine(got: Any, right: Array, theta: Array) -> float:
    """Return how nearly two arrays are multiples of each other, from 0 to 1, without L2's multiple of the weights."""
    array, weights = np.asarray(got, float), np.insert(theta[:, 1:], 0, 0.0, axis=1)
    if array.shape != right.shape or not np.isfinite(array).all():
        return 0.0
    array, right = (one - (one * weights).sum() / (weights**2).sum() * weights for one in (array, right))
    size = float(np.linalg.norm(array) * np.linalg.norm(right))
    return float(abs((array * right).sum()) / size) if size else 0.0


def bound_training(data: Samples, iterations: int) -> Array:
    """Return how far the cost before each step may be off by round-off alone, relative to the cost.

    Sums of n numbers in two orders differ by at most n ε of the sum of their sizes, here over samples and inputs. A
    step takes such an error of the derivatives into the weights, and so into the next derivatives: these change by at
    most L times as much, with L at most the mean square length of a sample, since the slope of the sigmoid, at most
    1/4, and the hidden layer's own share stay below 1. So the error grows by 1 + rate · L per step at most.
    """
    terms = len(data.inputs) * recipe.CLASSES + recipe.FEATURES
    growth = 1 + recipe.LEARNING_RATE * (float((data.inputs**2).sum(axis=1).mean()) + recipe.HIDDEN)
    return np.asarray(4 * terms * EPSILON * growth ** np.minimum(np.arange(iterations), 12))
