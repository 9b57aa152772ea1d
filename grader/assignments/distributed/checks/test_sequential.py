"""Part 1: the network, trained by one process."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from grader.assignments.distributed import hints, recipe, samples, solutions, work
from grader.assignments.distributed.solutions import Data
from grader.authoring import Array, Note, Student, attempt, check, expect, fail
from grader.authoring.judges import networks, scenarios
from grader.authoring.judges.substitutes import Runner

EXACT = 1e-9  # tolerance, as a share of the largest entry: far more than round-off, far less than a missing term
UNLIKELY = 0.2  # the spread of 260 uniform numbers hardly ever differs by this share from the expected spread
SAME_SHARE = 1e-3
"""Phases that take nearly the same shares with few samples are flagged: the update's should grow by some per cent."""
TICK_S = 0.01  # the tick of the clock of processor time, which is coarse if processor time is limited
PHASES = "forward", "backward", "update"
_FROM_0 = "Labels are 0 to 9, and label k belongs to output k."
_OF_ERROR = "Check column 0, the bias of each layer; both signs; and what each logarithm is of: o, and 1 - o."
_OF_L2 = "Without L2 it is right: see how much L2 adds, with which sign, and that biases add nothing."
_ONLY_THETA1 = "The derivative by theta2 is right: check theta2ᵀ and the slope of the hidden sigmoid."
_THETA2 = "Begin with theta2: check the derivative by the output's z, and the 1 in front of h."


@check("sequential.cost")
def test_cost(student: Student, data: Data) -> None:
    """`cost` returns the mean logistic error of the samples and the L2 term without the biases."""
    for regular in (0.0, 2.0):
        right, error, count = data.cost(regular), data.cost(0.0), len(data.inputs)
        decay = right - error
        biases = float((data.theta1[:, 0] ** 2).sum() + (data.theta2[:, 0] ** 2).sum())
        wrong = {
            "It is a sum over the samples, not a mean.": right * count,
            "Add up the errors of a sample's outputs; do not average them.": error / len(data.theta2) + decay,
            "These are logarithms to base 2: take natural ones.": error / np.log(2) + decay,
            "The L2 term is missing.": error,
            "Leave the biases out of L2.": right + regular / 2 / count * biases,
            _FROM_0: _of_labels_from_1(data).cost(regular),
        }
        known = {text: np.asarray(value) for text, value in wrong.items() if value != right}
        mistakes = hints.always(np.asarray(right), _OF_L2 if regular else _OF_ERROR, known)
        got = student.network.cost(data.theta1, data.theta2, data.inputs, data.labels, regular)
        expect(f"`cost` with regular={regular:g}", got, right, rtol=recipe.GUARDED, mistakes=mistakes)


def _of_labels_from_1(data: Data) -> Data:
    return replace(data, labels=(data.labels - 1) % recipe.CLASSES)


@check("sequential.gradients")
def test_gradients(student: Student, data: Data) -> None:
    """`gradients` returns the derivatives of the cost by both layers' weights."""
    for regular in (0.0, 2.0):
        right = data.gradients(regular)
        got = student.network.gradients(data.theta1, data.theta2, data.inputs, data.labels, regular)
        if not isinstance(got, tuple | list) or len(got) != len(right):
            fail("`gradients` does not return two arrays.", expected="(gradient of theta1, gradient of theta2)")
        for number, (slope, wanted) in enumerate(zip(got, right, strict=True), 1):
            known = {"It is a sum over the samples, not a mean.": wanted * len(data.inputs)}
            known[_FROM_0] = _of_labels_from_1(data).gradients(regular)[number - 1]
            is_last_right = number == 1 and attempt(partial(work.is_near, got[1:], right[1:]), otherwise=False)
            text = _OF_L2 if regular else _ONLY_THETA1 if is_last_right else _THETA2
            mistakes = hints.always(wanted, text, known)
            subject = f"`gradients` with regular={regular:g}: the derivative by theta{number}"
            expect(subject, slope, wanted, atol=EXACT * float(np.abs(wanted).max()), mistakes=mistakes)


