"""The parts of the homework that others use, in the order of their needs, and what each has to come to."""

from collections.abc import Iterator

import numpy as np

from grader.assignments.layers import answers, inputs, recipe
from grader.authoring import Note, expect, fail
from grader.authoring.judges.substitutes import Part, Runner, part

MATRIX, LAYER, LOSS, NETWORK = "matrix_scenarios", "layer_scenarios", "loss_scenarios", "network_scenarios"
LAYERS, LOSSES = (*recipe.LAYERS, *recipe.MATRIX), (*recipe.LOSSES, *recipe.MATRIX)


def of_matrix(rng: np.random.Generator) -> Iterator[Part]:
    """Yield the Matrix: what it is asked for, and how often it copies that."""
    arrays = tuple(rng.normal(size=(3, 2, 3)))
    right = {"zeros": np.zeros((2, 3))}
    for when, array in zip(("set", "written", "set_again"), arrays, strict=True):
        right |= {f"{when}_device": array, f"{when}_host": array}
    yield part("matrix.Matrix", (MATRIX, "go_around"), arrays, recipe.MATRIX, right)

    def expect_few_copies(runner: Runner) -> None:
        run = runner.run((MATRIX, "ask_often"), arrays, recipe.MATRIX, "it")
        if run.is_observed and answers.is_needless(answers.compare_asked(run, arrays, Note()), arrays):
            fail("It copies what is there already.")

    yield Part("matrix.Matrix", expect_few_copies)


def of_path(rng: np.random.Generator, *, cpu_only: bool) -> Iterator[Part]:
    """Yield layers and losses on a path; on the GPU, kernels have to compute what they return."""
    case, (Z, dA), (y_hat, y) = inputs.draw_linear(rng), inputs.draw_activation(rng), inputs.draw_predictions(rng)
    by_kernels = not cpu_only
    forward, backward = case.solve_forward(), case.solve_backward()
    for scenario, args, right in (
        ("linear_forward", case.arrays[:3], {name: value for name, (value, _) in forward.items()}),
        ("linear_backward", case.arrays, {name: value for name, (value, _) in backward.items()}),
        (
            "linear_update",
            (case.W, case.b, case.A, case.W**2, case.b**2, 0.5),
            {"W": case.W - case.W**2 / 2, "b": case.b - case.b**2 / 2},
        ),
    ):
        yield part("layers.Linear", (LAYER, scenario), (*args, cpu_only), LAYERS, right, by_kernels=by_kernels)
    slopes = {"ReLU": (inputs.relu(Z), Z > 0), "Sigmoid": (inputs.sigmoid(Z), inputs.sigmoid(Z) * inputs.sigmoid(-Z))}
    for kind, (A, slope) in slopes.items():
        right = {"A": A, "dZ": dA * slope}
        yield part(
            f"layers.{kind}", (LAYER, "activation"), (kind, Z, dA, cpu_only), LAYERS, right, by_kernels=by_kernels
        )
    right = {"gradient": -y / y_hat + (1 - y) / (1 - y_hat)}
    gradient = (LOSS, "gradient"), (y_hat, y, cpu_only)
    yield part("losses.cross_entropy_gradient", *gradient, LOSSES, right, by_kernels=by_kernels)
    loss = {"loss": inputs.cross_entropies(y_hat, y).mean()}
    yield part("losses.cross_entropy", (LOSS, "value"), (y_hat, y), LOSSES, loss)


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
