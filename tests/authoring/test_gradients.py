"""Derivatives that lose no digit."""

import numpy as np
import pytest

from grader.authoring import gradients

X = np.linspace(-30, 30, 61)


@pytest.mark.parametrize(
    ("value", "slope"),
    [
        (lambda x: 1 / (1 + np.exp(-x)), np.exp(-X) / (1 + np.exp(-X)) ** 2),
        (np.sin, np.cos(X)),
        (lambda x: x**3, 3 * X**2),
    ],
)
def test_a_step_along_the_imaginary_axis_gives_the_derivative_to_the_last_digits(value, slope):
    np.testing.assert_allclose(gradients.differentiate_analytic(value, X), slope, rtol=1e-14, atol=1e-15)


def test_central_differences_of_a_single_entry_agree():
    slope, bound = gradients.differentiate_entries(np.sin, X, 1e-4, 1.0, 1.0)
    assert (np.abs(slope - gradients.differentiate_analytic(np.sin, X)) <= bound).all()


def test_a_number_that_depends_on_all_entries_has_derivatives_by_each():
    x = X[:6].reshape(2, 3)
    slopes = gradients.differentiate_number(lambda one: complex((one**3).sum() * one[0, 0]), x)
    right = 3 * x**2 * x[0, 0]
    right[0, 0] += (x**3).sum()
    np.testing.assert_allclose(slopes, right, rtol=1e-13)
