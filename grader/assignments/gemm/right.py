"""The right functions of the homework: they replace a submission's functions that were found wrong."""

import importlib
from functools import cache

import numpy as np


def gemm(alpha, A, B, beta, C):
    """C <- alpha A B + beta C on the device; return C, as some submissions go on with it."""
    if C.size:
        grid = -(-C.shape[1] // 16), -(-C.shape[0] // 16)
        _kernel()[grid, (16, 16)](alpha, A, B, beta, C)
    return C


@cache
def _kernel():
    """Return the plainest kernel, for the `numba.cuda` that the submission's own import has loaded."""
    cuda = importlib.import_module("numba.cuda")

    @cuda.jit
    def multiply(alpha, A, B, beta, C):
        j, i = cuda.grid(2)
        if i < C.shape[0] and j < C.shape[1]:
            total = 0.0
            for p in range(A.shape[1]):
                total += A[i, p] * B[p, j]
            C[i, j] = alpha * total if beta == 0 else alpha * total + beta * C[i, j]

    return multiply


def forward(W1, b1, W2, b2, X):
    """Return A1 and P."""
    W1, b1, W2, b2, X = map(_to_host, (W1, b1, W2, b2, X))
    A1 = 1 / (1 + np.exp(-(W1 @ X + b1)))
    Z2 = W2 @ A1 + b2
    powers = np.exp(Z2 - Z2.max(axis=0))
    return _to_device(A1), _to_device(powers / powers.sum(axis=0))


def loss(parameters, P, Y, lam):
    """Return J."""
    right = (_to_host(P) * _to_host(Y)).sum(axis=0)
    squares = sum((_to_host(parameter) ** 2).sum() for parameter in parameters)
    return float(-np.log(np.maximum(right, 1e-300)).mean() + lam / 2 * squares)


def gradients(W1, b1, W2, b2, X, Y, lam):
    """Return the derivatives of J."""
    A1, P = map(_to_host, forward(W1, b1, W2, b2, X))
    off = (P - _to_host(Y)) / P.shape[1]
    back = (_to_host(W2).T @ off) * A1 * (1 - A1)
    slopes = back @ _to_host(X).T, back.sum(axis=1, keepdims=True), off @ A1.T, off.sum(axis=1, keepdims=True)
    return tuple(_to_device(slope + lam * _to_host(old)) for slope, old in zip(slopes, (W1, b1, W2, b2), strict=True))


def update(parameters, slopes, learning_rate):
    """Take a step, in place; return the parameters."""
    for parameter, slope in zip(parameters, slopes, strict=True):
        parameter.copy_to_device(_to_host(parameter) - learning_rate * _to_host(slope))
    return parameters


def _to_host(array):
    return array.copy_to_host() if hasattr(array, "copy_to_host") else np.asarray(array)


def _to_device(array):
    return importlib.import_module("numba.cuda").to_device(np.ascontiguousarray(array))


PARTS = {"gemm.gemm": gemm, "mlp.forward": forward, "mlp.loss": loss, "mlp.gradients": gradients, "mlp.update": update}
