"""Part 3: does the network learn, is lambda chosen by the validation set, and what do the curves say?"""

from collections.abc import Iterable
from functools import partial
from typing import Any, NoReturn

import numpy as np

from grader.assignments.gemm import digits, network, recipe
from grader.assignments.gemm.digits import Digits, classify, last_of
from grader.authoring import Array, Background, Note, Setup, attempt, check, expect, fail
from grader.authoring.comparison import as_array, as_numbers, describe
from grader.authoring.judges import makers, scenarios
from grader.authoring.judges.substitutes import Runner
from grader.authoring.judges.training import expect_learning

NEAR = 1.01  # a lambda whose training ends within this factor of the lowest loss may be chosen, too
SHARE = 1e-6
ROUND_OFF = 1e-3  # relative round-off of a training, and of its curve, in single precision
_MEANS = {"larger": "overfitting", "smaller": "too much regularisation", "keep": "neither too much nor too little"}
PRODUCTS = 4  # the fewest products of a step of training: two in the forward pass, and two derivatives of weights
VALUES = 2  # that `train` returns
ALIKE = 1.5  # the factor by which two trainings may differ if their samples come in different orders


@check("train.accuracy", stage="awaits")
def test_accuracy(trained_with: Runner, training: Background, data: Digits, setup: Setup, note: Note) -> None:
    """The network, trained by your `train`, knows more than 88 % of digits that it has never seen."""
    setting = recipe.for_dataset(setup.dataset.name)
    trained_with.remark(note)
    _expect_parameters(last_of(digits.answer_of(training).get("parameters")), setting.hidden)
    of_test, labels = partial(classify, data.X_test, setting.hidden), setup.dataset.test_labels
    expect_learning(training, of_test, labels, 1, "train.py", note, limit_s=recipe.LIMIT_S)
    trained_with.expect_followed(recipe.TRAINING)
    few = tuple(np.ascontiguousarray(part) for part in data.few()[0])
    args = few, few, setting.hidden, setting.lam, 1.0, recipe.FEW, setting.epochs, 1
    run = attempt(lambda: scenarios.watch(trained_with.student, ("train", "train"), args), None)
    if run and (seen := run.held_against) and not trained_with.replaced:
        ends = digits.as_parameters(run.value[0] if isinstance(run.value, tuple) else None, setting.hidden) or []
        made = [launch for launch in seen.launches if launch.count_changed() > makers.SMALL]
        if len(made) < setting.epochs * PRODUCTS or not all(makers.find_makers(made, W) for W in ends[::2]):
            words = f"a training of {setting.epochs} steps has {len(made)} launches of kernels that leave arrays"
            note.flag(f"{words}: does `train` use the functions of mlp.py?")


@check("train.curves", stage="awaits")
def test_curves(trained_with: Runner, training: Background, data: Digits, setup: Setup, note: Note) -> None:
    """`train` returns the cross-entropy of training and validation, without λ, after each epoch."""
    setting, answer = recipe.for_dataset(setup.dataset.name), digits.answer_of(training)
    curves = as_array(answer.get("curves"))
    parameters = _expect_parameters(last_of(answer.get("parameters")), setting.hidden, is_strict=True)
    if answer.get("are_on_device"):
        fail(
            "`train` returns parameters that are arrays of the device.",
            expected="NumPy arrays",
            hint="Copy each of them to the host when the training has ended.",
        )
    if (count := answer.get("values")) != VALUES:
        fail(
            f"`train` returns {count} values.",
            expected="two values: the list of the parameters, and the curves",
            hint="Return these two alone, in this order, the curves as columns of one array. Print what else you like.",
        )
    last = _measure(parameters, data.sets)
    if not isinstance(curves, np.ndarray) or curves.shape != (setting.epochs, 2):
        fail(
            "`train` did not return its curves.",
            expected=f"an array of shape ({setting.epochs}, 2), a row for each epoch: training, validation",
            got=str(getattr(curves, "shape", answer.get("curves")))[:100],
        )
    decay = setting.lam / 2 * sum(float((parameter**2).sum()) for parameter in parameters)
    mistakes = {
        "Training and validation are exchanged.": last[::-1],
        "Both are those of the training samples.": last[[0, 0]],
        "Leave out the λ term: the curves show the cross-entropy alone.": last + decay,
    }
    expect("The last row of `train`'s curves", curves[-1], last, rtol=SHARE, mistakes=mistakes)
    note.fact("last_of_curves", [round(float(end), 4) for end in curves[-1]])
    if not curves[-1, 0] < curves[0, 0]:
        fail("The training's cross-entropy does not fall.", got=f"{curves[0, 0]:.3g}, then {curves[-1, 0]:.3g}")
    if answer.get("learns_rest") is False:
        fail(
            f"`train` learns nothing from {setting.batch_size // 4} samples in batches of {setting.batch_size}.",
            hint="The last batch takes what is left, however little.",
        )
    _flag_invented(curves, as_numbers(answer.get("shorter")), note)
    trained_with.expect_followed(recipe.TRAINING)


