"""Fixtures that several checks of `layers` share."""

from collections.abc import Callable

import numpy as np
import pytest

from grader.assignments.layers import inputs, parts, recipe
from grader.authoring import Array, Background, Setup, Student
from grader.authoring.judges.substitutes import Runner, find_wrong

Data = tuple[Array, Array, Array, Array]


@pytest.fixture(scope="session")
def points(setup: Setup) -> Data:
    """Points to learn, their labels, hidden points and their labels, all with samples as columns."""
    rng = np.random.default_rng([setup.seed, 2])
    return (*inputs.draw_points(rng, recipe.POINTS), *inputs.draw_points(rng, recipe.HIDDEN_POINTS, recipe.MARGIN))


@pytest.fixture(scope="session")
def runner(student: Student, setup: Setup) -> Runner:
    """Runs scenarios, with the staff's Matrix if the submission's is wrong."""
    own = Runner.of(student, setup, "network.FFN")  # the training is always the submission's
    return find_wrong(own, parts.of_matrix(np.random.default_rng([setup.seed, 4])))


@pytest.fixture(scope="session")
def net_runner(runner: Runner) -> Runner:
    """Runs scenarios of the network, with the staff's parts also in place of missing files."""
    return runner.without_missing(recipe.NETWORK)


@pytest.fixture(scope="session")
def trained_with(net_runner: Runner, setup: Setup) -> Runner:
    """Runs trainings, with the staff's parts in place of wrong parts of the CPU path."""
    path = parts.of_path(np.random.default_rng([setup.seed, 3]), cpu_only=True)
    return find_wrong(net_runner, (*path, parts.WEIGHTS, parts.ORDER))


@pytest.fixture(scope="session")
def timed_with(net_runner: Runner, setup: Setup) -> Runner:
    """Runs timed trainings, with the staff's in place of parts of the GPU path that are wrong, or not by kernels.

    The staff's parts use NumPy: they make no training faster, so no submission gains by them.
    """
    if setup.device != "gpu":
        return net_runner
    return find_wrong(net_runner, (*parts.of_path(np.random.default_rng([setup.seed, 3]), cpu_only=False), parts.ORDER))


@pytest.fixture(scope="session")
def training(background: Callable[..., Background], trained_with: Runner, setup: Setup, points: Data) -> Background:
    """The training of the whole network on the CPU path."""
    learnt, labels, hidden, _ = points
    columns = learnt, labels, inputs.label_otherwise(learnt, setup.seed)
    batches = (inputs.cut(array, recipe.BATCH_SIZE) for array in columns)
    setting = (recipe.LEARNING_RATE, recipe.EPOCHS, setup.seed % 2**31)
    scenario, args = trained_with.wrapped((parts.NETWORK, "train"), (recipe.HIDDEN, *batches, hidden, setting))
    return background(*scenario, *args, uses=trained_with.followed(recipe.NETWORK), subject="the training")


@pytest.fixture(scope="session")
def measured() -> dict[str, float]:
    """Values that timed checks share: `speedup` of the GPU path over the submission's own CPU path, and `gpu_s`."""
    return {}
