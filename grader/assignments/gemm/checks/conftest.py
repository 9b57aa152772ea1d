"""Fixtures that several checks of `gemm` share; the parts that others use, in the order of their needs."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from grader.assignments.gemm import digits, network, products, recipe, steps
from grader.assignments.gemm.answers import kernels_of_gemm
from grader.assignments.gemm.digits import Digits
from grader.assignments.gemm.network import Network
from grader.assignments.gemm.products import Product
from grader.assignments.gemm.steps import Steps
from grader.authoring import Background, Note, Setup, Student
from grader.authoring.fixtures import id_of
from grader.authoring.judges.substitutes import Part, Runner, find_wrong, part

USED = ((13, 21, 37), (10, 13, 37), (4, 18, 12), recipe.EVEN, (1, 7, 1))
"""Sizes of products in network and operations, and of a large one."""
FURTHER = (1, 7, 23), (7, 23, 1), (11, 6, 9)
"""Further ones, for which `gemm` may have kernels of their own: a single row, a single column, neither."""


def draw_products(rng: np.random.Generator, sizes: Sequence[tuple[int, int, int]]) -> list[Product]:
    """Return a product with two factors for each triple of sizes."""
    return [products.draw(rng, triple, (2.0, 0.5)) for triple in sizes]


def parts_of_gemm(rng: np.random.Generator) -> Iterator[Part]:
    """Yield `gemm`, once for each product that it has to get right, by kernels or not."""
    for product in draw_products(rng, USED):

        def judge(runner: Runner, product: Product = product) -> None:
            steps.compare(steps.run(runner.student, recipe.GEMM, product), product, [], Note())

        yield Part("gemm.gemm", judge)


def parts_of_network(net: Network) -> Iterator[Part]:
    """Yield the functions of mlp.py, the way forward first, whatever computes their numbers."""
    slopes, P = [np.cos(parameter) for parameter in net.parameters], net.forward()["P"]
    stepped = {name: old - slope / 2 for name, old, slope in zip(network.NAMES, net.parameters, slopes, strict=True)}
    for name, args, right in (
        ("forward", (net.parameters, net.X), net.forward()),
        ("loss", (net.parameters, P, net.Y, net.lam), {"J": np.array(net.loss())}),
        ("gradients", (net.parameters, net.X, net.Y, net.lam), net.differentiate()),
        ("update", (net.parameters, slopes, 0.5), stepped),
    ):
        yield part(f"mlp.{name}", ("mlp_scenarios", name), args, recipe.NETWORK, right)


def forward_by_kernels(net: Network) -> Part:
    """Return the way forward, by kernels: the derivatives need not bear it that the host computes there."""
    call, args = ("mlp_scenarios", "forward"), (net.parameters, net.X)
    return part("mlp.forward", call, args, recipe.NETWORK, net.forward(), by_kernels=True)


@pytest.fixture(scope="session")
def sound(student: Student, setup: Setup) -> Steps:
    """Those of the three steps that compute a plain product: only they are asked for more."""
    product = steps.plain(np.random.default_rng([setup.seed, 1]))
    return Steps(student, tuple(step for step in recipe.STEPS if steps.is_sound(student, step, product)))


@pytest.fixture(scope="session")
def runner(student: Student, setup: Setup) -> Runner:
    """Runs scenarios that use `gemm`, with the staff's in its place if the submission's is wrong."""
    return find_wrong(Runner.of(student, setup), parts_of_gemm(np.random.default_rng([setup.seed, 2])))


@pytest.fixture(scope="session")
def kernels(runner: Runner, setup: Setup) -> frozenset[str]:
    """File and line of the kernels that the submission's `gemm` launches."""
    rng = np.random.default_rng([setup.seed, 3])
    return kernels_of_gemm(runner, draw_products(rng, (*USED, *FURTHER)))


@pytest.fixture(scope="session")
def net(setup: Setup) -> Network:
    """A network with samples, by which functions are told from wrong ones before they are used by others."""
    return network.draw(np.random.default_rng([setup.seed, 4]))


@pytest.fixture(scope="session")
def trained_with(runner: Runner, net: Network) -> Runner:
    """Runs trainings: with the staff's functions for all of the network that is wrong on its own."""
    return find_wrong(runner, parts_of_network(net))


@pytest.fixture(scope="session")
def back_with(trained_with: Runner, net: Network) -> Runner:
    """Runs the way back, with the staff's way forward if the submission's is wrong, or not the work of kernels."""
    return find_wrong(trained_with.only("gemm.gemm", "mlp.forward"), [forward_by_kernels(net)])


@pytest.fixture(scope="session")
def data(setup: Setup) -> Digits:
    """The digits that are learnt, and those that are not."""
    return digits.prepare(setup)


@pytest.fixture(scope="session")
def training(background: Callable[..., Background], trained_with: Runner, setup: Setup, data: Digits) -> Background:
    """All trainings, in a worker of their own, begun when it is known what of the network is wrong."""
    call, args = trained_with.wrapped(("training", "learn"), digits.args_of_training(setup, data))
    return background(*call, *args, uses=trained_with.followed(recipe.TRAINING), subject="the training")


@pytest.fixture(scope="session", autouse=True)
def _begin(request: pytest.FixtureRequest) -> None:
    """Begin the trainings before the first check, if any check asks for them: they run beside the others."""
    if any(id_of(item).startswith("train.") for item in request.session.items):
        request.getfixturevalue("training")
