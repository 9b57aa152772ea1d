"""Part 5: does the network learn, how fast, and how much of the work could be done in parallel?"""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.assignments.layers import answers, inputs, recipe, speed
from grader.authoring import Array, Background, Note, NotMeasured, Setup, Staff, check, fail
from grader.authoring.judges import amdahl, scenarios, slices, speedup
from grader.authoring.judges.substitutes import Runner
from grader.model import Threshold

HALF = 0.5
LUCKY = {"before": 0.97, "control": 0.75}
"""Untrained networks were right about 12 to 91 % of the points, those that learnt another rule about 47 to 53 %."""
HIGHEST_FIRST = 3
"""Of the mean losses of an epoch; a sum over ten batches is twice that."""
FOLLOWED = 0.85
"""Networks that learnt the quadrants learnt the other rule, a rotation of it, as well."""


@check("network.accuracy", stage="awaits")
def test_accuracy(trained_with: Runner, training: Background, points: tuple[Array, ...], note: Note) -> None:
    """The network, trained on the CPU path, knows more than 98 % of points that it has never seen."""
    _expect_there(trained_with)
    answer = training.result(recipe.LIMIT_S)
    found = answer if isinstance(answer, dict) else {}
    _, _, hidden, labels = points
    predictions = {name: _as_predictions(found, name, hidden.shape[1]) for name in ("before", "after", "control")}
    shares = {name: float(((one > HALF) == (labels.ravel() > HALF)).mean()) for name, one in predictions.items()}
    _expect_ignorance(predictions, labels, shares, note)
    trained_with.remark(note)
    _expect_learnt(predictions, shares, found, labels, hidden, note)
    for module, name in trained_with.followed(recipe.NETWORK):
        slices.expect_closed(trained_with.student, module, [name])


def _expect_there(runner: Runner) -> None:
    """Raise what is wrong with a file that cannot be imported, or with a name that is missing."""
    for module, name in runner.followed(recipe.NETWORK):
        runner.student.load(module)
        runner.student.expect_spelt(module, name)


def _as_predictions(found: dict[str, Any], name: str, count: int) -> Array:
    array = answers.numbers(found.get(name))
    if array.shape != (count,) or not np.isfinite(array).all() or array.min() < 0 or array.max() > 1:
        fail(
            "The training did not end in a network that gives a number from 0 to 1 for each point.",
            got=str(array.shape),
        )
    return array


def _expect_ignorance(predictions: dict[str, Array], labels: Array, shares: dict[str, float], note: Note) -> None:
    """Fail if a network knows what it was never taught: its loss says so, as nobody is sure of what was luck."""
    for name, when in (("before", "before its training"), ("control", "after learning another rule")):
        if _loss(predictions[name], labels) <= recipe.HIGHEST_LOSS:
            fail(
                f"The network knows {100 * shares[name]:.0f} % of the points {when}: it did not learn that here.",
                expected="a network that follows the labels that it is given",
                got=f"{100 * shares[name]:.1f} %",
            )
        if shares[name] > LUCKY[name]:
            note.flag(f"the network knows {100 * shares[name]:.0f} % of the points {when}")


def _loss(predictions: Array, labels: Array) -> float:
    """Return the mean loss, where nothing is surer than 1e-12."""
    return float(inputs.cross_entropies(np.clip(predictions, 1e-12, 1 - 1e-12), labels.ravel()).mean())


