"""Part 5: does the network learn, how fast, and how much of the work could be done in parallel?"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.assignments.layers import answers, inputs, recipe
from grader.assignments.layers.answers import Drive
from grader.authoring import Array, Background, Note, NotMeasured, Setup, StudentFault, check, fail
from grader.authoring.judges import slices

MODULE = "network_scenarios"
HALF = 0.5
Start = Callable[..., Background]
Size = tuple[int, int, tuple[float, int]]
CORES = 16, 768, 16896
"""Of this kind of machine, of the GPU in the text that the homework follows, and of a large one."""
LUCKY = {"before": 0.97, "control": 0.75}
"""Untrained networks were right about 12 to 91 % of the points, those that learnt another rule about 47 to 53 %."""
FOLLOWED = 0.85
"""Networks that learnt the quadrants learnt the other rule, a rotation of it, as well."""
KINDS = ("Linear", "ReLU", "Sigmoid")
PROFILED = 256, 500, (0.1, 3)
"""Hidden neurons, batch size, learning rate and epochs of the training that is profiled."""
TIMED = 1024, 1000, (0.01, 3)
"""The same of the one that is timed, large enough for a GPU to have work."""


@check("network.accuracy", stage="awaits")
def test_accuracy(
    drive: Drive, training: Background, unsound: list[str], points: tuple[Array, ...], note: Note
) -> None:
    """The network, trained on the CPU path, knows more than 98 % of points that it has never seen."""
    _expect_there(drive)
    found = _await(training)
    _, _, hidden, labels = points
    predictions = {name: _as_predictions(found, name, hidden.shape[1]) for name in ("before", "after", "control")}
    shares = {name: float(((one > HALF) == (labels.ravel() > HALF)).mean()) for name, one in predictions.items()}
    _expect_ignorance(predictions, labels, shares, note)
    _note_parts(unsound, training, note)
    _expect_learnt(predictions, shares, found, labels, hidden, note)
    for module, name in recipe.NETWORK:
        if name not in unsound:
            slices.expect_closed(drive.student, module, [name])


def _expect_there(drive: Drive) -> None:
    """Raise what is wrong with a file that cannot be imported, or with a name that is missing."""
    for module, name in drive.followed(recipe.NETWORK):
        drive.student.load(module)
        drive.student.expect_spelt(module, name)


def _await(training: Background) -> dict[str, Any]:
    try:
        found = training.result(recipe.LIMIT_S)
    except StudentFault as fault:
        text = re.sub("^`[a-z_]+`", "the training", fault.finding.message)
        fail(
            text[:1].upper() + text[1:], got=fault.finding.got, hint=fault.finding.hint, location=fault.finding.location
        )
    return found if isinstance(found, dict) else {}


def _as_predictions(found: dict[str, Any], name: str, count: int) -> Array:
    array = answers.numbers(found.get(name))
    if array.shape != (count,) or not np.isfinite(array).all() or array.min() < 0 or array.max() > 1:
        fail(
            "The training did not end in a network that gives a number from 0 to 1 for each point.",
            got=str(array.shape),
        )
    return array


def _note_parts(unsound: list[str], training: Background, note: Note) -> None:
    if unsound:
        note.fact("replaced_by_the_staffs", unsound)
        note.remark(f"{', '.join(unsound)}: lost points of their own; when staff grade, theirs stand in for them here.")
    if training.doubt:
        note.flag(f"alone, without the rest of the files, the training raised {training.doubt!r}")


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


@check("network.speedup", stage="timed")
def test_speedup(drive: Drive, background: Start, setup: Setup, points: tuple[Array, ...], note: Note) -> None:
    """Training on the GPU is at least as fast as the same layers in NumPy on the CPU."""
    if setup.device != "gpu":
        raise NotMeasured("Speed is measured on the GPU server; here, kernels were executed on the CPU.")  # noqa: EM101, TRY003
    found = _ask(drive, background, "time_training", TIMED, points, setup)
    on_gpu, on_cpu = (answers.numbers(found.get(name)) for name in ("gpu_losses", "cpu_losses"))
    if on_gpu.shape != on_cpu.shape or not np.allclose(on_gpu, on_cpu, rtol=1e-3):
        fail("The training on the GPU ends with other losses than the same on the CPU.", got=str(found)[:200])
    note.fact("best_times_s", {"CPU": float(found["cpu_s"]), "GPU": float(found["gpu_s"])})
    note.fact("speedup", float(found["cpu_s"]) / max(float(found["gpu_s"]), 1e-9))
    for module, name in drive.followed(recipe.NETWORK):
        slices.expect_closed(drive.student, module, [name])


@check("network.amdahl", stage="timed")
def test_amdahl(drive: Drive, background: Start, setup: Setup, points: tuple[Array, ...], note: Note) -> None:
    """Which share of the CPU path could run in parallel, by layer, and the bound that follows; no points."""
    found = _ask(drive, background, "profile", PROFILED, points, setup)
    total_s, methods = found.get("total_s"), found.get("methods_s")
    if not isinstance(total_s, float) or not isinstance(methods, dict) or total_s <= 0:
        raise NotMeasured("The training could not be profiled.")  # noqa: EM101, TRY003
    shares = {name: round(100 * float(part_s) / total_s, 2) for name, part_s in methods.items()}
    parallel = min(sum(shares.values()) / 100, 1.0)
    layers_s = {kind: sum(methods[name] for name in methods if name.startswith(kind)) for kind in KINDS}
    note.fact("share_percent", shares)
    note.fact("best_times_s", {**layers_s, "the rest": max(total_s - sum(layers_s.values()), 0.0)})
    note.fact("parallel_percent", round(100 * parallel, 2))
    note.fact("bound", {f"{cores} cores": round(bound(parallel, cores), 2) for cores in CORES})


def _ask(
    drive: Drive, background: Start, function: str, size: Size, points: tuple[Array, ...], setup: Setup
) -> dict[str, Any]:
    """Return what a scenario measured in a worker of its own, where nothing is observed: that would take time, too."""
    _expect_there(drive)
    hidden, batch, setting = size
    learnt, labels, *_ = points
    given = (hidden, inputs.cut(learnt, batch), inputs.cut(labels, batch), (*setting, setup.seed % 2**31))
    scenario, args = drive.wrapped((MODULE, function), given)
    parts = drive.followed(recipe.NETWORK)
    is_sliced = all(drive.student.runs_as_slices(module, [name]) for module, name in parts)
    return _await(background(*scenario, *args, sliced=is_sliced))


def bound(parallel: float, cores: int) -> float:
    """Return how many times as fast a program can become by Amdahl's law, if `parallel` of it runs on `cores`."""
    return 1 / ((1 - parallel) + parallel / cores)