@check("sequential.training")
def test_training(student: Student, runner: Runner, data: Data, note: Note) -> None:
    """`gradient_descent` returns the weights after its steps, and the cost before each."""
    theta1, theta2, costs = data.train()
    got = student.network.gradient_descent(*data.arrays, *recipe.SETTINGS)
    if not isinstance(got, tuple | list) or len(got) != 4:  # noqa: PLR2004 - as on the sheet
        kind = f"{len(got)} things" if isinstance(got, tuple | list) else type(got).__name__.removesuffix("Type")
        fail("`gradient_descent` does not return four things.", expected="(theta1, theta2, costs, seconds)", got=kind)
    if runner.only("network.cost", "network.gradients").wrong and not work.is_near(got[:3], (theta1, theta2, costs)):
        theta1, theta2, costs = _steps_by_own_derivatives(student, data, note) or (theta1, theta2, costs)
    note.fact("costs", [float(cost) for cost in costs])
    bound = samples.bound_training(data, recipe.ITERATIONS)
    atol, mistakes = np.maximum(bound, recipe.GUARDED) * np.abs(costs), hints.of_costs(costs, hints.ALONE)
    expect("The list of costs of `gradient_descent`", got[2], costs, atol=atol, mistakes=mistakes)
    for name, weights, right in (("theta1", got[0], theta1), ("theta2", got[1], theta2)):
        expect(f"{name} of `gradient_descent`", weights, right, atol=float(bound[-1]))


def _steps_by_own_derivatives(student: Student, data: Data, note: Note) -> tuple[Array, Array, Array] | None:
    """Return the training by the submission's own derivatives and costs, which are wrong and cost points elsewhere.

    None if the derivatives are not nearly right: steps by these are no training.
    """
    slopes = student.network.gradients(data.theta1, data.theta2, data.inputs, data.labels, recipe.REGULAR)
    if not samples.point_alike(slopes, data.gradients(0), data.arrays[2:]):
        return None
    note.flag("judged by the submission's own cost and derivatives, which are wrong: is there a network?")
    return _step_by_own(student, data, recipe.SETTINGS)


def _step_by_own(student: Student, data: Data, settings: tuple[float, int, float]) -> tuple[Array, Array, Array]:
    (rate, iterations, regular), costs = settings, []
    for _ in range(iterations):
        args = (data.theta1, data.theta2, data.inputs, data.labels, regular)
        costs.append(student.network.cost(*args))
        slopes = student.network.gradients(*args)
        theta1, theta2 = (theta - rate * slope for theta, slope in zip(args[:2], slopes, strict=True))
        data = replace(data, theta1=theta1, theta2=theta2)
    return data.theta1, data.theta2, np.asarray(costs, float)


@check("sequential.predict")
def test_predict(student: Student, data: Data, rng: np.random.Generator, note: Note) -> None:
    """`random_weights` draws within ±0.12, `gradient_descent` makes 60 steps, `predict` names the largest output."""
    sizes = ((recipe.FEATURES, recipe.HIDDEN), (recipe.HIDDEN, recipe.CLASSES))
    theta1, theta2 = (_expect_drawn(student, *pair) for pair in sizes)
    begun = replace(data, theta1=theta1, theta2=theta2)
    got = student.network.gradient_descent(*begun.arrays)
    costs = _step_by_own(student, begun, (recipe.USUAL_RATE, recipe.STEPS, 0.0))[2]
    subject = f"The costs of `gradient_descent` as it is called in train.py, {recipe.STEPS} steps,"
    expect(subject, got[2], costs, rtol=1e-6, mistakes=hints.of_costs(costs, hints.ALONE))
    note.fact("costs", [float(costs[0]), float(costs[-1])])
    _expect_classes(student, replace(data, inputs=rng.normal(size=(12, recipe.FEATURES))), rng)


