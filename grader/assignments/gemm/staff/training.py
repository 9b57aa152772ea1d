"""Trainings by the submission. Neither test images nor their labels come here: the parent predicts."""

import time
from contextlib import suppress
from unittest import mock

import numpy as np
import train

PARAMETERS = 4
PLACE = 3  # position of lambda among the arguments of `train`


def learn(data, control_labels, setting, few, grid, short, others, made_up):
    """Train several times.

    Args:
        data: The pairs (X, Y) of training and of validation, with samples as columns.
        control_labels: Shuffled labels of X, from which nothing can be learnt.
        setting: Hidden neurons, lambda, learning rate, batch size, epochs and seed of the training that counts.
        few: Like `data`, with few samples to learn, for the choice of lambda.
        grid: Values of lambda to choose from.
        short: Hidden neurons, learning rate, batch size, epochs and seed for the choice of lambda.
        others: Further curves to diagnose.
        made_up: Sets of made-up curves, one for each lambda, that replace the curves of trainings.

    Returns:
        `parameters` before and after the training that counts, and whether those `are_on_device`; those of its
        `control`; the `curves` of that training, and how many `values` it returns; the curves of a `shorter`
        one, a new training of fewer epochs; `learns_rest`, see `_learns_rest`; `grid_curves` and `grid_parameters`, one
        for each lambda; `chosen`, a lambda; `chosen_of_made_up`, a lambda for each set, and for which lambdas `train`
        was `asked` each time; `diagnosed`, the diagnosis of each of `grid_curves` and `others`; `without`, the last of
        `grid_parameters` with other samples in place of the validation samples; `fit_s`, the wall time.
    """
    samples, validation = map(tuple, data)
    hidden, *rest, epochs, seed = setting
    before, *_ = _train(samples, validation, hidden, *rest, 0, seed)
    start = time.perf_counter()
    after, curves, values = _train(samples, validation, hidden, *rest, epochs, seed)
    fit_s = time.perf_counter() - start
    control, *_ = _train((samples[0], control_labels), validation, hidden, *rest, epochs // 3, seed)
    _, shorter, _ = _train(samples, validation, hidden, *rest, epochs // 5, seed)
    return {
        "parameters": [_on_host(before), _on_host(after)],
        "are_on_device": any(hasattr(parameter, "copy_to_host") for parameter in after),
        "control": _on_host(control),
        "curves": curves,
        "values": len(values) if _place_of_curves(values)[0] else "the curves first of two",
        "fit_s": fit_s,
        "learns_rest": _learns_rest(samples, validation, hidden, *rest, seed),
        "shorter": shorter,
        **_choose(few, grid, short, others, made_up),
    }


def _train(*args):
    """Return the parameters, the curves, and all values that `train` returns; if others, one check costs points."""
    values = tuple(train.train(*args))
    place, count = _place_of_curves(values)
    curves = values[place] if count == 1 else np.stack(values[place : place + count], axis=1)
    return (values[1 - place] if place < PARAMETERS else values[:place]), curves, values


def _place_of_curves(values):
    """Return the place of curves (second, first, or after parameters that are in no list), and in how many values."""
    place = 1 if not hasattr(values[0], "shape") else PARAMETERS if len(values) > PARAMETERS else 0
    with suppress(Exception):  # values may be anything
        return place, 2 if np.ndim(values[place]) == 1 and np.shape(values[place]) == np.shape(values[place + 1]) else 1
    return place, 1


def _learns_rest(samples, validation, hidden, lam, learning_rate, batch_size, seed):
    """Return whether parameters change if all samples together are less than a batch; None if that raises."""
    few = tuple(np.ascontiguousarray(part[:, : batch_size // 4]) for part in samples)
    args = few, validation, hidden, lam, learning_rate, batch_size
    try:
        before, after = (_train(*args, epochs, seed)[0] for epochs in (0, 1))
    except Exception:  # noqa: BLE001 - a training need not accept so few samples
        return None
    return not all(np.array_equal(old, new) for old, new in zip(_on_host(before), _on_host(after), strict=True))


def _on_host(parameters):
    """Return parameters as a list; those that were left on the device are copied, and cost points in one check."""
    return [one.copy_to_host() if hasattr(one, "copy_to_host") else one for one in parameters]


def _choose(data, grid, short, others, made_up):
    """Return curves and parameters for each lambda, the choices of lambda, and the diagnoses; see `learn`.

    If the submission's own curves have a column for each epoch, which costs points elsewhere, so have all that it gets.
    """
    (samples, validation), (hidden, *rest) = map(tuple, data), short
    trained = [_train(samples, validation, hidden, lam, *rest) for lam in grid]
    ends = [curves for _, curves, _ in trained]
    turn = np.transpose if _are_columns(ends[0], short[-2]) else lambda curves: curves
    answer = {
        "grid_curves": [*map(turn, ends)],
        "chosen": train.choose_lambda(list(grid), samples, validation, hidden, *rest),
        "diagnosed": [train.diagnose(curves) for curves in (*ends, *map(turn, others))],
        "grid_parameters": [_on_host(parameters) for parameters, *_ in trained],
        "without": _on_host(_train(samples, samples, hidden, grid[-1], *rest)[0]),
    }
    choices = [_choose_of([*map(turn, curves)], trained[0][2], data, grid, short) for curves in made_up]
    return answer | {"chosen_of_made_up": [chosen for chosen, _ in choices], "asked": [asked for _, asked in choices]}


def _are_columns(curves, epochs):
    """Return whether curves have two rows, and a column for each epoch."""
    with suppress(Exception):  # the curves may be anything
        return np.shape(curves) == (2, epochs)
    return False


def _choose_of(made_up, values, data, grid, short):
    """Return the lambda that is chosen from made-up curves, and the lambdas asked for; (None, []) if that raises."""
    asked = []

    def pretend(*args, **named):
        lam = named.get("lam", args[PLACE] if len(args) > PLACE else None)
        asked.append(lam)
        made, (place, count) = made_up[grid.index(lam)], _place_of_curves(values)
        return *values[:place], *(made.T if count > 1 else [made]), *values[place + count :]

    with mock.patch.object(train, "train", pretend), suppress(Exception):
        return train.choose_lambda(list(grid), *map(tuple, data), *short), asked
    return None, []  # the choice came from real trainings: `train` may be used in another way
