"""Fixtures that several checks of hw1 share."""

from collections.abc import Callable

import numpy as np
import pytest

from grader.assignments.hw1 import recipe
from grader.authoring import Background, Setup, Student
from grader.authoring.fixtures import id_of
from grader.authoring.judges.substitutes import Runner


@pytest.fixture(scope="session")
def runner(student: Student, setup: Setup) -> Runner:
    """Runs functions and scenarios that use functions of utils.py."""
    return Runner.of(student, setup)


@pytest.fixture(scope="session")
def train(background: Callable[..., Background], setup: Setup) -> Callable[[Runner], Background]:
    """Start a training with the submitted utils; the runner has the staff's functions in place of wrong ones."""

    def start(runner: Runner) -> Background:
        data = setup.dataset
        training = recipe.for_dataset(data.name)
        shuffled = np.random.default_rng(setup.seed).permutation(data.train_labels)
        samples = data.train_images, data.train_labels, shuffled
        settings = (list(recipe.SIZES), training.learning_rate, training.batch_size)
        lengths = training.epochs, recipe.CONTROL_STEPS
        call, args = runner.wrapped(("training", "train"), (*samples, settings, *lengths, setup.seed % 2**32))
        uses = [("utils", name) for name in recipe.UTILS]
        return background(*call, *args, uses=uses, subject="the training with your utils.py")

    return start


@pytest.fixture(scope="session", autouse=True)
def training(
    request: pytest.FixtureRequest, runner: Runner, train: Callable[[Runner], Background]
) -> Background | None:
    """The training, started before the first check and awaited by `train.accuracy`; None if that check does not run."""
    return train(runner) if any(id_of(item) == "train.accuracy" for item in request.session.items) else None
