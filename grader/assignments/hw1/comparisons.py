"""The two kinds of work on the sheet: arguments of the functions, right results, and nominal numbers of operations.

Where values are checked, arguments have many kinds of numbers at once, because every call costs seconds in Python.
"""

import math

import numpy as np

from grader.assignments.hw1 import recipe
from grader.authoring import Args, Array, Shape, Work
from grader.authoring.judges.speedup import Workload

TOP = 255
TOLERANCE = 1e-5
"""How far an entry may be off, as a share of |X|·|X|ᵀ. NumPy's `allclose` uses this figure; float32 sums fit in it."""


def draw_integers(rng: np.random.Generator, shape: Shape) -> Args:
    """Return A and B of `shape`, integers in [0, 255] without structure."""
    first, second = rng.integers(0, TOP + 1, (2, *shape))
    return first, second


def draw_uniform(rng: np.random.Generator, shape: Shape) -> Args:
    """Return X of `shape`, numbers in [0, 1)."""
    return (rng.uniform(size=shape),)


def solve_maximum(first: Array, second: Array) -> tuple[Array, float]:
    """Return the larger of each two entries, and 0: no entry may be off."""
    return np.maximum(first, second), 0.0


def solve_product(matrix: Array) -> tuple[Array, Array]:
    """Return X·Xᵀ and how far each entry may be off: a share of |X|·|X|ᵀ, the size of what is summed.

    Relative to the result itself, sums that cancel would ask for more digits than there are.
    """
    magnitude = np.abs(matrix)
    return matrix @ matrix.T, TOLERANCE * (magnitude @ magnitude.T)


maximum = Work(draw_integers, solve_maximum, lambda shape: float(shape[0] * shape[1]))  # one comparison per entry
self_product = Work(draw_uniform, solve_product, lambda shape: 2.0 * shape[0] ** 2 * shape[1])
"""n² sums of m products, an addition and a multiplication each."""


def mixed_pair(rng: np.random.Generator) -> tuple[Array, Array]:
    """Return A and B of the sheet's shape: bands of equal, extreme, sorted and one-hot rows between random ones."""
    rows, columns = recipe.MAX_SHAPE
    first, second = draw_integers(rng, recipe.MAX_SHAPE)
    band = rng.permutation(rows)[:400].reshape(4, 100)
    first[band[0]] = second[band[0]]
    first[band[1]], second[band[1]] = rng.permuted(np.tile([0, TOP], (2, 100, columns // 2)), axis=2)
    first[band[2]].sort(axis=1)
    second[band[2]] = TOP - first[band[2]]
    first[band[3]] = second[band[3]] = 0
    second[band[3], rng.integers(0, columns, 100)] = TOP
    return first, second


def mixed_matrix(rng: np.random.Generator, shape: Shape = recipe.MATMUL_SHAPE) -> Array:
    """Return X: rows of large and tiny magnitude, of zeros, of equal values, and pairs that cancel."""
    matrix = rng.normal(size=shape)
    scale = 10.0 ** rng.integers(-6, 7, shape[0])
    rows = rng.permutation(shape[0])
    some = max(shape[0] // 8, 1)
    matrix[rows[:some]] *= scale[rows[:some], None]
    matrix[rows[some : 2 * some]] = 1
    matrix[rows[2 * some : 3 * some], 1::2] *= -1
    matrix[rows[-1:]] = 0
    return matrix


_ENTRIES = math.prod(recipe.MAX_SHAPE)
MAX_WORKLOAD = Workload(
    "max_functions",
    slow="max_cpu",
    fast="max_gpu",
    beside="max_numba",
    baseline="max_loop",
    work=maximum,
    shape=recipe.MAX_SHAPE,
    narrowest_bytes=(2 * _ENTRIES, _ENTRIES),  # a byte holds any number up to 255
)
