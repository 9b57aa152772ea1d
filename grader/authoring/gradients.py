"""Exact derivatives to compare with."""

from collections.abc import Callable

import numpy as np

from grader.authoring import Array

UNIT = 2.0**-53
"""Half the distance from 1 to the next float64."""
IMAGINARY_STEP = 1e-30


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
