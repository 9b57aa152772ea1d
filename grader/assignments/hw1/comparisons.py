"""The two kinds of work on the sheet: what functions get, what is right, and how many operations it nominally is."""

import numpy as np

from grader.authoring import Args, Array, Shape, Work

TOP = 255
TOLERANCE = 1e-5
"""Of |X|·|X|ᵀ. NumPy's `allclose` uses the same figure, and sums in float32 stay within it."""


def draw_integers(rng: np.random.Generator, shape: Shape) -> Args:
    """Return A and B of `shape`, integers in [0, 255] without structure."""
    first, second = rng.integers(0, TOP + 1, (2, *shape))
    return first, second


def draw_uniform(rng: np.random.Generator, shape: Shape) -> Args:
    """Return X of `shape`, numbers in [0, 1)."""
    return (rng.uniform(size=shape),)


def solve_maximum(first: Array, second: Array) -> tuple[Array, float]:
    """Return the larger of each two entries; none may be off."""
    return np.maximum(first, second), 0.0


def solve_product(matrix: Array) -> tuple[Array, Array]:
    """Return X·Xᵀ and how far each entry may be off: a share of |X|·|X|ᵀ, the size of what is summed.

    Relative to the result itself, sums that cancel would ask for more digits than there are.
    """
    magnitude = np.abs(matrix)
    return matrix @ matrix.T, TOLERANCE * (magnitude @ magnitude.T)


maximum = Work(draw_integers, solve_maximum, lambda shape: float(shape[0] * shape[1]))
"""One comparison per entry."""
self_product = Work(draw_uniform, solve_product, lambda shape: 2.0 * shape[0] ** 2 * shape[1], "2·n²·m")
"""n² sums of m products, an addition and a multiplication each."""