def _expect_parameters(state: Any, hidden: int, *, is_strict: bool = False) -> list[Array]:
    """Return the parameters that a training returned; fail if one is missing, or, if `is_strict`, out of order."""
    parameters = digits.as_parameters(state, hidden)
    if parameters is None or (is_strict and [np.shape(own) for own in state] != [one.shape for one in parameters]):
        fail(
            "`train` did not return [W1, b1, W2, b2] first.",
            expected=f"W1 ({hidden}, {recipe.PIXELS}), b1 ({hidden}, 1), W2 ({recipe.CLASSES}, {hidden}), "
            f"b2 ({recipe.CLASSES}, 1), all finite",
            got=", ".join(map(describe, state[:5])) if isinstance(state, list) else describe(state),
        )
    return parameters


def _measure(parameters: list[Array], sets: Iterable[tuple[Array, Array]]) -> Array:
    """Return the cross-entropy of each set of samples."""
    return np.array([network.cross_entropy(network.forward(parameters, X)[1], Y).real for X, Y in sets])


def _flag_invented(curves: Array, shorter: Array, note: Note) -> None:
    """Tell a TA if a training of fewer epochs ends elsewhere than the curve of the longer one says."""
    if shorter.shape[1:] != (2,) or not 0 < len(shorter) <= len(curves):
        return
    ratio = float(curves[len(shorter) - 1, 0] / shorter[-1, 0])
    note.fact("curve_over_shorter_training", round(ratio, 3))
    if not 1 / ALIKE < ratio < ALIKE:
        note.flag(
            f"after {len(shorter)} epochs the curve of a training is {ratio:.2g} times what a training of so many "
            "epochs ends with: is each row measured?"
        )


@check("train.lambda", stage="awaits")
def test_lambda(trained_with: Runner, training: Background, data: Digits, setup: Setup, note: Note) -> None:
    """`choose_lambda` returns the λ whose training ends best on the validation samples."""
    setting, answer = recipe.for_dataset(setup.dataset.name), digits.answer_of(training)
    ends, chosen = _ends(answer), _single(answer.get("chosen"))
    note.fact("cross_entropies", _rounded(ends))
    note.fact("chosen", chosen if isinstance(chosen, int | float) else str(chosen)[:100])
    note.remark(f"By your validation samples λ = {recipe.GRID[int(ends[:, 1].argmin())]:g} is best.")
    best = float(ends[:, 1].min())
    right = [lam for lam, end in zip(recipe.GRID, ends[:, 1], strict=True) if end <= NEAR * best]
    _expect_unseen(answer)
    if note.passed.get("train.accuracy", True) and np.allclose(ends, ends[0], rtol=ROUND_OFF):
        fail("`train` gives the same result for each λ.", hint="Hand `lam` on to `gradients`.")
    if chosen not in right or isinstance(chosen, bool):
        _fail_choice(chosen, recipe.GRID[int(ends[:, 0].argmin())], " or ".join(map(str, right)))
    _expect_choice_of_made_up(answer, note)
    own = _is_measured(last_of(answer.get("parameters")), answer.get("curves"), setting.hidden, data.sets)
    if own and not _are_measured(answer, data):  # if all curves are wrong, another check fails for that
        note.flag("the curves of the trainings with each λ end elsewhere than their parameters: is each row measured?")
    trained_with.expect_followed(recipe.TRAINING)


def _single(value: Any) -> Any:
    """Return an array's only number; for a larger array, which has no truth value, its description; else the value."""
    if not isinstance(value, np.ndarray):
        return value
    return value.item() if value.size == 1 else describe(value)


def _expect_choice_of_made_up(answer: dict[str, Any], note: Note) -> None:
    """Fail if `choose_lambda` does not choose the best λ of made-up curves; flag it if it never called `train`."""
    asked, chosen = answer.get("asked"), answer.get("chosen_of_made_up")
    if not isinstance(asked, list) or not isinstance(chosen, list) or not any(asked):  # or it raised each time
        note.flag("`choose_lambda` was not seen to call `train`: does it train with each λ?")
        return
    for lams, made_up, best in zip(asked, chosen, recipe.ENDS, strict=False):
        if lams == list(recipe.GRID) and _single(made_up) != recipe.GRID[best]:  # else it calls no made-up `train`
            _fail_choice(made_up, recipe.GRID[-1], str(recipe.GRID[best]))


