"""Handwritten digits as the network of the sheet takes them: columns of 64 numbers from 0 to 1, and one-hot labels."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.assignments.gemm import network, recipe
from grader.authoring import Array, Background, Setup, StudentFault
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


class Trainings:
    """All trainings of a submission: one call, whose answer several checks ask for."""

    def __init__(self, call: Background) -> None:
        self._call = call
        self._answer: dict[str, Any] | None = None
        self._fault: StudentFault | None = None

    @property
    def doubt(self) -> str:
        """See `Background`."""
        return self._call.doubt

    def result(self, limit_s: float = recipe.LIMIT_S) -> dict[str, Any]:
        """Return the answer of `staff/training.py`; whatever it is, it is a dict.

        Raises:
            StudentFault: the trainings raised, crashed or took too long; told again each time.
        """
        if self._answer is None and self._fault is None:
            try:
                found = self._call.result(limit_s)
                self._answer = found if isinstance(found, dict) else {}
            except StudentFault as fault:
                text = re.sub("^`(learn|call)`", "the training", fault.finding.message)
                text = re.sub(" in `(learn|call)`", " in the training", text)
                self._fault = StudentFault(replace(fault.finding, message=text[:1].upper() + text[1:]))
        if self._fault is not None:
            raise self._fault
        return self._answer or {}


def predictions_of(images: Array, hidden: int, answer: Any) -> dict[str, Any]:
    """Return what the parameters of a training predict, before and after it, and those of the control."""
    held = [as_parameters(answer.get(name), hidden) for name in ("before", "after", "control")]
    if any(one is None for one in held):
        return {}
    before, after, control = (predict(one, images).astype(np.uint8) for one in held if one is not None)
    return {"predictions": np.array([before, after]), "control": control}
