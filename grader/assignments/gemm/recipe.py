"""Sizes and settings that the sheet fixes, and those that the checks choose."""

from dataclasses import dataclass

STEPS = ("gemm_naive", "gemm_tiled", "gemm_blocked")
GEMM = "gemm"
SCENARIOS = "gemm_scenarios"

ODD = 37, 29, 71
"""m, k and n at least: multiples of nothing, and more than one tile each; a check adds even numbers below 8."""
SHAPES = ((1, 1, 1), (1, 300, 1), (3, 1, 200), (200, 2, 1), (65, 130, 17), (129, 33, 66))
"""The smallest, long and thin ones, and one more than multiples of 64 and 128."""
EVEN = 128, 128, 128
"""A multiple of every tile: here only what a check asks for can be wrong."""
EMPTY = ((0, 5, 7), (5, 7, 0), (0, 0, 0), (128, 0, 128))
COUNTED = 128, 256, 128
"""Multiples of every tile, small enough to follow every access, and so deep that reading C once hardly counts."""

UNEVEN = 129, 129, 257
"""In any order: one more than multiples of every tile, and the edges are a small part."""

INPUTS, HIDDEN, CLASSES, SAMPLES = 21, 13, 10, 37
"""Of the network whose numbers are checked: no multiples of a tile."""
LAMBDA = 0.3
NETWORK = (("mlp", "forward"), ("mlp", "gradients"), ("mlp", "loss"), ("mlp", "update"), ("gemm", "gemm"))
TRAINING = (("train", "train"), ("train", "choose_lambda"), ("train", "diagnose"), *NETWORK)
"""All that a training uses."""

PIXELS = 64
"""Images are averaged to 8 × 8."""
GRID = (0.3, 0.03, 0.005, 0.0)
"""From too much regularisation to none."""
FEW, WRONG, CONTRAST = 60, 0.3, 6.0
"""Where lambda is chosen: few samples; this share of wrong labels, as the text adds noise to its data; and numbers from
0 to 6, so that a network soon knows its samples by heart."""
ENDS = {2: ((2.2, 2.3), (1.0, 1.2), (0.5, 1.0), (0.1, 1.5)), 1: ((2.2, 2.3), (1.0, 1.2), (0.5, 1.4), (0.1, 1.7))}
"""Which lambda is best by validation -> where made-up trainings end, one for each lambda; by training the last is best.
Two of them, so that no answer is right by heart.
"""
SHORT = 32, 1.0, 15, 32
"""Hidden neurons, learning rate, batch size and epochs there."""
MADE_UP = (((2.2, 2.3), (0.1, 0.9)), ((2.3, 2.3), (2.1, 2.2)), ((2.3, 2.3), (0.3, 0.35)))
"""Curves of an overfitted, of a too much regularised, and of a good training; whoever's own show none of these."""
LIMIT_S = 90
OVERFITTED, HARDLY_LEARNT = 1.5, 1.0
"""As the sheet says: validation so many times training; training so high."""


@dataclass(frozen=True, slots=True)
class Training:
    """How the network is trained on a data set."""

    samples: int
    """Learnt; as many more, at most `VALIDATION`, are the validation set."""
    hidden: int
    lam: float
    learning_rate: float
    batch_size: int
    epochs: int


VALIDATION = 397
EMBEDDED = Training(samples=1000, hidden=32, lam=1e-4, learning_rate=2.0, batch_size=50, epochs=15)
"""The embedded digits: right code ends at 96 to 98 %."""
MNIST = Training(samples=10000, hidden=48, lam=1e-4, learning_rate=2.0, batch_size=100, epochs=8)
"""Right code ends at 90 to 91 %."""


def for_dataset(name: str) -> Training:
    """Return how the network is trained on a data set."""
    return EMBEDDED if name == "digits" else MNIST
