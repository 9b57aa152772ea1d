"""Fixtures that several checks of hw1 share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from grader.assignments.hw1 import recipe
from grader.authoring import Background, Setup
from grader.authoring.fixtures import id_of


@pytest.fixture(scope="session")
def train(background: Callable[..., Background], setup: Setup) -> Callable[[Sequence[str]], Background]:
    """Start a training with the submitted utils, but the staff's functions in place of those that are named."""

    def start(replaced: Sequence[str]) -> Background:
        data = setup.dataset
        training = recipe.for_dataset(data.name)
        shuffled = np.random.default_rng(setup.seed).permutation(data.train_labels)
        call = ("borrowed", "train", list(replaced)) if replaced else ("training", "train")
        return background(
            *call,
            data.train_images,
            data.train_labels,
            shuffled,
            (list(recipe.SIZES), training.learning_rate, training.batch_size),
            training.epochs,
            recipe.CONTROL_STEPS,
            setup.seed % 2**32,
            uses=[("utils", name) for name in recipe.UTILS],
        )

    return start


@pytest.fixture(scope="session", autouse=True)
def training(request: pytest.FixtureRequest, train: Callable[[Sequence[str]], Background]) -> Background | None:
    """The training, started before the first check and awaited by `train.accuracy`; None if nobody will ask."""
    is_asked = any(id_of(item) == "train.accuracy" for item in request.session.items)
    return train(()) if is_asked else None