def _are_measured(answer: dict[str, Any], data: Digits) -> bool:
    """Whether the curves of the trainings with each λ end where their parameters do."""
    ends, curves = answer.get("grid_parameters"), answer.get("grid_curves")
    if not isinstance(ends, list) or not isinstance(curves, list) or len(ends) != len(curves):
        return False
    return all(_is_measured(end, rows, recipe.SHORT[0], data.few()) for end, rows in zip(ends, curves, strict=True))


def _is_measured(end: Any, curves: Any, hidden: int, sets: Iterable[tuple[Array, Array]]) -> bool:
    """Whether the last row of a training's curves is the cross-entropy of the parameters that it ends with."""
    parameters, rows = digits.as_parameters(end, hidden), as_numbers(curves)
    if parameters is None or rows.shape[1:] != (2,) or not len(rows):
        return False
    return bool(np.allclose(rows[-1], _measure(parameters, sets), rtol=ROUND_OFF))


def _fail_choice(chosen: Any, by_training: float, right: str) -> NoReturn:
    """Fail with what was chosen, what should have been, and what the training samples would choose."""
    fail(
        "`choose_lambda` does not return the λ with the lowest cross-entropy of validation.",
        expected=right,
        got=str(chosen)[:100],
        hint="A smaller λ always fits the training samples better: compare the ends of the validation curves."
        if chosen == by_training
        else "Train once for each λ of the grid, with the same seed, and compare the ends of the validation curves.",
    )


@check("train.overfitting", stage="awaits")
def test_overfitting(trained_with: Runner, training: Background, note: Note) -> None:
    """`diagnose` tells overfitting from too much regularisation, from your own curves and from others."""
    answer = digits.answer_of(training)
    diagnoses, own = answer.get("diagnosed"), _ends(answer)
    ends = [tuple(map(float, end)) for end in (*own, *(curves[-1] for curves in recipe.MADE_UP))]
    note.fact("diagnosed", diagnoses if isinstance(diagnoses, list) else str(diagnoses)[:100])
    note.fact("cross_entropies", _rounded(own))
    of_each = (
        f"at {learnt:.2f} and {validation:.2f} with λ = {lam:g} ({_MEANS[_diagnose(learnt, validation)]})"
        for lam, (learnt, validation) in zip(recipe.GRID, own.tolist(), strict=True)
    )
    note.remark(f"Your own curves of training and validation end {', '.join(of_each)}.")
    if not isinstance(diagnoses, list) or len(diagnoses) != len(ends):
        fail("`diagnose` did not answer.", got=str(diagnoses)[:100])
    for end, diagnosis in zip(ends, diagnoses, strict=True):
        if _single(diagnosis) != (wanted := _diagnose(*end)):
            fail(
                f"`diagnose` of curves that end at {end[0]:.3g} and {end[1]:.3g} is wrong.",
                expected=repr(wanted),
                got=repr(diagnosis)[:100],
                hint=_WHY[wanted],
            )
    trained_with.expect_followed(recipe.TRAINING)


def _expect_unseen(answer: dict[str, Any]) -> None:
    """Fail if other validation samples lead to other parameters: then the network has learnt these samples, too."""
    both = last_of(answer.get("grid_parameters")), answer.get("without")
    with_, without = (_expect_parameters(end, recipe.SHORT[0]) for end in both)
    # sums may have another order in each run, as with atomics on a GPU; then round-off grows from step to step
    if not all(np.allclose(*pair, rtol=1e-3, atol=1e-3) for pair in zip(with_, without, strict=True)):
        fail(
            "`train` returns other parameters if only the validation samples change.",
            hint="Learn from `samples` alone; draw random numbers by the seed only.",
        )


def _rounded(ends: Array) -> dict[str, list[float]]:
    """Return lambda -> the cross-entropies of training and validation where a training ends."""
    return {f"{lam:g}": np.round(end, 3).tolist() for lam, end in zip(recipe.GRID, ends, strict=True)}


_WHY = {
    "larger": "Overfitting: validation ends above 1.5 times training, and λ should be larger.",
    "smaller": "Too much regularisation: training itself ends above 1, and λ should be smaller.",
    "keep": "Training ends at 1 or below, and validation at 1.5 times that or below: λ can stay.",
}


def _diagnose(learnt: float, validation: float) -> str:
    if validation > recipe.OVERFITTED * learnt:
        return "larger"
    return "smaller" if learnt > recipe.HARDLY_LEARNT else "keep"


def _ends(answer: dict[str, Any]) -> Array:
    """Return the last row of the curves for each λ, shape (values of λ, 2); another check counts the rows."""
    of_grid = answer.get("grid_curves")
    curves = [as_numbers(rows) for rows in of_grid] if isinstance(of_grid, list) else []
    if len(curves) != len(recipe.GRID) or any(rows.shape[1:] != (2,) or not len(rows) for rows in curves):
        fail("`train` did not return curves for each λ.", expected=f"shape ({recipe.SHORT[-1]}, 2)")
    return np.array([rows[-1] for rows in curves])
