"""Fixtures that several checks of hw1 share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from grader.assignments.hw1 import recipe
from grader.authoring import Background, Setup, Student
from grader.authoring.fixtures import id_of


@pytest.fixture(scope="session")
def train(background: Callable[..., Background], student: Student, setup: Setup) -> Callable[[bool], Background]:
    """Start a training with the submitted utils; if so asked, with the staff's sigmoid among them."""

    def start(borrowed_sigmoid: bool) -> Background:
        data = setup.dataset
        training = recipe.for_dataset(data.name)
        shuffled = np.random.default_rng(setup.seed).permutation(data.train_labels)
        return background(
            "borrowed" if borrowed_sigmoid else "training",
            "train",
            data.train_images,
            data.train_labels,
            shuffled,
            data.test_images,
            (list(recipe.SIZES), training.learning_rate, training.batch_size),
            training.epochs,
            recipe.CONTROL_STEPS,
            setup.seed % 2**32,
            sliced=student.are_closed("utils", recipe.UTILS),
            holds=lambda: student.runs_as_slices("utils", recipe.UTILS),
        )

    return start


@pytest.fixture(scope="session", autouse=True)
def training(request: pytest.FixtureRequest, train: Callable[[bool], Background]) -> Background | None:
    """The training, started before the first check and awaited by `train.accuracy`; None if nobody will ask."""
    is_asked = any(id_of(item) == "train.accuracy" for item in request.session.items)
    return train(False) if is_asked else None