def _expect_learnt(
    predictions: dict[str, Array],
    shares: dict[str, float],
    found: dict[str, Any],
    labels: Array,
    hidden: Array,
    note: Note,
) -> None:
    """Fail unless the loss is low and each epoch's is given, and the control followed the other rule."""
    loss = _loss(predictions["after"], labels)
    other = inputs.label_otherwise(hidden).ravel() > HALF
    note.fact("test_accuracy_percent", round(100 * shares["after"], 3))
    note.fact("test_loss", round(loss, 4))
    followed = float(((predictions["control"] > HALF) == other).mean())
    note.fact("control_accuracy_percent", round(100 * followed, 3))
    if followed < FOLLOWED:
        note.flag(f"taught another rule, the network follows it for {100 * followed:.0f} % of the points only")
    note.fact("fit_s", found.get("fit_s"))
    if loss > recipe.HIGHEST_LOSS:
        fail(
            "The trained network's loss on points that it has never seen is too high.",
            expected=f"at most {recipe.HIGHEST_LOSS}",
            got=f"{loss:.3f}, with {100 * shares['after']:.1f} % right",
            hint="Does `train` take a step after each batch, in all epochs?",
        )
    losses = answers.numbers(found.get("losses"))
    if losses.shape != (recipe.EPOCHS,) or not losses[-1] < losses[0]:
        fail(
            "`FFN.train` does not return the mean loss of each epoch.",
            expected=f"a list of {recipe.EPOCHS} numbers that fall",
            got=str(found.get("losses"))[:100],
            hint="Keep the mean of the batches' losses for each epoch, and return the list.",
        )
    if losses[0] > HIGHEST_FIRST:
        fail(
            "The losses that `FFN.train` returns are not means: the first one is too large.",
            expected=f"about ln 2 = 0.69, for a network that knows nothing yet, and at most {HIGHEST_FIRST}",
            got=f"{losses[0]:.3g}",
            hint="Divide the sum of an epoch by the number of its batches.",
        )


@check("network.speedup", stage="timed")
def test_speedup(
    timed_with: Runner,
    staff: Staff,
    rng: np.random.Generator,
    threshold: Threshold | None,
    setup: Setup,
    measured: dict[str, float],
    note: Note,
) -> None:
    """Training on the GPU is at least as fast as by NumPy on the CPU."""
    if setup.device != "gpu":
        raise NotMeasured("Speed is measured on the GPU server; here, kernels were executed on the CPU.")
    _expect_there(timed_with)
    timed_with.remark(note)
    work = speed.make_workload(timed_with.right, timed_with.replaced)
    before = speed.count_launches(timed_with, work, rng, note)
    speedup.measure(work, timed_with.student, staff, threshold, rng, note)
    own = note.facts["raw_ratios"].get(f"to {speed.NAMES[speed.ON_CPU]}")
    if own and not timed_with.replaced:
        measured |= {"speedup": own, "gpu_s": float(np.median(note.facts["times_s"][speed.NAMES[speed.ON_GPU]]))}
    speed.expect_same_launches(before, speed.count_launches(timed_with, work, rng, note))
    for module, name in work.uses:
        slices.expect_closed(timed_with.student, module, [name])
    if not {*timed_with.replaced} - {"matrix.Matrix", "network.FFN"}:
        speed.expect_kernels(timed_with, work, rng, note)


@check("network.amdahl", stage="timed")
def test_amdahl(
    trained_with: Runner,
    staff: Staff,
    setup: Setup,
    points: tuple[Array, ...],
    measured: dict[str, float],
    rng: np.random.Generator,
    note: Note,
) -> None:
    """Which share of the CPU path could run in parallel, by layer, and the bound that follows; no points."""
    _expect_there(trained_with)
    hidden, batch, setting = recipe.PROFILED
    learnt, labels, *_ = points
    batches = inputs.cut(learnt, batch), inputs.cut(labels, batch)
    given = (hidden, *batches, (*setting, setup.seed % 2**31))
    scenario, args = trained_with.wrapped((speed.MODULE, "profile"), given)
    uses = trained_with.followed(recipe.NETWORK)
    found = scenarios.run_unobserved(
        trained_with.student, scenario, args, uses, "Training on the CPU path", limit_s=recipe.LIMIT_S
    ).value
    trained_with.remark(note)
    cores = {**amdahl.find_cores(staff, setup.device), "cores, as in the text": recipe.TEXT_CORES}
    amdahl.explain(found, cores, measured.get("speedup"), note)
    speed.note_serial(staff, measured.get("gpu_s"), rng, note)
