"""The formulas of the checks beside exact derivatives."""

import numpy as np
import pytest

from grader.assignments.layers import inputs, recipe
from grader.authoring.judges import networks


@pytest.mark.parametrize("sizes", [recipe.SMALL, recipe.SIZES, (1, 1, 1)])
def test_the_sheets_formulas_are_the_derivatives_of_a_linear_layer(rng, sizes):
    (W, b, A, dZ), m = inputs.draw_linear(rng, sizes), sizes[2]
    solved = inputs.solve_backward(W, b, A, dZ)
    for name, x, loss in (
        ("dA", A, lambda x: (dZ * (W @ x + b)).sum()),
        ("dW", W, lambda x: (dZ * (x @ A + b)).sum() / m),
        ("db", b, lambda x: (dZ * (W @ A + x)).sum() / m),
    ):
        right, size = solved[name]
        assert np.abs(networks.differentiate_number(loss, x) - right).max() <= 1e-13 * size.max()


def test_the_slopes_of_a_sigmoid_and_of_the_loss_are_their_derivatives(rng):
    Z, dA = inputs.draw_activation(rng)
    right, _ = inputs.solve_activation("Sigmoid", Z, dA)["dZ"]
    np.testing.assert_allclose(dA * networks.differentiate_analytic(networks.logistic, Z), right, rtol=1e-13)
    y_hat, y = inputs.draw_predictions(rng)
    slope = networks.differentiate_analytic(lambda x: inputs.cross_entropies(x, y), y_hat)
    np.testing.assert_allclose(slope, inputs.solve_gradient(y_hat, y)["gradient"][0], rtol=1e-13)


def test_hidden_points_keep_away_from_the_axes_and_the_other_rule_says_little_about_the_quadrants(rng):
    points, labels = inputs.draw_points(rng, 20000)
    shares = [(inputs.label_otherwise(points, seed) == labels).mean() for seed in range(20)]
    assert np.abs(np.array(shares) - 0.5).max() < 0.22
    assert np.ptp(shares) > 0.1
    assert points.min() >= -1
    assert points.max() <= 1
    points, labels = inputs.draw_points(rng, 1000, recipe.MARGIN)
    assert np.abs(points).min() >= recipe.MARGIN
    assert (labels == (np.sign(points[:1]) != np.sign(points[1:]))).all()
