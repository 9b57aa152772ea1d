"""Activations and their derivatives stand in a dictionary of dataclasses, filled below; the functions look theirs up.

slow: its neighbours of the same kind are in the fast set
"""

from dataclasses import dataclass
from typing import Callable

ACTIVATIONS = {}


@dataclass(frozen=True)
class Activation:
    name: str
    value: Callable
    slope: Callable = None

    def __post_init__(self):
        ACTIVATIONS[self.name] = self


def sigmoid(x):
    return ACTIVATIONS["sigmoid"].value(x)


def sigmoid_prime(x):
    return ACTIVATIONS["sigmoid"].slope(x)


def _logistic(x):
    return 1 / (1 + np.exp(-np.clip(x, -700, None)))


Activation("sigmoid", _logistic, lambda x: _logistic(x) * (1 - _logistic(x)))
Activation("tanh", np.tanh, lambda x: 1 - np.tanh(x) ** 2)
Activation("relu", lambda x: np.maximum(x, 0), lambda x: np.where(x > 0, 1.0, 0.0))
