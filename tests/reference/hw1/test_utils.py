import math
import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

SIZES = st.lists(st.integers(1, 40), min_size=2, max_size=5)
FINITE = st.floats(-30, 30)
ARRAYS = hnp.arrays(np.float64, hnp.array_shapes(max_dims=3, max_side=6), elements=FINITE)


@pytest.fixture(scope="module")
def utils(modules):
    return modules("utils")


@given(x=FINITE)
def test_sigmoid_of_a_number_is_the_formula_and_sigmoid_prime_its_slope(utils, x):
    assert utils.sigmoid(x) == pytest.approx(1 / (1 + math.exp(-x)), rel=1e-14)
    step = 1e-5
    slope = (utils.sigmoid(x + step) - utils.sigmoid(x - step)) / (2 * step)
    assert utils.sigmoid_prime(x) == pytest.approx(slope, rel=1e-8, abs=1e-10)


@given(x=ARRAYS)
def test_sigmoid_of_an_array_keeps_its_shape_and_leaves_it_alone_and_sigmoid_prime_has_all_its_digits(utils, x):
    before = x.copy()
    assert utils.sigmoid(x) == pytest.approx(1 / (1 + np.exp(-x)), rel=1e-14)
    np.testing.assert_array_equal(x, before)
    np.testing.assert_allclose(utils.sigmoid_prime(x), np.exp(-np.abs(x)) / (1 + np.exp(-np.abs(x))) ** 2, rtol=1e-13)


@pytest.mark.parametrize(("x", "expected"), [(-1e6, 0.0), (-1000, 0.0), (1000, 1.0), (1e6, 1.0), (0, 0.5)])
def test_sigmoid_is_quiet_far_out(utils, x, expected):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert utils.sigmoid(np.array([x], dtype=np.float64))[0] == pytest.approx(expected, abs=1e-300)
        assert utils.sigmoid_prime(x) == pytest.approx(0.25 if x == 0 else 0.0, abs=1e-300)


@given(sizes=SIZES)
def test_weights_connect_neighbouring_layers_and_every_layer_but_the_input_has_zero_biases(utils, sizes):
    shapes = list(pairwise(sizes))
    assert [w.shape for w in utils.random_weights(sizes)] == shapes
    assert [w.shape for w in utils.zeros_weights(sizes)] == shapes
    assert not any(w.any() for w in utils.zeros_weights(sizes))
    biases = utils.zeros_biases(sizes)
    assert [b.shape for b in biases] == [(n,) for n in sizes[1:]]
    assert not any(b.any() for b in biases)


def test_random_weights_are_uniform_between_the_xavier_bounds(utils):
    (weights,) = utils.random_weights([400, 500])
    assert np.abs(weights).max() <= 1 / 20
    assert np.std(weights) == pytest.approx(1 / (20 * math.sqrt(3)), rel=0.01)
    assert not np.array_equal(weights, utils.random_weights([400, 500])[0])


@given(samples=st.integers(0, 60), batch_size=st.integers(1, 70), one_hot=st.booleans())
def test_batches_hold_every_sample_once_and_in_order(utils, samples, batch_size, one_hot):
    data = np.arange(samples * 3).reshape(samples, 3)
    labels = np.eye(10)[np.arange(samples) % 10] if one_hot else np.arange(samples)
    batches = utils.create_batches(data, labels, batch_size)
    assert [len(part) for part, _ in batches[:-1]] == [batch_size] * (len(batches) - 1)
    assert len(batches) == math.ceil(samples / batch_size)
    np.testing.assert_array_equal(np.concatenate([data[:0], *[part for part, _ in batches]]), data)
    np.testing.assert_array_equal(np.concatenate([labels[:0], *[part for _, part in batches]]), labels)


@given(pairs=st.lists(st.tuples(FINITE, FINITE)))
def test_numbers_add_entry_by_entry(utils, pairs):
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    assert utils.add_elementwise(first, second) == [a + b for a, b in pairs]


def test_arrays_of_different_shapes_add_entry_by_entry(utils):
    first, second = [np.ones((2, 3)), np.ones(4)], [np.full((2, 3), 2.0), np.zeros(4)]
    total = utils.add_elementwise(first, second)
    np.testing.assert_array_equal(total[0], np.full((2, 3), 3.0))
    np.testing.assert_array_equal(total[1], np.ones(4))
    np.testing.assert_array_equal(first[0], np.ones((2, 3)))
