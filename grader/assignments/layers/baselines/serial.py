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


def _entrywise(formula: Callable[[float, float], float]) -> Callable[[Matrix, Matrix], Matrix]:
    """Return a compiled loop over the entries of two arrays."""
    compiled = njit(formula)

    @njit  # type: ignore[untyped-decorator]
    def loop(left: Matrix, right: Matrix) -> Matrix:
        result = np.empty(left.shape)
        for i in range(left.shape[0]):
            for j in range(left.shape[1]):
                result[i, j] = compiled(left[i, j], right[i, j])
        return result

    return loop  # type: ignore[no-any-return]


def _loss(y_hat: float, y: float) -> float:
    inside = min(max(y_hat, EPSILON), 1 - EPSILON)
    return -(y * math.log(inside) + (1 - y) * math.log(1 - inside))


def _slope(y_hat: float, y: float) -> float:
    inside = min(max(y_hat, EPSILON), 1 - EPSILON)
    return (1 - y) / (1 - inside) - y / inside


relu = _entrywise(lambda z, passed: passed if z > 0 else 0.0)
"""`passed` where Z is positive: Z itself on the way forward, dA on the way back."""
sigmoid, sigmoid_back = _entrywise(lambda z, _: 1 / (1 + math.exp(-z))), _entrywise(lambda a, dA: dA * a * (1 - a))
losses, slopes_of = _entrywise(_loss), _entrywise(_slope)
subtract = _entrywise(lambda old, step: old - step)


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
        result = function(*args)
        functions_s[name] = functions_s.get(name, 0.0) + time.perf_counter() - start
        return result

    W1, b1, W2, b2 = parameters
    rate, epochs = setting
    for _ in range(epochs):
        Z1 = timed("Linear.forward", forward, W1, b1, X)
        A1 = timed("ReLU.forward", relu, Z1, Z1)
        Z2 = timed("Linear.forward", forward, W2, b2, A1)
        y_hat = timed("Sigmoid.forward", sigmoid, Z2, Z2)
        timed("loss.cross_entropy", losses, y_hat, Y)
        slopes = timed("loss.cross_entropy_gradient", slopes_of, y_hat, Y)
        dZ2 = timed("Sigmoid.backward", sigmoid_back, y_hat, slopes)
        dA1, dW2, db2 = timed("Linear.backward", backward, W2, A1, dZ2)
        dZ1 = timed("ReLU.backward", relu, Z1, dA1)
        _dX, dW1, db1 = timed("Linear.backward", backward, W1, X, dZ1)
        pairs = zip((W1, b1, W2, b2), (dW1, db1, dW2, db2), strict=True)
        W1, b1, W2, b2 = (timed("Linear.update", subtract, old, rate * slope) for old, slope in pairs)
    return np.concatenate([part.ravel() for part in (W1, b1, W2, b2)])
