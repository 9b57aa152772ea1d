"""Work that functions are asked to do: what they get, and what is right for it.

`grader bench` compares kinds of work that `comparisons.py` of an assignment holds, by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from grader.authoring.comparison import difference

Array = npt.NDArray[Any]
Args = tuple[Array, ...]
Shape = tuple[int, int]
Solve = Callable[..., tuple[Array, Array | float]]
"""Returns the right answer for the arguments of a function, and how far each entry may be off."""


@dataclass(frozen=True, slots=True)
class Work:
    """What several functions compute: fresh arguments, the right answer, and how many operations it takes.

    `comparisons.toml` names one by the variable that it is bound to in `comparisons.py`.
    """

    draw: Callable[[np.random.Generator, Shape], Args]
    """Returns the arguments of one call, for the comparison's `shape`."""
    solve: Solve
    operations: Callable[[Shape], float]
    """How many operations of floating point, or comparisons, a shape needs by the book."""
    counted_as: str = ""
    """That number as a formula, for readers; such as `2·n³`."""

    def is_right(self, args: Args, got: Any) -> bool:
        """Return whether a result, as it came from the worker, is right for these arguments."""
        right, tolerance = self.solve(*args)
        return difference(got, right, atol=tolerance, sequences=(list, tuple)) is None
