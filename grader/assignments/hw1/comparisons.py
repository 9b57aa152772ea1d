"""The work that the sheet's comparisons do: inputs, what is right, and how much it is by the book."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.authoring import Work
from grader.authoring.comparison import difference
from grader.authoring.work import Arrays, Shape


def _draw_integers(rng: np.random.Generator, shape: Shape) -> Arrays:
    first, second = rng.integers(0, 256, (2, *shape))
    return first, second


def _draw_uniform(rng: np.random.Generator, shape: Shape) -> Arrays:
    return (rng.uniform(size=shape),)


def _is_maximum(inputs: Arrays, got: Any) -> bool:
    return difference(got, np.maximum(*inputs), sequences=(list, tuple)) is None


def _is_self_product(inputs: Arrays, got: Any) -> bool:
    """Return whether `got` is X·Xᵀ within what sums in single precision may be off."""
    (matrix,) = inputs
    magnitude = np.abs(matrix)
    return difference(got, matrix @ matrix.T, atol=1e-5 * (magnitude @ magnitude.T), sequences=(list, tuple)) is None


maximum = Work(_draw_integers, _is_maximum, lambda shape: float(shape[0] * shape[1]))
"""The larger of each two entries: one comparison per entry."""
self_product = Work(_draw_uniform, _is_self_product, lambda shape: 2.0 * shape[0] ** 2 * shape[1], "2·n²·m")
"""n² sums of m products, an addition and a multiplication each."""
