"""Products C ← α A B + β C, drawn fresh each time, and what is right for them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grader.authoring import Array

Sizes = tuple[int, int, int]
"""m, k and n: A is m × k, B is k × n, C is m × n."""
TILE = 16


@dataclass(frozen=True, slots=True)
class Product:
    """The arguments of one product."""

    alpha: float
    A: Array
    B: Array
    beta: float
    C: Array

    @property
    def args(self) -> tuple[float, Array, Array, float, Array]:
        """All arguments, in the order of the sheet."""
        return self.alpha, self.A, self.B, self.beta, self.C

    @property
    def words(self) -> str:
        """The sizes and factors, for messages."""
        (m, k), n = self.A.shape, self.B.shape[1]
        return f"({m} × {k}) · ({k} × {n}), α = {self.alpha:g}, β = {self.beta:g}, {self.C.dtype}"

    def solve(self) -> Array:
        """Return what is right, as float64; without β, C is not looked at."""
        wide = [array.astype(np.longdouble) for array in (self.A, self.B, self.C)]
        sums = self.alpha * (wide[0] @ wide[1])
        return np.asarray(sums + self.beta * wide[2] if self.beta else sums, float)

    def sizes(self) -> tuple[Array, Array]:
        """Return |α| |A| |B| and |β| |C|, entry by entry."""
        sums = abs(self.alpha) * (np.abs(self.A).astype(float) @ np.abs(self.B).astype(float))
        return sums, abs(self.beta) * np.abs(self.C).astype(float) if self.beta else np.zeros(self.C.shape)

    def mistakes(self) -> dict[str, Array]:
        """Return hint -> what this mistake gives."""
        A, B, C = (array.astype(float) for array in (self.A, self.B, self.C))
        mistakes = {
            "α is missing: multiply the sum by it.": A @ B + self.beta * C,
            "β C is missing.": self.alpha * (A @ B),
            "β is missing: C is added as it is.": self.alpha * (A @ B) + C,
            "α is multiplied with β C, too.": self.alpha * (A @ B + self.beta * C),
            "C is not changed at all: is the kernel launched, and does it write into C?": C,
        }
        full = A.shape[1] // TILE * TILE
        if 0 < full < A.shape[1]:
            hint = "The last tile of each sum, which is not full, is missing."
            mistakes[hint] = self.alpha * (A[:, :full] @ B[:full]) + self.beta * C
        if A.shape[1] > 1:
            mistakes["The last product of each sum is missing."] = self.alpha * (A[:, :-1] @ B[:-1]) + self.beta * C
        return mistakes


def draw(rng: np.random.Generator, sizes: Sizes, factors: tuple[float, float], kind: str = "float64") -> Product:
    """Return a product of `sizes`, with (α, β) = `factors`, of float32 or float64; entries are normally distributed."""
    m, k, n = sizes
    A, B, C = (rng.normal(size=shape).astype(kind) for shape in ((m, k), (k, n), (m, n)))
    return Product(factors[0], A, B, factors[1], C)


def draw_each(rng: np.random.Generator, sizes: Sequence[Sizes]) -> list[Product]:
    """Return a product with two factors for each triple of sizes."""
    return [draw(rng, triple, (2.0, 0.5)) for triple in sizes]
