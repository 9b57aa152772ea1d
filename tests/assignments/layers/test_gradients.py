"""The formulas of the checks beside central differences, and the bounds of these."""

import numpy as np
import pytest
from rows import some

from grader.assignments.layers import inputs, recipe
from grader.authoring import gradients
from grader.authoring.judges import networks


@pytest.mark.parametrize("sizes", [recipe.SMALL, (recipe.OUTPUTS, recipe.INPUTS, recipe.SAMPLES), (1, 1, 1)])
def test_the_sheets_formulas_are_the_derivatives_of_a_linear_layer(rng, sizes):
    case = inputs.draw_linear(rng, sizes)
    solved = case.solve_backward()
    for name, (slope, bound) in some(case.differentiate().items()):
        assert np.abs(slope - solved[name][0]).max() <= bound + 1e-13 * solved[name][1].max()
        assert bound < 1e-5


def test_central_differences_of_a_sigmoid_and_of_the_loss_keep_their_bounds(rng):
    Z, _ = inputs.draw_activation(rng)
    right = networks.logistic(Z) * (1 - networks.logistic(Z))
    slope, bound = gradients.differentiate_entries(networks.logistic, Z, 1e-4, 1 / 8, np.abs(Z) + 1)
    assert (np.abs(slope - right) <= bound).all()
    assert bound.max() < 1e-9
    y_hat, y = inputs.draw_predictions(rng)
    third = 2 * np.maximum((y_hat - 1e-5) ** -3, (1 - y_hat - 1e-5) ** -3)
    slope, bound = gradients.differentiate_entries(lambda x: inputs.cross_entropies(x, y), y_hat, 1e-5, third, 4.0)
    right = -y / y_hat + (1 - y) / (1 - y_hat)
    assert (np.abs(slope - right) <= bound).all()


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
