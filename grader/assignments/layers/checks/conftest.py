"""Fixtures that several checks of `layers` share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from grader.assignments.layers import copying, inputs, recipe
from grader.authoring import Array, Background, Note, Parts, Setup, Student, attempt, expect
from grader.authoring.judges import kernels
from grader.authoring.judges.scenarios import Drive

OWN_MATRIX = "matrix.Matrix"
WHEN = ("set", "written", "set_again")
MATRIX, LAYER, LOSS, NETWORK = "matrix_scenarios", "layer_scenarios", "loss_scenarios", "network_scenarios"
Data = tuple[Array, Array, Array, Array]


@pytest.fixture(scope="session")
def points(setup: Setup) -> Data:
    """Points to learn, their labels, hidden points and their labels, all with samples as columns."""
    rng = np.random.default_rng([setup.seed, 2])
    learnt = inputs.draw_points(rng, recipe.POINTS)
    return (*learnt, *inputs.draw_points(rng, recipe.HIDDEN_POINTS, recipe.MARGIN))


@pytest.fixture(scope="session")
def drive(student: Student, setup: Setup) -> Drive:
    """Runs scenarios, with the staff's Matrix if the submission's was found wrong."""
    given = tuple(np.random.default_rng([setup.seed, 4]).normal(size=(3, 2, 3)))
    right = {f"{when}_{side}": one for when, one in zip(WHEN, given, strict=True) for side in ("device", "host")}
    right["zeros"] = np.zeros((2, 3))
    own = Drive(student)
    is_sound = _is_sound(own, (MATRIX, "go_around"), given, recipe.MATRIX, right)
    if is_sound:
        asked = own.run((MATRIX, "ask_often"), given, recipe.MATRIX, "it")
        is_sound = not (asked.is_observed and copying.is_needless(copying.compare(asked, given, Note()), given))
    return Drive(student, () if is_sound else (OWN_MATRIX,), ("staffs_matrix", "call"))


@pytest.fixture(scope="session")
def training(
    background: Callable[..., Background], drive: Drive, setup: Setup, points: Data, unsound: list[str]
) -> Background:
    """The training of the whole network on the CPU path."""
    learnt, labels, hidden, _ = points
    given = (
        recipe.HIDDEN,
        inputs.cut(learnt, recipe.BATCH_SIZE),
        inputs.cut(labels, recipe.BATCH_SIZE),
        inputs.cut(inputs.label_otherwise(learnt), recipe.BATCH_SIZE),
        hidden,
        (recipe.LEARNING_RATE, recipe.EPOCHS, setup.seed % 2**31),
        unsound,
    )
    scenario, args = drive.wrapped((NETWORK, "train"), given)
    return background(*scenario, *args, uses=drive.followed(recipe.NETWORK))


@pytest.fixture(scope="session")
def unsound(drive: Drive, setup: Setup) -> list[str]:
    """The parts of the CPU path that are wrong on their own: the training has the staff's in their place.

    So one mistake costs one check.
    """
    found = _find_unsound(drive, setup, cpu_only=True)
    return [*found, *_unsound_otherwise(drive, {*found})]


@pytest.fixture(scope="session")
def slow_parts(drive: Drive, setup: Setup, unsound: list[str]) -> list[str]:
    """The parts that are wrong on the GPU, or not the work of kernels: what is timed there has the staff's, in NumPy.

    They make nothing faster, so that nobody gains by them; empty where nothing is timed.
    """
    if setup.device != "gpu":
        return []
    return [*_find_unsound(drive, setup, cpu_only=False), *({"FFN"} & {*unsound})]


@pytest.fixture(scope="session")
def measured() -> dict[str, float]:
    """What one timed check leaves for another: `speedup`, of the own GPU path to the own CPU path."""
    return {}


def _find_unsound(drive: Drive, setup: Setup, *, cpu_only: bool) -> list[str]:
    """Return the parts that give wrong numbers, or, on the GPU path, numbers that no kernel computes."""
    rng = np.random.default_rng([setup.seed, 3])
    case, (Z, dA), (y_hat, y) = inputs.draw_linear(rng), inputs.draw_activation(rng), inputs.draw_predictions(rng)
    update = (case.W, case.b, case.A, case.W**2, case.b**2, 0.5)
    stepped = {"W": case.W - case.W**2 / 2, "b": case.b - case.b**2 / 2}
    slope = inputs.sigmoid(Z) * (1 - inputs.sigmoid(Z))
    gradient = -y / y_hat + (1 - y) / (1 - y_hat)
    trials: tuple[tuple[str, tuple[str, str], tuple[Any, ...], dict[str, Array]], ...] = (
        ("Linear", (LAYER, "linear_forward"), case.given[:3], _values(case.solve_forward())),
        ("Linear", (LAYER, "linear_backward"), case.given, _values(case.solve_backward())),
        ("Linear", (LAYER, "linear_update"), update, stepped),
        ("ReLU", (LAYER, "activation"), ("ReLU", Z, dA), {"A": inputs.relu(Z), "dZ": dA * (Z > 0)}),
        ("Sigmoid", (LAYER, "activation"), ("Sigmoid", Z, dA), {"A": inputs.sigmoid(Z), "dZ": dA * slope}),
        ("cross_entropy_gradient", (LOSS, "gradient"), (y_hat, y), {"gradient": gradient}),
    )
    uses = {LAYER: (*recipe.LAYERS, *recipe.MATRIX), LOSS: (*recipe.LOSSES, *recipe.MATRIX)}
    found = ["Matrix"] if OWN_MATRIX in drive.replaced else []
    for name, scenario, args, right in trials:
        if name not in found and not _is_sound(
            drive, scenario, (*args, cpu_only), uses[scenario[0]], right, by_kernels=not cpu_only
        ):
            found.append(name)
    loss = {"loss": inputs.cross_entropies(y_hat, y).mean()}
    return found + ["cross_entropy" for _ in range(not _is_sound(drive, (LOSS, "value"), (y_hat, y), uses[LOSS], loss))]


def _unsound_otherwise(drive: Drive, known: set[str]) -> Iterator[str]:
    """Yield the parts without right numbers of their own: weights that are no use, layers called in another order."""

    def is_useful() -> bool:
        weights = np.asarray(drive.run((LAYER, "weights"), (6, 5, 3), recipe.MATRIX, "it").value["W"], float)
        return weights.shape == (5, 6) and bool(np.ptp(weights) > 0)

    if "Linear" not in known and not attempt(is_useful, False):
        yield "Linear"
    X = np.ones((2, 2))
    right = {"Y": (X + 1) * 6 + 3, "dX": X * 6 + 3}
    if not _is_sound(drive, (NETWORK, "call_in_turn"), (X, X, [2.0, 3.0], True), recipe.NETWORK, right):
        yield "FFN"


def _values(solved: dict[str, tuple[Array, Array]]) -> dict[str, Array]:
    return {name: value for name, (value, _) in solved.items()}


def _is_sound(
    drive: Drive,
    scenario: tuple[str, str],
    args: tuple[Any, ...],
    uses: Parts,
    right: dict[str, Array],
    *,
    by_kernels: bool = False,
) -> bool:
    """Return whether a part gives the right numbers, however it does that, unless kernels have to."""

    def is_right() -> bool:
        run = drive.run(scenario, args, uses, "it")

        def compare(value: dict[str, Any]) -> None:
            for name, one in right.items():
                expect(f"it: {name}", value[name], one, rtol=1e-4, atol=1e-8)

        compared = run.compared(compare, Note())
        if by_kernels and run.is_observed:
            known = [one for one in args if isinstance(one, np.ndarray)]
            kernels.expect_made_by_kernels(compared, right, known, Note())
        return True

    return attempt(is_right, False)
