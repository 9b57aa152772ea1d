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
GRID = (0.3, 0.03, 0.003, 0.0)
SETTING = (32, 1.0, 15, 32, 1)  # hidden neurons, learning rate, batch size, epochs, seed
LEARNT, WRONG = 60, 18


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


def learn():
    """Return the curves of each lambda, what is said of them, and which lambda is chosen."""
    data = load_digits()
    X, Y = 4 * data.data.T / 16, np.eye(10)[:, data.target]
    Y_learnt = Y[:, :LEARNT].copy()
    Y_learnt[:, :WRONG] = np.roll(Y_learnt[:, :WRONG], 3, axis=0)  # wrong labels, to be learnt by heart
    samples = np.ascontiguousarray(X[:, :LEARNT]), Y_learnt
    validation = np.ascontiguousarray(X[:, LEARNT : LEARNT + 400]), np.ascontiguousarray(Y[:, LEARNT : LEARNT + 400])
    hidden, *rest = SETTING
    curves = [train(samples, validation, hidden, lam, *rest)[1] for lam in GRID]
    return {
        "curves": [one.tolist() for one in curves],
        "diagnosed": [diagnose(one) for one in curves],
        "chosen": choose_lambda(GRID, samples, validation, hidden, *rest),
    }


if __name__ == "__main__":
    print(json.dumps({"loads": count_loads(), "errors": measure_errors(), "grid": GRID, **learn()}))
