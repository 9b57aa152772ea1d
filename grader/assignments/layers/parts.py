"""The parts of the homework that other parts use, each after the parts that it needs, and how each is judged."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from grader.assignments.layers import answers, inputs, recipe
from grader.authoring import Note, expect, fail
from grader.authoring.comparison import as_numbers
from grader.authoring.judges.substitutes import Part, Runner, part

MATRIX, LAYER, LOSS, NETWORK = "matrix_scenarios", "layer_scenarios", "loss_scenarios", "network_scenarios"
LAYERS, LOSSES = (*recipe.LAYERS, *recipe.MATRIX), (*recipe.LOSSES, *recipe.MATRIX)


def of_matrix(rng: np.random.Generator) -> Iterator[Part]:
    """Yield the Matrix, which has to return the right numbers and to copy them no more often than needed."""
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
    stepped, gradient = (*case[:3], case.W**2, case.b**2, 0.5), inputs.solve_gradient(y_hat, y)
    backward = inputs.solve_backward(*case)
    again = {name: backward[name] for name in ("dW", "db")}
    for name, scenario, args, uses, right in (
        ("layers.Linear", (LAYER, "linear_forward"), case[:3], LAYERS, inputs.solve_forward(*case[:3])),
        ("layers.Linear", (LAYER, "linear_backward"), (*case,), LAYERS, backward),
        ("layers.Linear", (LAYER, "linear_backward_twice"), (*case,), LAYERS, again),
        ("layers.Linear", (LAYER, "linear_update"), stepped, LAYERS, inputs.solve_update(*stepped)),
        *(
            (f"layers.{kind}", (LAYER, "activation"), (kind, Z, dA), LAYERS, inputs.solve_activation(kind, Z, dA))
            for kind in ("ReLU", "Sigmoid")
        ),
        ("losses.cross_entropy_gradient", (LOSS, "gradient"), (y_hat, y), LOSSES, gradient),
    ):
        values = {key: value for key, (value, _) in right.items()}
        yield part(name, scenario, (*args, cpu_only), uses, values, by_kernels=not cpu_only)
    loss = {"loss": inputs.cross_entropies(y_hat, y).mean()}
    yield part("losses.cross_entropy", (LOSS, "value"), (y_hat, y), LOSSES, loss)
    ends = np.array([[0.0, 1.0]])
    for name, what, given in (("", "value", (ends, ends)), ("_gradient", "gradient", (ends, ends, cpu_only))):

        def expect_numbers(runner: Runner, what: str = what, given: tuple[Any, ...] = given) -> None:
            value = runner.run((LOSS, what), given, LOSSES, "it").value
            if not np.isfinite(as_numbers(list(value.values()))).all():
                fail("It divides by 0, and a training ends there; `loss.extremes` fails for it.")

        yield Part(f"losses.cross_entropy{name}", expect_numbers)


def _expect_useful_weights(runner: Runner) -> None:
    weights = np.asarray(runner.run((LAYER, "weights"), (6, 5, 3), LAYERS, "it").value["W"], float)
    if weights.shape != (5, 6) or not np.ptp(weights) > 0:
        fail("With such weights nothing is learnt.")


def _expect_order(runner: Runner) -> None:
    X = np.ones((2, 2))
    value = runner.run((NETWORK, "call_in_turn"), (X, X, [2.0, 3.0], True), recipe.NETWORK, "it").value
    for name, right in (("Y", (X + 1) * 6 + 3), ("dX", X * 6 + 3)):
        expect(name, value[name], right, rtol=1e-4)


UPDATES = [part(f"layers.{kind}", (LAYER, "activation_update"), (kind,), LAYERS, {}) for kind in ("ReLU", "Sigmoid")]
"""The steps of activations, which do nothing; if they raise, `network.accuracy` alone fails."""
WEIGHTS = Part("layers.Linear", _expect_useful_weights)
"""A new layer. Its weights have no right values, but must be fit for a training."""
ORDER = Part("network.FFN", _expect_order)  # layers called in their order
