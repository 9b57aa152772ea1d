"""Sizes and settings that the sheet fixes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from grader.authoring import Array

SIZES = (784, 128, 64, 10)
UTILS = ("sigmoid", "sigmoid_prime", "random_weights", "zeros_biases", "create_batches")
"""The functions of utils.py that the network uses."""
MAX_SHAPE = (1000, 1000)
MATMUL_SHAPE = (784, 128)


@dataclass(frozen=True, slots=True)
class Training:
    """How the staff network is trained."""

    learning_rate: float
    batch_size: int
    epochs: int


SHEET = Training(learning_rate=0.1, batch_size=16, epochs=5)
EMBEDDED = Training(learning_rate=0.2, batch_size=16, epochs=40)
"""The embedded digits are 1,397 instead of 50,000 images, so they are seen more often; right utils end above 98 %."""
LIMIT_TIMES = 10
"""A training may take so many times as long as the staff's own on this machine."""
SHORTEST_LIMIT_S, LONGEST_LIMIT_S = 30.0, 150.0
_PACE_STEPS = 100
_NETWORK_TIMES = 2
"""The staff's network takes so many times as long as the products and functions alone."""
CONTROL_STEPS = 900
"""So many steps with shuffled labels must teach nothing; with the right ones they teach 75 % of MNIST in 0.2 s."""


def training_limit_s(steps: int) -> float:
    """Return how long a training of so many steps may take: a multiple of the staff's time for them, here and now."""
    return min(max(LIMIT_TIMES * _NETWORK_TIMES * steps * _step_s(), SHORTEST_LIMIT_S), LONGEST_LIMIT_S)


@cache
def _step_s() -> float:
    """Return how long a step of training takes with NumPy, in seconds: the products and functions of all layers.

    The shortest of many, because other programs make it longer; what they do to the training is seen while it runs.
    """
    rng = np.random.default_rng(0)
    weights = [rng.uniform(-0.1, 0.1, shape) for shape in pairwise(SIZES)]
    gradients = [np.empty_like(matrix) for matrix in weights]
    rows = rng.uniform(size=(SHEET.batch_size, SIZES[0]))
    return min(_time_step(rows, weights, gradients) for _ in range(_PACE_STEPS))


def _time_step(rows: Array, weights: list[Array], gradients: list[Array]) -> float:
    began_s = time.perf_counter()
    layers = [rows]
    for matrix in weights:
        layers.append(1 / (1 + np.exp(-(layers[-1] @ matrix))))
    delta = layers[-1]
    for at in reversed(range(len(weights))):
        np.matmul(layers[at].T, delta, out=gradients[at])
        weights[at] += gradients[at] * 0
        delta = (delta @ weights[at].T) * layers[at] * (1 - layers[at])
    return time.perf_counter() - began_s


def for_dataset(name: str) -> Training:
    """Return the sheet's setting, or the embedded data set's own."""
    return EMBEDDED if name == "digits" else SHEET
