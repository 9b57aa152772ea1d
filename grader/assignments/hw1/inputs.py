"""Hidden inputs of the sheet's sizes: many kinds of values side by side, because every call costs seconds in Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from grader.assignments.hw1 import recipe
from grader.authoring.judges.speedup import Copied, Workload

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
TOP = 255


def integer_pair(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Ints, Ints]:
    """Return A and B of `shape`, integers in [0, 255] without structure."""
    first, second = rng.integers(0, TOP + 1, (2, *shape))
    return first, second


def mixed_pair(rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Return A and B of the sheet's shape: bands of equal, extreme, sorted and one-hot rows between random ones."""
    rows, columns = recipe.MAX_SHAPE
    first, second = integer_pair(rng, recipe.MAX_SHAPE)
    band = rng.permutation(rows)[:400].reshape(4, 100)
    first[band[0]] = second[band[0]]
    first[band[1]], second[band[1]] = rng.permuted(np.tile([0, TOP], (2, 100, columns // 2)), axis=2)
    first[band[2]].sort(axis=1)
    second[band[2]] = TOP - first[band[2]]
    first[band[3]] = second[band[3]] = 0
    second[band[3], rng.integers(0, columns, 100)] = TOP
    return first, second


def mixed_matrix(rng: np.random.Generator, shape: tuple[int, int] = recipe.MATMUL_SHAPE) -> Floats:
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


def product(matrix: Floats, tolerance: float) -> tuple[Floats, Floats]:
    """Return X·Xᵀ and how far each entry may be off: `tolerance` times |X|·|X|ᵀ, the size of what is summed.

    Relative to the result itself, sums that cancel would ask for more digits than there are.
    """
    magnitude: Any = np.abs(matrix)
    return matrix @ matrix.T, tolerance * (magnitude @ magnitude.T)


def pair_mistakes(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
    """Return the results of known mistakes of the maximum, each with its sentence."""
    return {
        "This is the minimum.": np.minimum(first, second),
        "This is A itself: B never won.": first,
        "This is B itself: A never won.": second,
        "This is the sum.": first + second,
    }


_ENTRIES = math.prod(recipe.MAX_SHAPE)
_NUMBER_BYTES = np.dtype(np.int64).itemsize
MAX_WORKLOAD = Workload(
    "max_functions",
    slow="max_cpu",
    fast="max_gpu",
    beside="max_numba",
    baseline=("baseline", "max_loop"),
    hand_over=("baseline", "hand_over"),
    draw=lambda rng: integer_pair(rng, recipe.MAX_SHAPE),
    solve=np.maximum,
    copied=Copied(2 * _ENTRIES * _NUMBER_BYTES, _ENTRIES * _NUMBER_BYTES),
    narrowest=Copied(2 * _ENTRIES, _ENTRIES),  # a byte holds any number up to 255
)
