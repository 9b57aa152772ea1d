"""What is right."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from grader.assignments.distributed import recipe, right
from grader.assignments.distributed.samples import SOFTMAX_NAMES, Samples, SoftmaxWeights, sigmoid
from grader.authoring import Array


@dataclass(frozen=True, slots=True)
class Data(Samples):
    """Samples of which everything is known."""

    def knows(self, _iterations: int) -> bool:
        """Return whether the result of a training with so many iterations is known."""
        return True

    def cost(self, regular: float) -> float:
        """Return the mean logistic error and the L2 term."""
        return self._costs(self.theta1, self.theta2, regular)

    def gradients(self, regular: float) -> tuple[Array, Array]:
        """Return the derivatives of the cost."""
        return self._slopes(self.theta1, self.theta2, regular)

    def train(self, rate: float, iterations: int, regular: float) -> tuple[Array, Array, Array]:
        """Return the weights after gradient descent, and the cost before each step."""
        theta1, theta2, costs = self.theta1, self.theta2, []
        for _ in range(iterations):
            costs.append(self._costs(theta1, theta2, regular))
            slope1, slope2 = self._slopes(theta1, theta2, regular)
            theta1, theta2 = theta1 - rate * slope1, theta2 - rate * slope2
        return theta1, theta2, np.array(costs)

    def _costs(self, theta1: Array, theta2: Array, regular: float) -> float:
        return float(right.cost(theta1, theta2, self.inputs, self.labels, regular))

    def _slopes(self, theta1: Array, theta2: Array, regular: float) -> tuple[Array, Array]:
        slope1, slope2 = right.gradients(theta1, theta2, self.inputs, self.labels, regular)
        return slope1, slope2


def costs_of_a_share(data: Data, count: int, settings: tuple[float, int, float]) -> Array | None:
    """Return the cost before each step of a training with the first samples only; None where nobody knows it."""
    own = replace(data, inputs=data.inputs[:count], labels=data.labels[:count])
    return own.train(*settings)[2]


def draw_data(rng: np.random.Generator, samples: int = recipe.SAMPLES) -> Data:
    """Return images of values from 0 to 1 with labels 0 to 9, and weights as the text draws them."""
    shapes = (recipe.HIDDEN, recipe.FEATURES + 1), (recipe.CLASSES, recipe.HIDDEN + 1)
    inputs = rng.uniform(0, 1, (samples, recipe.FEATURES)) * (rng.uniform(size=(samples, recipe.FEATURES)) < 0.3)  # noqa: PLR2004 - a share of ink
    return Data(
        inputs, rng.integers(0, recipe.CLASSES, samples), *(rng.uniform(-0.12, 0.12, shape) for shape in shapes)
    )


@dataclass(frozen=True, slots=True)
class SoftmaxNetwork(SoftmaxWeights):
    """The network of part 4."""

    def train(
        self, inputs: Array, labels: Array, settings: tuple[float, int, float]
    ) -> tuple[dict[str, Array], list[float]]:
        """Return the weights after gradient descent, and the cost before each step."""
        rate, iterations, regular = settings
        W1, b1, W2, b2 = self.given
        wanted, costs = np.eye(W2.shape[1])[labels], []
        for _ in range(iterations):
            hidden = sigmoid(inputs @ W1 + b1)
            raised = np.exp(hidden @ W2 + b2)
            shares = raised / raised.sum(axis=1, keepdims=True)
            squares = sum(float((part**2).sum()) for part in (W1, b1, W2, b2))
            costs.append(float(-(wanted * np.log(shares)).sum() / len(inputs) + regular / 2 * squares))
            delta2 = (shares - wanted) / len(inputs)
            delta1 = delta2 @ W2.T * hidden * (1 - hidden)
            W1, b1 = W1 - rate * (inputs.T @ delta1 + regular * W1), b1 - rate * (delta1.sum(0) + regular * b1)
            W2, b2 = W2 - rate * (hidden.T @ delta2 + regular * W2), b2 - rate * (delta2.sum(0) + regular * b2)
        return dict(zip(SOFTMAX_NAMES, (W1, b1, W2, b2), strict=True)), costs


def softmax_costs(
    weights: tuple[Array, ...], inputs: Array, labels: Array, settings: tuple[float, int, float]
) -> list[float] | None:
    """Return the cost before each step of a training of the softmax network; None where nobody knows it."""
    return SoftmaxNetwork(*weights).train(inputs, labels, settings)[1]


def draw_softmax(rng: np.random.Generator) -> tuple[SoftmaxNetwork, Array, Array]:
    """Return a small network, samples, and labels 0 to 3."""
    shapes = ((12, 10), (10,), (10, 4), (4,))
    network = SoftmaxNetwork(*(rng.normal(size=shape) / 3 for shape in shapes))
    return network, rng.normal(size=(21, 12)), rng.integers(0, 4, 21)
