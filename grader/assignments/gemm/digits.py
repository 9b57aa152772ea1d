"""Handwritten digits as the network of the sheet takes them: columns of 64 numbers from 0 to 1, and one-hot labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.assignments.gemm import network, recipe
from grader.authoring import Array, Background, Setup
from grader.authoring.comparison import as_array

SIDE, FRAME, EACH = 28, 2, 3
"""Of the 28 × 28 pixels of an image, those within a frame of 2 are averaged in squares of 3 × 3."""


@dataclass(frozen=True, slots=True)
class Digits:
    """What is learnt, what only the curves see, and what the worker never sees."""

    X: Array
    Y: Array
    X_validation: Array
    Y_validation: Array
    X_test: Array

    @property
    def given(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """What a training is given: samples and labels of training and of validation."""
        return (self.X, self.Y), (self.X_validation, self.Y_validation)

    def few(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """Return what a training is given where lambda is chosen: a network soon knows it by heart."""
        X, X_validation = recipe.CONTRAST * self.X[:, : recipe.FEW], recipe.CONTRAST * self.X_validation
        return (X, spoil(self.Y[:, : recipe.FEW])), (X_validation, spoil(self.Y_validation))


def prepare(setup: Setup) -> Digits:
    """Return the digits of this grading's data set, in an order of its own."""
    data = setup.dataset
    count = recipe.for_dataset(data.name).samples
    order = np.random.default_rng([setup.seed, 5]).permutation(len(data.train_labels))
    learnt, validation = order[:count], order[count : count + recipe.VALIDATION]
    return Digits(
        average(data.train_images[learnt]),
        one_hot(data.train_labels[learnt]),
        average(data.train_images[validation]),
        one_hot(data.train_labels[validation]),
        average(data.test_images),
    )


def give(setup: Setup, data: Digits) -> tuple[Any, ...]:
    """Return what `staff/training.py` is given."""
    setting = recipe.for_dataset(setup.dataset.name)
    seed, shuffled = setup.seed % 2**31, np.random.default_rng([setup.seed, 6]).permutation(data.Y.T).T
    flat = [(2.3, 2.3)] * (recipe.SHORT[-1] - 1)
    return (
        data.given,
        np.ascontiguousarray(shuffled),
        (setting.hidden, setting.lam, setting.learning_rate, setting.batch_size, setting.epochs, seed),
        data.few(),
        list(recipe.GRID),
        (*recipe.SHORT, seed),
        [np.array(curves) for curves in recipe.MADE_UP],
        [[np.array([*flat, end]) for end in ends] for ends in recipe.ENDS.values()],
    )


def spoil(labels: Array) -> Array:
    """Return one-hot labels of which a share is wrong."""
    found, wrong = labels.copy(), int(labels.shape[1] * recipe.WRONG)
    found[:, :wrong] = np.roll(labels[:, :wrong], 3, axis=0)
    return found


def average(images: Array) -> Array:
    """Return images as columns of 64 numbers."""
    inside = images.reshape(-1, SIDE, SIDE)[:, FRAME : SIDE - FRAME, FRAME : SIDE - FRAME]
    side = (SIDE - 2 * FRAME) // EACH
    means = inside.reshape(-1, side, EACH, side, EACH).mean(axis=(2, 4)) / 255
    return np.ascontiguousarray(means.reshape(-1, side * side).T)


def one_hot(labels: Array) -> Array:
    """Return labels as columns of ten numbers, of which one is 1."""
    return np.ascontiguousarray(np.eye(recipe.CLASSES)[labels].T)


def as_parameters(found: Any, hidden: int) -> list[Array] | None:
    """Return the parameters that a training returned; None if they are none of the network's."""
    shapes = [(hidden, recipe.PIXELS), (hidden, 1), (recipe.CLASSES, hidden), (recipe.CLASSES, 1)]
    arrays = [as_array(one) for one in found] if isinstance(found, list | tuple) else []
    held = [one.astype(float) for one in arrays if isinstance(one, np.ndarray)]
    fits = [one.shape for one in held] == shapes and all(np.isfinite(one).all() for one in held)
    return held if fits else None


def predict(parameters: list[Array], X: Array) -> Array:
    """Return the most probable class of each sample."""
    with np.errstate(over="ignore"):
        return np.asarray(network.forward(parameters, X)[1].argmax(axis=0))


def answer_of(training: Background) -> dict[str, Any]:
    """Return what `staff/training.py` came to; whatever it is, it is a dict."""
    found = training.result(recipe.LIMIT_S)
    return found if isinstance(found, dict) else {}


def predictions_of(images: Array, hidden: int, answer: Any) -> dict[str, Any]:
    """Return what the parameters of a training predict, before and after it, and those of the control."""
    given = answer if isinstance(answer, dict) else {}
    held = [as_parameters(given.get(name), hidden) for name in ("before", "after", "control")]
    if any(one is None for one in held):
        return {}
    before, after, control = (predict(one, images).astype(np.uint8) for one in held if one is not None)
    return {"predictions": np.array([before, after]), "control": control}
