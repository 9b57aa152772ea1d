"""Weights and biases of a network: how many there have to be, and of which shapes."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from grader.authoring import Answer, StudentFault
from grader.authoring.judges import weights

NAME = ("net", "make")
SIZES = [784, 128, 10]


def student(function):
    return SimpleNamespace(run=lambda _module, _function, args: Answer("it", function(*args)))


@pytest.mark.parametrize("extra", [[], [np.zeros(784)], [np.zeros(1)]])
def test_a_vector_for_the_first_layer_is_left_out(extra):
    found = weights.expect_vectors(student(lambda sizes: [*extra, *map(np.zeros, sizes[1:])]), NAME, SIZES)
    assert [vector.shape for vector in found] == [(128,), (10,)]


@pytest.mark.parametrize(
    ("made", "hint"),
    [([0.0] * 5, "one vector for each layer"), ([np.zeros(128)], "Every layer after the input layer")],
)
def test_another_number_of_vectors_fails_with_what_it_shows(made, hint):
    with pytest.raises(StudentFault, match=r"`make\(\[784, 128, 10\]\)` returned \d vectors") as caught:
        weights.expect_vectors(student(lambda _sizes: made), NAME, SIZES)
    assert hint in caught.value.finding.hint


def draw(rng, sizes):
    return [rng.uniform(-1, 1, shape) / np.sqrt(shape[0]) for shape in pairwise(sizes)]


def test_random_weights_are_drawn_anew_each_time():
    rng = np.random.default_rng(1)
    weights.expect_random(student(lambda sizes: draw(rng, sizes)), NAME, [SIZES], "")
    with pytest.raises(StudentFault, match="the same numbers on every call"):
        weights.expect_random(student(lambda sizes: draw(np.random.default_rng(1), sizes)), NAME, [SIZES], "")


@pytest.mark.parametrize(
    ("change", "words"),
    [(lambda w: 2 * w, "has weights beyond"), (lambda w: w**3, "not spread evenly"), (lambda w: w.T, "the shapes")],
)
def test_random_weights_of_another_kind_fail(change, words):
    rng = np.random.default_rng(1)
    with pytest.raises(StudentFault, match=words):
        weights.expect_random(student(lambda sizes: list(map(change, draw(rng, sizes)))), NAME, [SIZES], "")
