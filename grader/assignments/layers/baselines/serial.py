"""The training in loops, compiled, on one core: what the text calls the serial code, timed function by function.

Runs as a script folder of the staff's own worker.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numba import njit

from grader.assignments.layers.baselines.baseline import EPSILON, Matrix
from grader.assignments.layers.baselines.loops import forward

RUNS = 5


@njit  # type: ignore[untyped-decorator] # Numba is half typed
def backward(W: Matrix, A: Matrix, dZ: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """Return dA, dW and db of Z = W A + b."""
    dA, dW, db = np.zeros(A.shape), np.zeros(W.shape), np.zeros((W.shape[0], 1))
    for i in range(dZ.shape[0]):
        for j in range(dZ.shape[1]):
            mean = dZ[i, j] / dZ.shape[1]
            db[i, 0] += mean
            for k in range(A.shape[0]):
                dA[k, j] += W[i, k] * dZ[i, j]
                dW[i, k] += mean * A[k, j]
    return dA, dW, db


@njit  # type: ignore[untyped-decorator]
def update(old: Matrix, slope: Matrix, rate: float) -> None:
    """Take a step, in place."""
    for i in range(old.shape[0]):
        for j in range(old.shape[1]):
            old[i, j] -= rate * slope[i, j]


@njit  # type: ignore[untyped-decorator]
def relu(Z: Matrix, passed: Matrix) -> Matrix:
    """Return `passed` where Z is positive, 0 elsewhere: Z itself on the way forward, dA on the way back."""
    found = np.zeros(Z.shape)
    for i in range(Z.shape[0]):
        for j in range(Z.shape[1]):
            if Z[i, j] > 0:
                found[i, j] = passed[i, j]
    return found


@njit  # type: ignore[untyped-decorator]
def sigmoid(Z: Matrix) -> Matrix:
    """Return the predictions, one row."""
    found = np.empty(Z.shape)
    for j in range(Z.shape[1]):
        found[0, j] = 1 / (1 + math.exp(-Z[0, j]))
    return found


@njit  # type: ignore[untyped-decorator]
def sigmoid_back(A: Matrix, dA: Matrix) -> Matrix:
    """Return dZ of the predictions A."""
    found = np.empty(A.shape)
    for j in range(A.shape[1]):
        found[0, j] = dA[0, j] * A[0, j] * (1 - A[0, j])
    return found


@njit  # type: ignore[untyped-decorator]
def cross_entropy(y_hat: Matrix, y: Matrix) -> tuple[float, Matrix]:
    """Return the loss, and its derivative for each sample."""
    loss, slopes = 0.0, np.empty(y.shape)
    for j in range(y.shape[1]):
        inside = min(max(y_hat[0, j], EPSILON), 1 - EPSILON)
        loss -= (y[0, j] * math.log(inside) + (1 - y[0, j]) * math.log(1 - inside)) / y.shape[1]
        slopes[0, j] = (1 - y[0, j]) / (1 - inside) - y[0, j] / inside
    return loss, slopes


def profile(parameters: Sequence[Matrix], X: Matrix, Y: Matrix, setting: tuple[float, int]) -> dict[str, Any]:
    """Return `total_s` and `functions_s` of the shortest of some trainings, and the `parameters` after it.

    The arguments are those of `baseline.train`.
    """
    runs: list[tuple[float, dict[str, float]]] = []
    for _ in range(1 + RUNS):  # the first one compiles
        functions_s: dict[str, float] = {}
        start = time.perf_counter()
        after = _train(parameters, X, Y, setting, functions_s)
        runs.append((time.perf_counter() - start, functions_s))
    total_s, functions_s = min(runs[1:], key=lambda run: run[0])
    return {"total_s": total_s, "functions_s": functions_s, "parameters": after}


def _train(
    parameters: Sequence[Matrix], X: Matrix, Y: Matrix, setting: tuple[float, int], functions_s: dict[str, float]
) -> Matrix:
    """Return all parameters after a training; add to `functions_s` what each function took."""

    def timed(name: str, function: Callable[..., Any], *args: Any) -> Any:
        start = time.perf_counter()
        found = function(*args)
        functions_s[name] = functions_s.get(name, 0.0) + time.perf_counter() - start
        return found

    W1, b1, W2, b2 = held = [part.copy() for part in parameters]
    rate, epochs = setting
    for _ in range(epochs):
        Z1 = timed("Linear.forward", forward, W1, b1, X)
        A1 = timed("ReLU.forward", relu, Z1, Z1)
        y_hat = timed("Sigmoid.forward", sigmoid, timed("Linear.forward", forward, W2, b2, A1))
        _loss, slopes = timed("loss.cross_entropy", cross_entropy, y_hat, Y)
        dZ2 = timed("Sigmoid.backward", sigmoid_back, y_hat, slopes)
        dA1, dW2, db2 = timed("Linear.backward", backward, W2, A1, dZ2)
        dZ1 = timed("ReLU.backward", relu, Z1, dA1)
        _dX, dW1, db1 = timed("Linear.backward", backward, W1, X, dZ1)
        for old, slope in zip(held, (dW1, db1, dW2, db2), strict=True):
            timed("Linear.update", update, old, slope, rate)
    return np.concatenate([part.ravel() for part in held])
