"""Print, as JSON, what the report shows: loads of the three steps, round-off beside its bound, and curves of trainings.

`python -m grader.cuda_cpu measure.py` on a machine without a GPU; loads are counted by that executor.
"""

import json

import numpy as np
from gemm import gemm_blocked, gemm_naive, gemm_tiled
from numba import cuda
from sklearn.datasets import load_digits
from train import choose_lambda, diagnose, train

from grader.cuda_cpu import counting

SIZES = (128, 256, 128)
DEPTHS = (16, 64, 256, 1024)
GRID = (0.3, 0.03, 0.005, 0.0)
HIDDEN, SETTING = 32, (1.0, 15, 32)  # neurons; learning rate, batch size, epochs
LEARNT, VALIDATED, WRONG, CONTRAST = 60, 400, 0.3, 6.0
DRAWS = 3
FIXES = ((32, 0.0), (32, 0.001), (8, 0.0), (8, 0.001), (1, 0.0))  # neurons and lambda: against overfitting


def draw(shapes, kind):
    """Return normally distributed matrices on the device."""
    rng = np.random.default_rng(1)
    return [rng.normal(size=shape).astype(kind) for shape in shapes]


def count_loads():
    """Return, for each step, the loads of a multiply-add from global and from shared memory."""
    m, k, n = SIZES
    found = {}
    for step in (gemm_naive, gemm_tiled, gemm_blocked):
        A, B, C = (cuda.to_device(one) for one in draw(((m, k), (k, n), (m, n)), np.float64))
        with counting() as record:
            step(1.0, A, B, 0.0, C)
        launch = record.launches[0]
        found[step.__name__] = [launch.total("accesses", "load", space) / (m * k * n) for space in ("global", "shared")]
    return found


def measure_errors():
    """Return, for sums of k products of float32, the largest error and the bound of round-off there."""
    unit, found = 2.0**-24, {}
    for k in DEPTHS:
        A, B = draw(((32, k), (k, 32)), np.float32)
        C = cuda.to_device(np.zeros((32, 32), np.float32))
        gemm_blocked(1.0, cuda.to_device(A), cuda.to_device(B), 0.0, C)
        right, sizes = A.astype(float) @ B, np.abs(A).astype(float) @ np.abs(B)
        roundings = (k + 5) * unit
        off = np.abs(C.copy_to_host() - right)
        place = np.unravel_index(off.argmax(), off.shape)
        found[k] = [float(off[place]), float(roundings / (1 - roundings) * sizes[place])]
    return found


def spoil(labels, rng):
    """Return one-hot labels of which a share is exchanged by chance: noise, to be learnt by heart."""
    found, wrong = labels.copy(), int(WRONG * labels.shape[1])
    found[:, :wrong] = labels[:, rng.permutation(wrong)]
    return found


def draw_digits(seed):
    """Return few digits to learn and others to validate, both with noise in their labels."""
    data, rng = load_digits(), np.random.default_rng(seed)
    order = rng.permutation(len(data.target))[: LEARNT + VALIDATED]
    X, Y = CONTRAST * data.data[order].T / 16, np.eye(10)[:, data.target[order]]
    parts = (slice(0, LEARNT), slice(LEARNT, LEARNT + VALIDATED))
    return [(np.ascontiguousarray(X[:, part]), spoil(Y[:, part], rng)) for part in parts]


def learn():
    """Return the mean curves of each lambda, their diagnoses, the chosen lambda, and the other trainings."""
    draws = [draw_digits(seed) for seed in range(DRAWS)]

    def mean_curves(hidden, lam):
        return np.mean([train(*both, hidden, lam, *SETTING, seed)[1] for seed, both in enumerate(draws)], axis=0)

    curves = [mean_curves(HIDDEN, lam) for lam in GRID]
    fixes = [[hidden, lam, *mean_curves(hidden, lam)[-1].tolist()] for hidden, lam in FIXES]
    return {
        "curves": [one.tolist() for one in curves],
        "diagnosed": [diagnose(one) for one in curves],
        "chosen": [choose_lambda(GRID, *both, HIDDEN, *SETTING, seed) for seed, both in enumerate(draws)],
        "fixes": fixes,
    }


if __name__ == "__main__":
    print(json.dumps({"loads": count_loads(), "errors": measure_errors(), "grid": GRID, **learn()}))
