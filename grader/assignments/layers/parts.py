"""The parts of the homework that others use, in the order of their needs, and what each has to come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from grader.assignments.layers import copying, inputs, recipe
from grader.authoring import Array, Note, expect, fail
from grader.authoring.judges.substitutes import Part, Runner, part

MATRIX, LAYER, LOSS, NETWORK = "matrix_scenarios", "layer_scenarios", "loss_scenarios", "network_scenarios"
LAYERS, LOSSES = (*recipe.LAYERS, *recipe.MATRIX), (*recipe.LOSSES, *recipe.MATRIX)


def of_matrix(rng: np.random.Generator) -> Iterator[Part]:
    """Yield the Matrix: what it is asked for, and how often it copies that."""
    given = tuple(rng.normal(size=(3, 2, 3)))
    when = zip(("set", "written", "set_again"), given, strict=True)
    right = {f"{name}_{side}": one for name, one in when for side in ("device", "host")} | {"zeros": np.zeros((2, 3))}
    yield part("matrix.Matrix", (MATRIX, "go_around"), given, recipe.MATRIX, right)

    def expect_few_copies(runner: Runner) -> None:
        asked = runner.run((MATRIX, "ask_often"), given, recipe.MATRIX, "it")
        if asked.is_observed and copying.is_needless(copying.compare(asked, given, Note()), given):
            fail("It copies what is there already.")

    yield Part("matrix.Matrix", expect_few_copies)


def of_path(rng: np.random.Generator, *, cpu_only: bool) -> Iterator[Part]:
    """Yield layers and losses on a path; on the GPU, kernels have to compute what they return."""
    case, (Z, dA), (y_hat, y) = inputs.draw_linear(rng), inputs.draw_activation(rng), inputs.draw_predictions(rng)
    update = (case.W, case.b, case.A, case.W**2, case.b**2, 0.5)
    stepped = {"W": case.W - case.W**2 / 2, "b": case.b - case.b**2 / 2}
    slopes = {"ReLU": (inputs.relu(Z), Z > 0), "Sigmoid": (inputs.sigmoid(Z), inputs.sigmoid(Z) * inputs.sigmoid(-Z))}
    on_path, by_kernels = (cpu_only,), not cpu_only
    for scenario, args, right in (
        ("linear_forward", case.given[:3], _values(case.solve_forward())),
        ("linear_backward", case.given, _values(case.solve_backward())),
        ("linear_update", update, stepped),
    ):
        yield part("layers.Linear", (LAYER, scenario), args + on_path, LAYERS, right, by_kernels=by_kernels)
    for kind, (A, slope) in slopes.items():
        passed, right = (kind, Z, dA, cpu_only), {"A": A, "dZ": dA * slope}
        yield part(f"layers.{kind}", (LAYER, "activation"), passed, LAYERS, right, by_kernels=by_kernels)
    gradient = {"gradient": -y / y_hat + (1 - y) / (1 - y_hat)}
    name, scene = "losses.cross_entropy_gradient", (LOSS, "gradient")
    yield part(name, scene, (y_hat, y, cpu_only), LOSSES, gradient, by_kernels=by_kernels)
    loss = {"loss": inputs.cross_entropies(y_hat, y).mean()}
    yield part("losses.cross_entropy", (LOSS, "value"), (y_hat, y), LOSSES, loss)


def _values(solved: Mapping[str, tuple[Array, Array]]) -> dict[str, Array]:
    return {name: value for name, (value, _) in solved.items()}


def _expect_useful_weights(runner: Runner) -> None:
    weights = np.asarray(runner.run((LAYER, "weights"), (6, 5, 3), LAYERS, "it").value["W"], float)
    if weights.shape != (5, 6) or not np.ptp(weights) > 0:
        fail("With such weights nothing is learnt.")


def _expect_order(runner: Runner) -> None:
    X = np.ones((2, 2))
    value = runner.run((NETWORK, "call_in_turn"), (X, X, [2.0, 3.0], True), recipe.NETWORK, "it").value
    for name, right in (("Y", (X + 1) * 6 + 3), ("dX", X * 6 + 3)):
        expect(name, value[name], right, rtol=1e-4)


WEIGHTS = Part("layers.Linear", _expect_useful_weights)
"""A new layer, whose weights have no right numbers, but have to be of some use."""
ORDER = Part("network.FFN", _expect_order)
"""Layers called in their order."""
