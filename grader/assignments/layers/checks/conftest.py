"""Fixtures that several checks of `layers` share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from grader.assignments.layers import inputs, recipe
from grader.authoring import Array, Background, Setup, Student
from grader.authoring.judges import scenarios

Data = tuple[Array, Array, Array, Array]


@pytest.fixture(scope="session")
def points(setup: Setup) -> Data:
    """Points to learn, their labels, hidden points and their labels, all with samples as columns."""
    rng = np.random.default_rng([setup.seed, 2])
    learnt = inputs.draw_points(rng, recipe.POINTS)
    return (*learnt, *inputs.draw_points(rng, recipe.HIDDEN_POINTS, recipe.MARGIN))


@pytest.fixture(scope="session")
def training(
    background: Callable[..., Background], student: Student, setup: Setup, points: Data, unsound: list[str]
) -> Background:
    """The training of the whole network on the CPU path."""
    learnt, labels, hidden, _ = points
    return background(
        "network_scenarios",
        "train",
        recipe.HIDDEN,
        inputs.cut(learnt, recipe.BATCH_SIZE),
        inputs.cut(labels, recipe.BATCH_SIZE),
        inputs.cut(inputs.label_otherwise(learnt), recipe.BATCH_SIZE),
        hidden,
        (recipe.LEARNING_RATE, recipe.EPOCHS, setup.seed % 2**31),
        unsound,
        sliced=all(student.runs_as_slices(module, [name]) for module, name in recipe.NETWORK),
    )


@pytest.fixture(scope="session")
def unsound(student: Student, setup: Setup) -> list[str]:
    """The parts of the CPU path that are wrong on their own: the training has the staff's in their place.

    So one mistake costs one check.
    """
    rng = np.random.default_rng([setup.seed, 3])
    case, (Z, dA), (y_hat, y) = inputs.draw_linear(rng), inputs.draw_activation(rng), inputs.draw_predictions(rng)
    update = (case.W, case.b, case.A, case.W**2, case.b**2, 0.5, True)
    stepped = {"W": case.W - case.W**2 / 2, "b": case.b - case.b**2 / 2}
    slope = inputs.sigmoid(Z) * (1 - inputs.sigmoid(Z))
    gradient = -y / y_hat + (1 - y) / (1 - y_hat)
    layer, loss = "layer_scenarios", "loss_scenarios"
    trials = (
        ("Linear", (layer, "linear_forward"), (*case.given[:3], True), _values(case.solve_forward())),
        ("Linear", (layer, "linear_backward"), (*case.given, True), _values(case.solve_backward())),
        ("Linear", (layer, "linear_update"), update, stepped),
        ("ReLU", (layer, "activation"), ("ReLU", Z, dA, True), {"A": inputs.relu(Z), "dZ": dA * (Z > 0)}),
        ("Sigmoid", (layer, "activation"), ("Sigmoid", Z, dA, True), {"A": inputs.sigmoid(Z), "dZ": dA * slope}),
        ("cross_entropy", (loss, "value"), (y_hat, y), {"loss": inputs.cross_entropies(y_hat, y).mean()}),
        ("cross_entropy_gradient", (loss, "gradient"), (y_hat, y, True), {"gradient": gradient}),
    )
    found = (name for name, scenario, args, right in trials if not _is_sound(student, scenario, args, right))
    return list(dict.fromkeys(found))


def _values(solved: dict[str, tuple[Array, Array]]) -> dict[str, Array]:
    return {name: value for name, (value, _) in solved.items()}


def _is_sound(student: Student, scenario: tuple[str, str], args: tuple[object, ...], right: dict[str, Array]) -> bool:
    """Return whether a part gives the right numbers, however it does that."""
    module = {"layer_scenarios": "layers", "loss_scenarios": "losses"}[scenario[0]]
    uses = tuple(part for part in recipe.NETWORK if part[0] in {"matrix", module})
    try:
        value = scenarios.run(student, scenario, args, uses, "it").value
        return all(np.allclose(np.asarray(value[name], float), one, rtol=1e-4) for name, one in right.items())
    except Exception:  # noqa: BLE001 - whatever is wrong with it, its own check says so
        return False
