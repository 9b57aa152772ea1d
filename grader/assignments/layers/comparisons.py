"""What is timed: the products of a linear layer."""

import numpy as np

from grader.assignments.layers import inputs
from grader.authoring import Args, Array, Shape, Work


def draw(rng: np.random.Generator, shape: Shape) -> Args:
    """Return W, b and A of a layer with as many inputs as outputs; `shape` is that of A."""
    size, samples = shape
    return rng.normal(size=(size, size)), rng.normal(size=(size, 1)), rng.normal(size=(size, samples))


def solve(W: Array, b: Array, A: Array) -> tuple[Array, Array]:
    """Return Z, and how far each entry may be off."""
    return W @ A + b, inputs.SHARE * (np.abs(W) @ np.abs(A) + np.abs(b))


linear = Work(draw, solve, lambda shape: 2.0 * shape[0] ** 2 * shape[1])
"""n·m sums of n products, an addition and a multiplication each."""
