"""What the checks take for right: derivatives by complex steps, convolutions by their definition, and the digits."""

from types import SimpleNamespace

import numpy as np
import pytest
from rows import some

from grader.assignments.gemm import convolution, digits, network, recipe
from grader.authoring.judges import networks
from grader.intake.datasets import load_dataset


def test_complex_steps_agree_with_the_chain_rule(rng):
    net = network.draw(rng)
    W1, b1, W2, b2 = net.parameters
    A1, P = network.forward(net.parameters, net.X)
    off = (P - net.Y) / recipe.SAMPLES
    back = (W2.T @ off) * A1 * (1 - A1)
    right = {
        "dW1": back @ net.X.T + net.lam * W1,
        "db1": back.sum(axis=1, keepdims=True) + net.lam * b1,
        "dW2": off @ A1.T + net.lam * W2,
        "db2": off.sum(axis=1, keepdims=True) + net.lam * b2,
    }
    bound = net.roundings() * networks.UNIT * max(np.abs(one).max() for one in right.values())
    for name, slope in some(net.differentiate().items()):
        assert np.abs(slope - right[name]).max() <= bound


def test_the_cross_entropy_of_what_knows_nothing_is_the_logarithm_of_ten():
    assert network.cross_entropy(np.full((10, 10), 0.1), np.eye(10)).real == pytest.approx(np.log(10))


@pytest.mark.parametrize("sizes", [((3, 9, 8), (4, 3, 2), 1, 0), ((2, 8, 9), (3, 3, 4), 2, 1)])
def test_the_derivatives_of_a_convolution_are_differences_of_it(rng, sizes):
    case = convolution.draw(rng, *sizes)
    Y = convolution.convolve(case.X, case.K, case.stride, case.padding)
    found = case.differentiate()
    for name, array in (("dX", case.X), ("dK", case.K)):
        direction = rng.normal(size=array.shape)
        moved = {"X": case.X, "K": case.K} | {name[1]: array + direction}
        change = (case.dY * (convolution.convolve(moved["X"], moved["K"], case.stride, case.padding) - Y)).sum()
        assert change == pytest.approx((found[name] * direction).sum())


def test_a_convolution_of_one_pixel_is_its_kernel():
    K = np.arange(6.0).reshape(1, 1, 2, 3)
    X = np.zeros((1, 3, 5))
    X[0, 1, 2] = 1
    assert np.array_equal(convolution.convolve(X, K, 1, 0)[0], K[0, 0, ::-1, ::-1])


def test_the_digits_of_training_validation_and_test_are_not_the_same():
    found = digits.prepare(SimpleNamespace(dataset=load_dataset(None), seed=1))
    (all_X, all_Y), (X_validation, _) = found.sets
    assert all_X.shape == (recipe.PIXELS, recipe.for_dataset("digits").samples)
    assert X_validation.shape == (recipe.PIXELS, recipe.VALIDATION)
    assert 0 <= all_X.min() < all_X.max() <= 1
    learnt = {column.tobytes() for column in all_X.T}
    assert len(learnt & {column.tobytes() for column in X_validation.T}) < 5
    (X, Y), _ = found.few()
    assert X.shape[1] == Y.shape[1] == recipe.FEW
    assert (Y.sum(axis=0) == 1).all()
    assert (all_Y[:, : recipe.FEW] != Y).any(axis=0).sum() == int(recipe.FEW * recipe.WRONG)
