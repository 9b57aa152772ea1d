"""Derivatives to compare with: by central differences, each with a bound for how far it may be off, or exact.

    f'(x) = (f(x + h) - f(x - h)) / 2h, off by at most h² max|f'''| / 6, and by what round-off leaves: 2u max|f| / h

with u = 2⁻⁵³ for each operation of f (Burden and Faires, Numerical Analysis, section 4.1). For functions that are
linear in x, as Z = W A + b is in W, A and b, the first part is zero for every h.
"""

from collections.abc import Callable

import numpy as np

from grader.authoring import Array

UNIT = 2.0**-53
"""Half the distance from 1 to the next float64."""
IMAGINARY_STEP = 1e-30


def differentiate_sum(value: Callable[[Array], float], x: Array, size: float, terms: int) -> tuple[Array, float]:
    """Return the derivatives of a function that is linear in each entry of `x`, and how far each may be off.

    Args:
        value: The function; a number.
        x: Where.
        size: What the absolute values of all that `value` adds up come to.
        terms: How many numbers it adds up.
    """
    slopes = np.empty(x.shape)
    for place in np.ndindex(x.shape):
        shift = np.zeros(x.shape)
        shift[place] = 1.0  # any step will do; this one loses no digits
        slopes[place] = (value(x + shift) - value(x - shift)) / 2
    return slopes, 2 * (terms + 2) * UNIT * size


def differentiate_entries(
    value: Callable[[Array], Array], x: Array, step: float, third: Array | float, size: Array | float
) -> tuple[Array, Array]:
    """Return the derivatives of a function that works entry by entry, and how far each may be off.

    Args:
        value: The function.
        x: Where.
        step: h, small against the distance from every kink of the function.
        third: The largest absolute value of its third derivative between x - h and x + h.
        size: The largest absolute value of all that it computes there.
    """
    slopes = (value(x + step) - value(x - step)) / (2 * step)
    return slopes, step**2 / 6 * np.asarray(third) + 8 * UNIT * np.asarray(size) / step


def differentiate_analytic(value: Callable[[Array], Array], x: Array) -> Array:
    """Return the derivatives of a function that works entry by entry, on complex numbers too; no digit is lost.

    f'(x) = Im f(x + ih) / h up to O(h²), without a difference of near values (Squire and Trapp, SIAM Review 40, 1998).
    """
    return np.imag(value(x + 1j * IMAGINARY_STEP)) / IMAGINARY_STEP


def differentiate_number(value: Callable[[Array], complex], x: Array) -> Array:
    """Return the derivatives of a number by each entry of `x`, on which it depends in any analytic way; as above."""
    slopes = np.empty(x.shape)
    for place in np.ndindex(x.shape):
        shifted = x.astype(complex)
        shifted[place] += 1j * IMAGINARY_STEP
        slopes[place] = value(shifted).imag / IMAGINARY_STEP
    return slopes
