"""Part 5: does the network learn, how fast, and how much of the work could be done in parallel?"""

from typing import Any

import numpy as np

from grader.assignments.layers import inputs, recipe, speed
from grader.authoring import Array, Background, Note, Setup, Staff, check, fail
from grader.authoring.comparison import as_numbers
from grader.authoring.judges import scaling, scenarios, slices, speedup
from grader.authoring.judges.substitutes import Runner
from grader.model import Threshold

HALF = 0.5
HIGHEST_FIRST = 3  # the highest mean loss of the first epoch; a sum over ten batches would be at least twice that
FOLLOWED = 0.93  # networks that learnt the quadrants learnt the other rule, a rotation of it, to 96.8 % at least


@check("network.accuracy", stage="awaits")
def test_accuracy(
    trained_with: Runner, training: Background, points: tuple[Array, ...], setup: Setup, note: Note
) -> None:
    """The network, trained on the CPU path, knows more than 98 % of points that it has never seen."""
    _expect_there(trained_with)
    result = training.result(recipe.LIMIT_S)
    answer = result if isinstance(result, dict) else {}
    _, _, hidden, labels = points
    before, after, control = (_predictions(answer, name, hidden) for name in ("before", "after", "control"))
    _expect_ignorance(before, labels, "before its training", 0.97, note)
    _expect_ignorance(control, labels, "after learning another rule", 0.8, note)
    trained_with.remark(note)
    share, loss = _share_of_right(after, labels), _loss(after, labels)
    note.fact("test_accuracy_percent", round(100 * share, 3))
    note.fact("test_loss", round(loss, 4))
    followed = _share_of_right(control, inputs.label_otherwise(hidden, setup.seed))
    note.fact("control_accuracy_percent", round(100 * followed, 3))
    if followed < FOLLOWED:
        note.flag(f"taught another rule, the network follows it for {100 * followed:.0f} % of the points only")
    note.fact("fit_s", answer.get("fit_s"))
    if loss > recipe.HIGHEST_LOSS:
        fail(
            "The trained network's loss on points that it has never seen is too high.",
            expected=f"at most {recipe.HIGHEST_LOSS}",
            got=f"{loss:.3f}, with {100 * share:.1f} % right",
            hint="Does `train` take a step after each batch, in all epochs?"
            if loss < max(HALF, _loss(before, labels))
            else "It rises: hand predictions and labels on in this order, and let steps go against the derivatives.",
        )
    _expect_losses(answer.get("losses"))
    trained_with.expect_followed(recipe.NETWORK)


def _expect_there(runner: Runner) -> None:
    """Raise what is wrong with a file that cannot be imported, or with a name that is missing."""
    for module, name in runner.followed(recipe.NETWORK):
        runner.student.load(module)
        runner.student.expect_spelt(module, name)


def _predictions(answer: dict[str, Any], name: str, points: Array) -> Array:
    array = as_numbers(answer.get(name))
    if array.shape != points.shape[1:] or not np.isfinite(array).all() or array.min() < 0 or array.max() > 1:
        what = "a network that gives a number from 0 to 1 for each point"
        fail(f"The training did not end in {what}.", got=str(array.shape))
    return array


def _share_of_right(predictions: Array, labels: Array) -> float:
    return float(((predictions > HALF) == (labels.ravel() > HALF)).mean())


def _expect_ignorance(predictions: Array, labels: Array, when: str, lucky: float, note: Note) -> None:
    """Fail if a network knows what it was never taught: a low loss proves it, because luck gives no sure predictions.

    Untrained networks were right about 12 to 91 % of the points, those that learnt another rule about 29 to 71 %: a
    network that knows a larger share than `lucky` is flagged.
    """
    share = _share_of_right(predictions, labels)
    if _loss(predictions, labels) <= recipe.HIGHEST_LOSS:
        fail(
            f"The network knows {100 * share:.0f} % of the points {when}: it did not learn that here.",
            expected="a network that follows the labels that it is given",
            got=f"{100 * share:.1f} %",
        )
    if share > lucky:
        note.flag(f"the network knows {100 * share:.0f} % of the points {when}")


def _loss(predictions: Array, labels: Array) -> float:
    """Return the mean loss; predictions are kept 1e-12 away from 0 and 1."""
    return float(inputs.cross_entropies(np.clip(predictions, 1e-12, 1 - 1e-12), labels.ravel()).mean())


def _expect_losses(got: Any) -> None:
    """Fail unless `train` returned the mean loss of each epoch."""
    losses = as_numbers(got)
    if losses.shape != (recipe.EPOCHS,) or not losses[-1] < losses[0] <= HIGHEST_FIRST:
        fail(
            "`FFN.train` does not return the mean loss of each epoch.",
            expected=f"a list of {recipe.EPOCHS} numbers that fall, from about ln 2 = 0.69, {HIGHEST_FIRST} at most",
            got=str(got)[:100],
            hint="Keep the mean of the batches' losses for each epoch, not their sum, and return the list.",
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
    speedup.expect_gpu(setup)
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
    call = trained_with.wrapped((speed.MODULE, "profile"), (hidden, *batches, (*setting, setup.seed % 2**31)))
    uses, subject = trained_with.followed(recipe.NETWORK), "Training on the CPU path"
    profile = scenarios.run_unobserved(trained_with.student, *call, uses, subject, limit_s=recipe.LIMIT_S)
    trained_with.remark(note)
    cores = {**scaling.find_cores(staff, setup.device), "cores, as in the text": recipe.TEXT_CORES}
    scaling.explain_parts(profile.value, cores, measured.get("speedup"), note)
    speed.note_serial(staff, measured.get("gpu_s"), rng, note)
