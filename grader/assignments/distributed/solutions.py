"""The right results, for the grader; the kit has another file of this name."""

from dataclasses import dataclass, replace

import numpy as np

from grader.assignments.distributed import recipe, right
from grader.assignments.distributed.samples import SOFTMAX_NAMES, Samples
from grader.authoring import Array
from grader.authoring.judges.networks import logistic

KNOWS_ALL = True  # whether the right results are known for any samples and weights


@dataclass(frozen=True, slots=True)
class Data(Samples):
    """Samples whose right results are known."""

    def cost(self, regular: float) -> float:
        """Return the mean logistic error and the L2 term."""
        return float(right.cost(self.theta1, self.theta2, self.inputs, self.labels, regular))

    def gradients(self, regular: float) -> tuple[Array, Array]:
        """Return the derivatives of the cost."""
        slope1, slope2 = right.gradients(self.theta1, self.theta2, self.inputs, self.labels, regular)
        return slope1, slope2

    def train(self, iterations: int = recipe.ITERATIONS) -> tuple[Array, Array, Array]:
        """Return the weights after gradient descent with the recipe's settings, and the cost before each step."""
        data, costs = self, []
        for _ in range(iterations):
            costs.append(data.cost(recipe.REGULAR))
            slope1, slope2 = (recipe.LEARNING_RATE * slope for slope in data.gradients(recipe.REGULAR))
            data = replace(data, theta1=data.theta1 - slope1, theta2=data.theta2 - slope2)
        return data.theta1, data.theta2, np.array(costs)


def draw_data(rng: np.random.Generator, samples: int = recipe.SAMPLES) -> Data:
    """Return images of values from 0 to 1 with labels 0 to 9, and weights as the text draws them."""
    inputs = rng.uniform(0, 1, (samples, recipe.FEATURES)) * (rng.uniform(size=(samples, recipe.FEATURES)) < 0.3)  # noqa: PLR2004 - the share of pixels that are not white
    return Data(
        inputs, rng.integers(0, recipe.CLASSES, samples), *(rng.uniform(-0.12, 0.12, shape) for shape in recipe.WEIGHTS)
    )


def train_softmax(
    weights: tuple[Array, ...], inputs: Array, labels: Array, settings: tuple[float, int, float]
) -> tuple[dict[str, Array], list[float]]:
    """Return the weights of part 4's network after gradient descent, and the cost before each step."""
    rate, iterations, regular = settings
    W1, b1, W2, b2 = weights
    wanted, costs = np.eye(W2.shape[1])[labels], []
    for _ in range(iterations):
        hidden = logistic(inputs @ W1 + b1)
        raised = np.exp(hidden @ W2 + b2)
        shares = raised / raised.sum(axis=1, keepdims=True)
        squares = sum(float((part**2).sum()) for part in (W1, b1, W2, b2))
        costs.append(float(-(wanted * np.log(shares)).sum() / len(inputs) + regular / 2 * squares))
        delta2 = (shares - wanted) / len(inputs)
        delta1 = delta2 @ W2.T * hidden * (1 - hidden)
        W1, b1 = W1 - rate * (inputs.T @ delta1 + regular * W1), b1 - rate * (delta1.sum(0) + regular * b1)
        W2, b2 = W2 - rate * (hidden.T @ delta2 + regular * W2), b2 - rate * (delta2.sum(0) + regular * b2)
    return dict(zip(SOFTMAX_NAMES, (W1, b1, W2, b2), strict=True)), costs


def draw_softmax(rng: np.random.Generator) -> tuple[tuple[Array, ...], Array, Array]:
    """Return the weights of a small network, samples, and labels 0 to 3."""
    weights = tuple(rng.normal(size=shape) / 3 for shape in ((12, 10), (10,), (10, 4), (4,)))
    return weights, rng.normal(size=(21, 12)), rng.integers(0, 4, 21)
