"""Products C ← α A B + β C, drawn anew each time, their right results, and how far an answer may be off.

One operation: fl(a ∘ b) = (a ∘ b)(1 + δ), |δ| ≤ u, with u = 2⁻²⁴ for float32 and 2⁻⁵³ for float64.

n of them: a product of n factors (1 + δᵢ) is 1 + θₙ with |θₙ| ≤ γₙ = n u / (1 - n u), if n u < 1.

A sum of k products, in whatever order it is added up: no product goes through more than k roundings, one by its
multiplication and at most k - 1 by additions. So each product carries a factor 1 + θₖ of its own, and

    |fl(Σ aₚ bₚ) - Σ aₚ bₚ| ≤ γₖ Σ |aₚ| |bₚ|

(N. J. Higham, Accuracy and Stability of Numerical Algorithms, second edition, SIAM 2002: lemma 3.1, inequalities 3.3
to 3.5). Fused multiply-adds round less often; sums in float64 of float32 numbers round less. α A B + β C adds, for
each product, the rounding of α itself to the type of the arrays, its multiplication, the addition of β C and the
rounding to the type of C: four more; β C has four as well. Begun with 0 instead of with the first product, a sum has
one rounding more:

    |Ĉ - C| ≤ γₖ₊₅ |α| |A| |B| + γ₅ |β| |C|

entry by entry, as long as nothing under- or overflows. What is right is computed in `numpy.longdouble`, whose own
round-off obeys the same inequality with its own u; it is added to the bound.
"""

from dataclasses import dataclass, replace

import numpy as np

from grader.authoring import Array, Finding, StudentFault
from grader.authoring.comparison import SHOWN, Mistakes, as_array, difference

Sizes = tuple[int, int, int]  # m, k and n: A is m × k, B is k × n, C is m × n
TILE = 16
MORE = 5  # roundings of an entry beyond those of its sum of k products
UNITS = {"float32": 2.0**-24, "float64": 2.0**-53}
_WIDE = float(np.finfo(np.longdouble).eps) / 2


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
        """Return the right C, as float64; with β = 0, the old C is not read."""
        wide = [array.astype(np.longdouble) for array in (self.A, self.B, self.C)]
        sums = self.alpha * (wide[0] @ wide[1])
        return np.asarray(sums + self.beta * wide[2] if self.beta else sums, float)

    def sizes(self) -> tuple[Array, Array]:
        """Return |α| |A| |B| and |β| |C|, entry by entry."""
        sums = abs(self.alpha) * (np.abs(self.A).astype(float) @ np.abs(self.B).astype(float))
        return sums, abs(self.beta) * np.abs(self.C).astype(float) if self.beta else np.zeros(self.C.shape)

    def mistakes(self) -> dict[str, Array]:
        """Return hint -> the wrong C that this mistake gives."""
        A, B, C = (array.astype(float) for array in (self.A, self.B, self.C))
        mistakes = {
            "α is missing: multiply the sum by it.": A @ B + self.beta * C,
            "α is multiplied twice.": self.alpha**2 * (A @ B) + self.beta * C,
            "β C is missing.": self.alpha * (A @ B),
            "β is missing: C is added as it is.": self.alpha * (A @ B) + C,
            "α is multiplied with β C, too.": self.alpha * (A @ B + self.beta * C),
            "α and β are exchanged.": self.beta * (A @ B) + self.alpha * C,
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


def gamma(count: int, unit: float) -> float:
    """Return γ, the largest relative error after `count` roundings of relative size `unit`."""
    return count * unit / (1 - count * unit)


def bound(product: Product, unit: float) -> Array:
    """Return how far each entry may be off by round-off of relative size `unit`; shape of C."""
    sums, old = product.sizes()
    depth = product.A.shape[1]
    both = gamma(depth + MORE, unit) + gamma(depth + MORE, _WIDE)
    return np.asarray(both * sums + (gamma(MORE, unit) + gamma(MORE, _WIDE)) * old)


@dataclass(frozen=True, slots=True)
class RoundOff:
    """The error of an answer that is right up to round-off."""

    off: float  # the largest error of an entry
    share: float  # the largest error of an entry, as a share of what round-off can reach there


def expect_round_off(subject: str, got: object, product: Product, mistakes: Mistakes | None = None) -> RoundOff:
    """Return how far a product is off by round-off; fail if it is off by more, which is a bug.

    `subject` begins the sentence; `mistakes` are hints with the array that each mistake gives.
    """
    right, limit = product.solve(), bound(product, UNITS[str(product.C.dtype)])
    finding = difference(got, right, atol=limit, mistakes=mistakes)
    if finding is not None:
        raise StudentFault(_explain(subject, finding, got, product, limit))
    off = np.abs(np.asarray(got, float) - right)
    share = np.divide(off, limit, out=np.zeros_like(off), where=limit > 0)
    return RoundOff(float(off.max(initial=0)), float(share.max(initial=0)))


def _explain(subject: str, finding: Finding, got: object, product: Product, limit: Array) -> Finding:
    """Return a finding that says that the error is no round-off, or that it is the round-off of float32."""
    message, hint, array = f"{subject} C {finding.message}", finding.hint, as_array(got)
    if isinstance(array, np.ndarray) and array.shape == limit.shape:
        most = float(limit.max(initial=0))
        roundings = product.A.shape[1] + MORE
        message += f" A bug, and no round-off: {roundings} roundings of {product.C.dtype} change {most:.2g} at most."
        if product.C.dtype == np.float64 and not difference(
            got, product.solve(), atol=bound(product, UNITS["float32"])
        ):
            message = f"{subject} C {finding.message} This is the round-off of float32, in arrays of float64."
            hint = hint or "Give shared and local arrays the type of the arrays that come in: C.dtype."
        message += _find_place(array, product, limit)
    return replace(finding, message=message, hint=hint)


def _find_place(got: Array, product: Product, limit: Array) -> str:
    """Return a sentence, after a space, on what the wrong entries have in common; empty if there is nothing."""
    wrong = ~(np.abs(got - product.solve()) <= limit)
    if (got == product.C)[wrong].all():
        return " All wrong entries hold what C held before: no thread writes them."
    for name, lines in (("rows", wrong.any(axis=1)), ("columns", wrong.any(axis=0))):
        if not lines.all():
            right = np.flatnonzero(~lines)
            parts = np.split(right, np.flatnonzero(np.diff(right) > 1) + 1)
            ranges = [f"{part[0]}" if len(part) == 1 else f"{part[0]} to {part[-1]}" for part in parts]
            shown = ", ".join([*ranges[:SHOWN], *(["…"] if len(ranges) > SHOWN else [])])
            return f" Of {name}, only {shown} are right throughout."
    return ""
