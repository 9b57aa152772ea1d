"""Arguments of the sheet's size with many kinds of values at once, because every call costs seconds in Python."""

import math

import numpy as np

from grader.assignments.hw1 import recipe
from grader.assignments.hw1.comparisons import TOP, draw_integers, maximum
from grader.authoring import Array, Shape
from grader.authoring.judges.workload import Copied, Workload


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
    baseline=("baseline", "max_loop"),
    hand_over=("baseline", "hand_over"),
    work=maximum,
    shape=recipe.MAX_SHAPE,
    copies=("baseline", "copies"),
    narrowest=Copied(2 * _ENTRIES, _ENTRIES),  # a byte holds any number up to 255
)
