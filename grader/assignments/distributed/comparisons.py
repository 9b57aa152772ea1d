"""What is timed: the text's training, by one process and by as many ranks as there are cores."""

from typing import Any

import numpy as np

from grader.assignments.distributed import recipe, solutions
from grader.authoring import Args, Array, Shape, Work


def draw(rng: np.random.Generator, shape: Shape) -> Args:
    """Return inputs, labels, weights and settings of (samples, steps) = `shape`.

    The data set is one of the checks', many times over. Its costs are the same: they are means, and λ grows with it.
    """
    data = solutions.draw_data(rng)
    copies = shape[0] // len(data.inputs)
    arrays: tuple[Any, ...] = (np.tile(data.inputs, (copies, 1)), np.tile(data.labels, copies), *data.arrays[2:])
    return *arrays, recipe.LEARNING_RATE, shape[1], recipe.REGULAR * copies


def solve(inputs: Array, labels: Array, theta1: Array, theta2: Array, *_: Any) -> tuple[Array, float]:
    """Return the cost before each of the first steps, and how far these may be off."""
    return solutions.Data(inputs[: recipe.SAMPLES], labels[: recipe.SAMPLES], theta1, theta2).train()[2], 1e-9


training = Work(draw, solve, lambda shape: 6.0 * shape[0] * shape[1] * recipe.HIDDEN * recipe.FEATURES)
"""Three products for each step, of the large layer."""
