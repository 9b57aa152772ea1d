"""Part 4: binary cross-entropy."""

import numpy as np

from grader.assignments.layers import answers, inputs, recipe
from grader.assignments.layers.answers import Piece
from grader.authoring import Array, Note, Setup, check, expect, fail
from grader.authoring.comparison import as_numbers
from grader.authoring.judges.substitutes import Runner

MODULE = "loss_scenarios"
VALUE = (("losses", "cross_entropy"), *recipe.MATRIX)
HOPELESS, NOTHING = 5.0, 0.01
"""Wrong predictions of exactly 0 or 1 cost more than `HOPELESS`, -log(e^-5), and right ones less than `NOTHING`."""


def _mistakes(y_hat: Array, y: Array) -> dict[str, dict[str, Array]]:
    right = inputs.solve_gradient(y_hat, y)["gradient"][0]
    return {
        "gradient": {
            "Both parts have a plus: the first one needs a minus.": y / y_hat + (1 - y) / (1 - y_hat),
            "All signs are reversed.": -right,
            "This is ŷ - y, the derivative by what `Sigmoid` was given; the one by ŷ is asked for.": y_hat - y,
            "The mean over the samples is taken in `Linear.backward`; here is no 1/m.": right / y.size,
        }
    }


SLOPE = (("losses", "cross_entropy_gradient"), *recipe.MATRIX)
GRADIENT = Piece("cross_entropy_gradient", (MODULE, "gradient"), SLOPE, inputs.solve_gradient, _mistakes)


@check("loss.value")
def test_value(runner: Runner, rng: np.random.Generator) -> None:
    """`cross_entropy(predictions, labels)` returns the mean of -(y log ŷ + (1 - y) log(1 - ŷ)), a float."""
    for samples in (recipe.SAMPLES, 1):
        y_hat, y = inputs.draw_predictions(rng, samples)
        each = inputs.cross_entropies(y_hat, y)
        run = runner.run((MODULE, "value"), (y_hat, y), VALUE, "`cross_entropy`")
        mistakes = {
            "The minus in front of the sum is missing.": -each.mean(),
            "This is the sum over the samples, not their mean.": each.sum(),
            "These are logarithms to base 2: take natural ones.": each.mean() / np.log(2),
            "Samples with the label 0 count as well: (1 - y) log(1 - ŷ).": (each * y).mean(),
            "Add the two parts; do not subtract them.": (each * (2 * y - 1)).mean(),
        }
        subject = f"`cross_entropy` of {samples} predictions"
        expect(subject, run.value.get("loss"), each.mean(), rtol=inputs.SHARE, mistakes=mistakes)


@check("loss.gradient")
def test_gradient(runner: Runner, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    """`cross_entropy_gradient` returns -y / ŷ + (1 - y) / (1 - ŷ) for each sample, on both paths."""
    drawn = [inputs.draw_predictions(rng) for _ in range(2)] + [inputs.draw_predictions(rng, 12)]
    answers.expect_on_host(GRADIENT.compared(runner, drawn[0], note, cpu_only=True), GRADIENT.solve(*drawn[0]), note)
    GRADIENT.expect_on_device(runner, drawn, setup, note)


@check("loss.extremes")
def test_extremes(runner: Runner, rng: np.random.Generator) -> None:
    """Loss and gradient are numbers where predictions are 0 or 1, right or wrong."""
    usual = [inputs.draw_predictions(rng) for _ in range(2)]
    runs = [runner.run((MODULE, "value"), drawn, VALUE, "`cross_entropy`") for drawn in usual]
    losses = as_numbers([run.value.get("loss") for run in runs])
    is_own = _has_own_formula(losses, np.array([inputs.cross_entropies(*drawn).mean() for drawn in usual]))
    y_hat, y = np.array([[0.0, 1.0, 0.0, 1.0]]), np.array([[0.0, 1.0, 1.0, 0.0]])
    for labels, predictions, words in ((y[:, :2], y_hat[:, :2], "right"), (y[:, 2:], y_hat[:, 2:], "wrong")):
        run = runner.run((MODULE, "value"), (predictions, labels), VALUE, "`cross_entropy`")
        loss = as_numbers(run.value.get("loss"))
        number = float(loss.item()) if loss.size == 1 else np.nan
        has_size = abs(number) < NOTHING if words == "right" else abs(number) > HOPELESS
        if not np.isfinite(number) or not (has_size or is_own):
            fail(
                f"`cross_entropy` of {words} predictions that are exactly 0 and 1 is wrong.",
                expected="nearly 0" if words == "right" else f"a number above {HOPELESS:g}",
                got=str(run.value.get("loss")),
                hint="Keep predictions a tiny bit, at most 1e-7, away from 0 and 1 before you take logarithms.",
            )
    for cpu_only in (True, False):
        run, other = (GRADIENT.run(runner, args, cpu_only=cpu_only) for args in ((y_hat, y), usual[0]))
        slopes = as_numbers(run.value.get("gradient")).ravel()
        near, far = np.abs(slopes[:2]), np.abs(slopes[2:])
        right = GRADIENT.solve(*usual[0])["gradient"][0]
        least = 0 if _has_own_formula(as_numbers(other.value.get("gradient")), right) else 1
        if slopes.size != y.size or not np.isfinite(slopes).all() or far.min() <= max(least, HOPELESS * near.max()):
            where = f"{run.subject}: where predictions are exactly 0 or 1"
            fail(
                f"{where}, the gradient is not a number, or not large.",
                expected="about -1 and 1 where they are right, large numbers where they are wrong",
                got=str(slopes.tolist()),
                hint="Keep predictions a tiny bit, at most 1e-7, away from 0 and 1 before you divide by them.",
            )


def _has_own_formula(got: Array, right: Array) -> bool:
    """Return whether numbers differ from one another, and are wrong: another check has failed for that."""
    return np.unique(got).size > 1 and not (got.size == right.size and np.allclose(got.ravel(), right.ravel()))
