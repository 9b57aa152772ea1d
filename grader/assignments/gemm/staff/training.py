"""Trainings by the submission. Test images and their labels never come here: the parent predicts with what was learnt."""

import time

import train


def learn(data, control_labels, setting, few, grid, short):
    """Train several times.

    Args:
        data: X, Y, X_validation, Y_validation, all with samples as columns.
        control_labels: Other labels of X, which say nothing.
        setting: Hidden neurons, lambda, learning rate, batch size, epochs and seed of the training that counts.
        few: So many samples are learnt where lambda is chosen.
        grid: Values of lambda to choose from.
        short: Hidden neurons, learning rate, batch size, epochs and seed there.

    Returns:
        `before`, `after` and `control`, parameters; `curves` of the training that counts; `grid_curves`, one for each
        lambda; `chosen`, a lambda; `diagnosed`, what is said about each of `grid_curves`; `fit_s`, the wall time.
    """
    X, Y, *validation = data
    hidden, *rest, epochs, seed = setting
    before, _ = train.train(X, Y, *validation, hidden, *rest, 0, seed)
    start = time.perf_counter()
    after, curves = train.train(X, Y, *validation, hidden, *rest, epochs, seed)
    fit_s = time.perf_counter() - start
    control, _ = train.train(X, control_labels, *validation, hidden, *rest, epochs // 3, seed)
    found = {"before": list(before), "after": list(after), "control": list(control), "curves": curves, "fit_s": fit_s}
    return found | _choose(X[:, :few].copy(), Y[:, :few].copy(), validation, grid, short)


def _choose(X, Y, validation, grid, short):
    """Return the curves for each lambda, the lambda that is chosen, and what the curves are taken for."""
    hidden, *rest = short
    ends = [train.train(X, Y, *validation, hidden, lam, *rest)[1] for lam in grid]
    chosen = train.choose_lambda(list(grid), X, Y, *validation, hidden, *rest)
    return {"grid_curves": ends, "chosen": chosen, "diagnosed": [train.diagnose(curves) for curves in ends]}
