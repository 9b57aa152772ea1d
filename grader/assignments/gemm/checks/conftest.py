"""Fixtures that several checks of `gemm` share."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from grader.assignments.gemm import digits, network, products, recipe, steps
from grader.assignments.gemm.answers import kernels_of_gemm
from grader.assignments.gemm.digits import Digits
from grader.assignments.gemm.steps import Steps
from grader.authoring import Background, Setup, Student
from grader.authoring.fixtures import id_of
from grader.authoring.judges.substitutes import Runner, find_wrong, part

USED = ((13, 21, 37), (10, 13, 37), (4, 18, 12), recipe.EVEN, (1, 7, 1))
"""Sizes of products in the network and in the operations, and one large size."""
FURTHER = (1, 7, 23), (7, 23, 1), (11, 6, 9)
"""More sizes, for which `gemm` may use other kernels: a single row, a single column, neither."""
FACTORS = (2.0, 0.5), (1.0, 0.0), (2.0, 1.0)
"""α and β: `gemm` may use other kernels where C is not read, or where it is only added to."""


@pytest.fixture(scope="session")
def sound(student: Student, setup: Setup) -> Steps:
    """The steps that compute a plain product; only these have to pass further checks."""
    product = steps.plain(np.random.default_rng([setup.seed, 1]))
    sound, added = [step for step in recipe.STEPS if steps.is_sound(student, step, product)], replace(product, beta=1.0)
    return Steps(student, {step: float(steps.is_sound(student, step, added)) for step in sound})


@pytest.fixture(scope="session")
def runner(student: Student, setup: Setup) -> Runner:
    """Runs scenarios that use `gemm`, with the staff's `gemm` if the submission's is wrong."""
    rng = np.random.default_rng([setup.seed, 2])
    needed = [products.draw(rng, sizes, (2.0, beta)) for sizes in USED for beta in (0.5, 0.0)]
    return find_wrong(Runner.of(student, setup), steps.parts(needed))


@pytest.fixture(scope="session")
def kernels(runner: Runner, setup: Setup) -> frozenset[str]:
    """File and line of the kernels that the submission's `gemm` launches."""
    rng = np.random.default_rng([setup.seed, 3])
    return kernels_of_gemm(runner, [products.draw(rng, sizes, pair) for sizes in (*USED, *FURTHER) for pair in FACTORS])


@pytest.fixture(scope="session")
def trained_with(runner: Runner, setup: Setup) -> Runner:
    """Runs trainings, with the staff's functions in place of wrong functions of the network."""
    return find_wrong(runner, network.parts(network.draw(np.random.default_rng([setup.seed, 4]))))


@pytest.fixture(scope="session")
def back_with(trained_with: Runner, setup: Setup) -> Runner:
    """Runs the backward pass, with the staff's `forward` if the submission's is wrong or not computed by kernels."""
    net = network.draw(np.random.default_rng([setup.seed, 8]))  # a new one: kept memory may hold answers for the other
    call, args = ("mlp_scenarios", "forward"), (net.parameters, net.X)
    forward = part("mlp.forward", call, args, recipe.NETWORK, net.forward(), by_kernels=True)
    return find_wrong(trained_with.only("gemm.gemm", "mlp.forward"), [forward])


@pytest.fixture(scope="session")
def data(setup: Setup) -> Digits:
    """The digits of the training, and the hidden ones."""
    return digits.prepare(setup)


@pytest.fixture(scope="session")
def training(background: Callable[..., Background], trained_with: Runner, setup: Setup, data: Digits) -> Background:
    """All trainings, in their own worker; they begin when the wrong functions of the network are known."""
    call, args = trained_with.wrapped(("training", "learn"), digits.args_of_training(setup, data))
    return background(*call, *args, uses=trained_with.followed(recipe.TRAINING), subject="the training")


@pytest.fixture(scope="session", autouse=True)
def _begin(request: pytest.FixtureRequest) -> None:
    """Begin the trainings before the first check, if any check needs them: they run beside the other checks."""
    if any(id_of(item).startswith("train.") for item in request.session.items):
        request.getfixturevalue("training")
