"""Handwritten digits as the network of the sheet takes them: columns of 64 numbers from 0 to 1, and one-hot labels."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.assignments.gemm import network, recipe
from grader.authoring import Array, Background, Setup
from grader.authoring.comparison import as_numbers

SIDE, FRAME, EACH = 28, 2, 3
"""Of the 28 × 28 pixels of an image, those within a frame of 2 are averaged in squares of 3 × 3."""


@dataclass(frozen=True, slots=True)
class Digits:
    """Samples for training, samples for validation, and test images, which the worker never sees."""

    sets: tuple[tuple[Array, Array], tuple[Array, Array]]  # samples and labels of training and of validation
    X_test: Array

    def few(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """Return the sets for the choice of lambda, so small that a network soon knows the samples by heart."""
        (X, Y), (X_validation, Y_validation) = self.sets
        X, X_validation = recipe.CONTRAST * X[:, : recipe.FEW], recipe.CONTRAST * X_validation
        return (X, spoil(Y[:, : recipe.FEW])), (X_validation, spoil(Y_validation))


def prepare(setup: Setup) -> Digits:
    """Return the digits of this grading's data set, in an order of its own."""
    data = setup.dataset
    count = recipe.for_dataset(data.name).samples
    order = np.random.default_rng([setup.seed, 5]).permutation(len(data.train_labels))
    learnt, validation = (
        (average(data.train_images[places]), np.take(np.eye(recipe.CLASSES), data.train_labels[places], axis=1))
        for places in (order[:count], order[count : count + recipe.VALIDATION])
    )
    return Digits((learnt, validation), average(data.test_images))


def args_of_training(setup: Setup, data: Digits) -> tuple[Any, ...]:
    """Return the arguments of `learn` in `staff/training.py`."""
    setting = recipe.for_dataset(setup.dataset.name)
    seed, shuffled = setup.seed % 2**31, np.random.default_rng([setup.seed, 6]).permutation(data.sets[0][1].T).T
    flat = [(2.3, 2.3)] * (recipe.SHORT[-1] - 2)
    return (
        data.sets,
        np.ascontiguousarray(shuffled),
        (setting.hidden, setting.lam, setting.learning_rate, setting.batch_size, setting.epochs, seed),
        data.few(),
        list(recipe.GRID),
        (*recipe.SHORT, seed),
        [np.array(curves) for curves in recipe.MADE_UP],
        [[np.array([*flat, *rows]) for rows in zip(recipe.BEFORE, ends, strict=True)] for ends in recipe.ENDS.values()],
    )


def spoil(labels: Array) -> Array:
    """Return one-hot labels of which a share is wrong."""
    spoilt, wrong = labels.copy(), int(labels.shape[1] * recipe.WRONG)
    spoilt[:, :wrong] = np.roll(labels[:, :wrong], 3, axis=0)
    return spoilt


def average(images: Array) -> Array:
    """Return images as columns of 64 numbers."""
    inside = images.reshape(-1, SIDE, SIDE)[:, FRAME : SIDE - FRAME, FRAME : SIDE - FRAME]
    side = (SIDE - 2 * FRAME) // EACH
    means = inside.reshape(-1, side, EACH, side, EACH).mean(axis=(2, 4)) / 255
    return np.ascontiguousarray(means.reshape(-1, side * side).T)


def as_parameters(value: Any, hidden: int) -> list[Array] | None:
    """Return W1, b1, W2, b2 of those that a training returned in any order; None if one is missing or not finite."""
    shapes = [(hidden, recipe.PIXELS), (hidden,), (recipe.CLASSES, hidden), (recipe.CLASSES,)]
    arrays = [as_numbers(part) for part in value] if isinstance(value, list | tuple) else []
    found = {np.squeeze(array).shape: array for array in arrays if np.isfinite(array).all()}
    if len(arrays) != len(shapes) or found.keys() != {*shapes}:
        return None
    return [found[shape].reshape(shape[0], -1) for shape in shapes]


def classify(images: Array, hidden: int, state: Any) -> Array | None:
    """Return the most probable class of each image; None if `state` has no parameters of the network."""
    parameters = as_parameters(state, hidden)
    if parameters is None:
        return None
    with np.errstate(over="ignore"):
        return np.asarray(network.forward(parameters, images)[1].argmax(axis=0), np.uint8)


def answer_of(training: Background) -> dict[str, Any]:
    """Return the answer of `staff/training.py`; an empty dict if the answer is no dict."""
    answer = training.result(recipe.LIMIT_S)
    return answer if isinstance(answer, dict) else {}


def last_of(states: Any) -> Any:
    """Return the last of the parameters that trainings, or epochs, ended with; None if `states` is no such list."""
    return states[-1] if isinstance(states, list) and states else None
