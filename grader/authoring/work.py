"""A kind of work that `grader bench` compares: `comparisons.py` of an assignment holds them, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Arrays = tuple[npt.NDArray[Any], ...]
Shape = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Work:
    """What several functions compute: fresh inputs, whether a result is right, and how many operations it takes.

    `comparisons.toml` names one by the variable that it is bound to in `comparisons.py`.
    """

    draw: Callable[[np.random.Generator, Shape], Arrays]
    """Returns the arguments of one call, for the comparison's `shape`."""
    is_right: Callable[[Arrays, Any], bool]
    """Whether a result, as it came from the worker, is right for these arguments."""
    operations: Callable[[Shape], float]
    """How many operations of floating point, or comparisons, a shape needs by the book."""
    counted_as: str = ""
    """That number as a formula, for readers; such as `2·n³`."""
