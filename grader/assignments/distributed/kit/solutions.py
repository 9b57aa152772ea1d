"""In the kit: what is right for one data set, as numbers. The grading draws other samples and weights each time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grader.assignments.distributed import recipe
from grader.authoring import Array, Inconclusive

EPSILON = float(np.finfo(float).eps)
_RIGHT = np.load(Path(__file__).with_name("right.npz"))
_NAMES = ("W1", "b1", "W2", "b2")
SOFTMAX_SETTINGS = (0.3, 4, 0.05)
"""Learning rate, iterations, and factor of the L2 term."""


@dataclass(frozen=True, slots=True)
class Data:
    """Samples, labels, and the weights to begin with."""

    inputs: Array
    labels: Array
    theta1: Array
    theta2: Array

    @property
    def given(self) -> tuple[Array, Array, Array, Array]:
        """All arrays, as the functions of the sheet take them."""
        return self.inputs, self.labels, self.theta1, self.theta2

    def cost(self, regular: float) -> float:
        """Return the cost of the one data set."""
        return float(_find(f"cost_{regular:g}"))

    def gradients(self, regular: float) -> tuple[Array, Array]:
        """Return the derivatives of the cost of the one data set."""
        share = regular / len(self.inputs)
        return tuple(  # type: ignore[return-value] # two of them
            _find(f"gradient{number}") + share * np.insert(theta[:, 1:], 0, 0.0, axis=1)
            for number, theta in ((1, self.theta1), (2, self.theta2))
        )

    def train(self, rate: float, iterations: int, regular: float) -> tuple[Array, Array, Array]:
        """Return the weights after the training of the sheet's checks, and the cost before each step."""
        if (rate, iterations, regular) != (recipe.LEARNING_RATE, recipe.ITERATIONS, recipe.REGULAR):
            msg = "The kit knows the result of one training only."
            raise Inconclusive(msg)
        return _find("trained1"), _find("trained2"), _find("costs")


def costs_of_a_share(_data: Data, _count: int, _settings: tuple[float, int, float]) -> Array | None:
    """Return None: the kit does not know them."""
    return None


def draw_data(rng: np.random.Generator, samples: int = recipe.SAMPLES) -> Data:
    """Return the one data set, or, of another size, samples of which nothing is known."""
    thetas = _find("theta1") / 1024, _find("theta2") / 1024
    if samples == recipe.SAMPLES:
        return Data(_find("inputs") / 255, _find("labels").astype(int), *thetas)
    return Data(rng.uniform(0, 1, (samples, recipe.FEATURES)), rng.integers(0, recipe.CLASSES, samples), *thetas)


def bound_training(data: Data, rate: float, iterations: int) -> Array:
    """Return how far the cost before each step may be off by round-off alone, relative to the cost."""
    terms = len(data.inputs) * recipe.CLASSES + recipe.FEATURES
    steepness = float((data.inputs**2).sum(axis=1).mean()) + recipe.HIDDEN
    steps = np.arange(iterations)
    return np.asarray(4 * terms * EPSILON * (1 + rate * steepness) ** np.minimum(steps, 12))


def sigmoid(z: Array) -> Array:
    """Return 1 / (1 + e^-z), as the sheet says."""
    return np.asarray(1 / (1 + np.exp(-z)))


@dataclass(frozen=True, slots=True)
class SoftmaxNetwork:
    """The network of part 4."""

    W1: Array
    b1: Array
    W2: Array
    b2: Array

    @property
    def given(self) -> tuple[Array, ...]:
        """All weights."""
        return self.W1, self.b1, self.W2, self.b2

    def train(
        self, _inputs: Array, _labels: Array, _settings: tuple[float, int, float]
    ) -> tuple[dict[str, Array], list[float]]:
        """Return the weights after the one training, and the cost before each step."""
        return {name: _find(f"softmax_{name}_trained") for name in _NAMES}, _find("softmax_costs").tolist()


def draw_softmax(_rng: np.random.Generator) -> tuple[SoftmaxNetwork, Array, Array]:
    """Return the one network, its samples, and their labels."""
    weights = (_find(f"softmax_{name}") for name in _NAMES)
    return SoftmaxNetwork(*weights), _find("softmax_inputs"), _find("softmax_labels")


def _find(name: str) -> Array:
    return np.asarray(_RIGHT[name])