def _expect_drawn(student: Student, inputs: int, outputs: int) -> Array:
    """Return the submission's random weights; fail unless they look uniform within ±0.12, and are new each time."""
    subject = f"`random_weights({inputs}, {outputs})`"
    first, second = (work.numbers_of(student.network.random_weights(inputs, outputs), subject) for _ in range(2))
    if first.shape != (outputs, inputs + 1):
        fail(f"{subject} has another shape than a layer.", expected=str((outputs, inputs + 1)), got=str(first.shape))
    most, spread = float(np.abs(first).max()), float(first.std())
    if not (most <= recipe.LARGEST_DRAWN and abs(spread / (recipe.LARGEST_DRAWN / np.sqrt(3)) - 1) < UNLIKELY):
        fail(
            f"{subject} is not uniform within ±{recipe.LARGEST_DRAWN}.",
            expected=f"numbers up to {recipe.LARGEST_DRAWN}, spread by {recipe.LARGEST_DRAWN / np.sqrt(3):.3g}",
            got=f"up to {most:.3g}, spread by {spread:.3g}",
        )
    if networks.are_made(first, second):
        fail(f"{subject} gives the same numbers twice, or numbers that follow from each other.", hint="Draw new ones.")
    return first


def _expect_classes(student: Student, data: Data, rng: np.random.Generator) -> None:
    """Fail unless `predict` names the largest outputs; these follow from derivatives, which have a check of their own.

    The derivative by the bias of output k is, for one sample, the output itself, less 1 where the label names it.
    """
    theta1, theta2 = (rng.normal(size=theta.shape) / 3 for theta in (data.theta1, data.theta2))
    slopes = [student.network.gradients(theta1, theta2, sample[None], np.array([0]), 0.0)[1] for sample in data.inputs]
    outputs = np.array([np.asarray(slope, float)[:, 0] for slope in slopes]) + np.eye(recipe.CLASSES)[0]
    right, got = outputs.argmax(axis=1), student.network.predict(theta1, theta2, data.inputs)
    mistakes = {
        "Classes are numbers from 0 on: the text's begin with 1.": right + 1,
        "These are the largest outputs; a class is the place of one.": outputs.max(axis=1),
        "These are the places of the smallest outputs.": outputs.argmin(axis=1),
    }
    expect("`predict`", got, right, mistakes=mistakes)


@check("sequential.timings")
def test_timings(student: Student, note: Note, rng: np.random.Generator) -> None:
    """`gradient_descent` says how long the phases take: `forward`, `backward` and `update`."""
    call, uses = ("timing_scenarios", "timed"), [("network", "gradient_descent")]

    def timed(count: int) -> dict[str, Any]:
        args = (*solutions.draw_data(rng, count).arrays, 10 * recipe.ITERATIONS)
        return dict(scenarios.run_unobserved(student, call, args, uses, "`gradient_descent`").value)

    times = timed(recipe.MANY_SAMPLES)
    phases, whole = {name: times["phases"][name] for name in PHASES if name in times["phases"]}, float(times["whole"])
    note.fact("phases_s", phases)
    note.fact("whole_s", whole)
    if len(phases) < len(PHASES):
        fail("The phases have other names.", expected=", ".join(PHASES), got=", ".join(sorted(times["phases"])))
    shortest, total = min(phases.values()), sum(phases.values())
    if shortest < 0 or total <= 0 or not 0.3 * whole - TICK_S <= total <= 1.01 * whole + TICK_S:
        fail(
            "The seconds of the phases are not those of the training.",
            expected=f"three numbers that together are nearly {whole:.3g} s",
            got=", ".join(f"{name} {spent:.3g} s" for name, spent in phases.items()),
            hint="Add up the differences of time.perf_counter() over all iterations.",
        )
    if shortest == 0:
        note.flag("a phase takes 0 s: is it measured, if only by a clock of processor time?")
    others = [timed(count)["phases"] for count in (recipe.MANY_SAMPLES, recipe.FEW_SAMPLES)]
    seconds = np.array([[one.get(name, 0.0) for name in phases] for one in (phases, *others)])
    many, again, few = seconds / np.maximum(seconds.sum(axis=1, keepdims=True), EXACT)
    if np.allclose(many, few, atol=SAME_SHARE) or np.allclose(many, again, atol=EXACT):
        words = f"each phase takes the same share of the time with {recipe.FEW_SAMPLES} samples as with "
        note.flag(f"{words}{recipe.MANY_SAMPLES}, or each time: is it measured?")
