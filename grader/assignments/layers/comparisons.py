"""What is timed: the products of a linear layer, and serial loops beside them."""

from __future__ import annotations

import numpy as np
from numba import njit

from grader.assignments.layers import inputs
from grader.authoring import Args, Array, Shape, Work


def draw(rng: np.random.Generator, shape: Shape) -> Args:
    """Return W, b and A of a layer with as many inputs as outputs; `shape` is that of A."""
    size, samples = shape
    return rng.normal(size=(size, size)), rng.normal(size=(size, 1)), rng.normal(size=(size, samples))


def solve(W: Array, b: Array, A: Array) -> tuple[Array, Array]:
    """Return Z, and how far each entry may be off."""
    return W @ A + b, inputs.SHARE * (np.abs(W) @ np.abs(A) + np.abs(b))


linear = Work(draw, solve, lambda shape: 2.0 * shape[0] ** 2 * shape[1], "2·n²·m")
"""n·m sums of n products, an addition and a multiplication each."""


@njit  # type: ignore[untyped-decorator] # Numba is half typed
def forward(W: Array, b: Array, A: Array) -> Array:
    """Return Z = W A + b, entry by entry, on one core."""
    Z = np.empty((W.shape[0], A.shape[1]))
    for i in range(Z.shape[0]):
        for j in range(Z.shape[1]):
            total = b[i, 0]
            for k in range(A.shape[0]):
                total += W[i, k] * A[k, j]
            Z[i, j] = total
    return Z
