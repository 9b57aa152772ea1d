"""Fixtures that several checks of `gemm` share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from grader.assignments.gemm import digits, network, products, recipe, steps
from grader.assignments.gemm.answers import GEMM, kernels_of_gemm
from grader.assignments.gemm.digits import Digits, Trainings
from grader.assignments.gemm.network import Network
from grader.assignments.gemm.steps import Steps
from grader.authoring import Array, Background, Setup, Student, attempt
from grader.authoring.judges.scenarios import Drive

USED = ((13, 21, 37), (10, 13, 37), (4, 18, 12), recipe.EVEN, (1, 7, 1))
"""Sizes of products in network and operations, and of a large one."""
FURTHER = (1, 7, 23), (7, 23, 1), (11, 6, 9)
"""Further ones, for which `gemm` may have kernels of their own: a single row, a single column, neither."""


@pytest.fixture(scope="session")
def sound(student: Student, setup: Setup) -> Steps:
    """Those of the three steps that compute a plain product: only they are asked for more."""
    product = steps.plain(np.random.default_rng([setup.seed, 1]))
    return Steps(student, tuple(step for step in recipe.STEPS if steps.is_sound(student, step, product)))


@pytest.fixture(scope="session")
def drive(student: Student, setup: Setup) -> Drive:
    """Runs scenarios that use `gemm`, with the staff's in its place if the submission's is wrong."""
    rng = np.random.default_rng([setup.seed, 2])
    given = [products.draw(rng, sizes, (2.0, 0.5)) for sizes in USED]
    is_sound = all(steps.is_sound(student, recipe.GEMM, product, by_kernels=False) for product in given)
    return Drive(student, () if is_sound else (GEMM,))


@pytest.fixture(scope="session")
def kernels(drive: Drive, setup: Setup) -> frozenset[str]:
    """The names of the kernels that the submission's `gemm` launches."""
    rng = np.random.default_rng([setup.seed, 3])
    return kernels_of_gemm(drive, [products.draw(rng, sizes, (2.0, 0.5)) for sizes in (*USED, *FURTHER)])


@pytest.fixture(scope="session")
def net(setup: Setup) -> Network:
    """A network with samples, by which functions are told from wrong ones before they are used by others."""
    return network.draw(np.random.default_rng([setup.seed, 4]))


@pytest.fixture(scope="session")
def drive_back(drive: Drive, net: Network) -> Drive:
    """Runs the way back, with the staff's way forward if the submission's is wrong."""
    return _without(drive, "forward", (net.parameters, net.X), net.forward())


@pytest.fixture(scope="session")
def trained_with(drive_back: Drive, net: Network) -> Drive:
    """Runs trainings: with the staff's functions for all of the network that is wrong on its own."""
    slopes, P = [np.cos(one) for one in net.parameters], net.forward()["P"]
    stepped = {name: old - slope / 2 for name, old, slope in zip(network.NAMES, net.parameters, slopes, strict=True)}
    found = _without(drive_back, "loss", (net.parameters, P, net.Y, net.lam), {"J": np.array(net.loss())})
    found = _without(found, "gradients", (net.parameters, net.X, net.Y, net.lam), net.differentiate())
    return _without(found, "update", (net.parameters, slopes, 0.5), stepped)


def _without(drive: Drive, name: str, args: tuple[Any, ...], right: Mapping[str, Array]) -> Drive:
    """Return what runs scenarios without a function of mlp.py, if that gives wrong numbers, however it does that."""

    def is_right() -> bool:
        value = drive.run(("mlp_scenarios", name), args, recipe.NETWORK, "it").value
        return all(np.allclose(np.asarray(value[key], float), one, rtol=1e-4) for key, one in right.items())

    return drive if attempt(is_right, False) else Drive(drive.student, (*drive.replaced, f"mlp.{name}"))


@pytest.fixture(scope="session")
def data(setup: Setup) -> Digits:
    """The digits that are learnt, and those that are not."""
    return digits.prepare(setup)


@pytest.fixture(scope="session")
def training(background: Callable[..., Background], trained_with: Drive, setup: Setup, data: Digits) -> Trainings:
    """All trainings, in a worker of their own, begun when it is known what of the network is wrong."""
    setting = recipe.for_dataset(setup.dataset.name)
    shuffled = np.random.default_rng([setup.seed, 6]).permutation(data.Y.T).T
    seed = setup.seed % 2**31
    flat = [(2.3, 2.3)] * (recipe.SHORT[-1] - 1)
    given = (
        data.given,
        np.ascontiguousarray(shuffled),
        (setting.hidden, setting.lam, setting.learning_rate, setting.batch_size, setting.epochs, seed),
        data.few(),
        list(recipe.GRID),
        (*recipe.SHORT, seed),
        [np.array(curves) for curves in recipe.MADE_UP],
        [[np.array([*flat, end]) for end in ends] for ends in recipe.ENDS.values()],
    )
    scenario, args = trained_with.wrapped(("training", "learn"), given)
    return Trainings(background(*scenario, *args, uses=trained_with.followed(recipe.TRAINING)))


@pytest.fixture(scope="session", autouse=True)
def _begin(request: pytest.FixtureRequest) -> None:
    """Begin the trainings before the first check, if any check asks for them: they run beside the others."""
    marks = [item.get_closest_marker("check") for item in request.session.items]
    if any(mark is not None and str(mark.kwargs["id"]).startswith("train.") for mark in marks):
        request.getfixturevalue("training")
