"""Sizes and settings that the sheet fixes, and those that the checks choose."""

from dataclasses import dataclass

STEPS = ("gemm_naive", "gemm_tiled", "gemm_blocked")
GEMM = "gemm"
SCENARIOS = "gemm_scenarios"

ODD = 37, 29, 71
"""The least m, k and n: multiples of no tile, and more than one tile each; a check adds even numbers below 8."""
SHAPES = ((1, 1, 1), (1, 300, 1), (3, 1, 1030), (1030, 2, 1), (65, 130, 17), (129, 33, 66))
"""The smallest, long and thin ones, and one more than multiples of 64 and 128."""
EVEN = 128, 128, 128  # multiples of every tile: with these sizes, only the property that a check asks for can be wrong
EMPTY = ((0, 5, 7), (5, 7, 0), (0, 0, 0), (128, 0, 128))
COUNTED = 128, 256, 128
"""Multiples of every tile, small enough to follow every access, and so deep that reading C once hardly counts."""

UNEVEN = 129, 129, 257  # sizes, in any order, one more than multiples of every tile; the edges are a small part

INPUTS, HIDDEN, CLASSES, SAMPLES = 21, 13, 10, 37
"""Sizes of the network whose numbers are checked: no multiples of a tile."""
LAMBDA = 0.3
NETWORK = (("mlp", "forward"), ("mlp", "gradients"), ("mlp", "loss"), ("mlp", "update"), ("gemm", "gemm"))
TRAINING = (("train", "train"), ("train", "choose_lambda"), ("train", "diagnose"), *NETWORK)  # all that a training uses

PIXELS = 64  # images are averaged to 8 × 8
GRID = (0.3, 0.03, 0.005, 0.0)  # from too much regularisation to none
FEW, WRONG, CONTRAST = 60, 0.3, 6.0
"""For the choice of lambda: how many samples; the share of wrong labels, as the text adds noise to its data; and the
largest number of a sample, so that a network soon knows its samples by heart."""
ENDS = {2: ((2.2, 2.3), (1.0, 1.2), (0.5, 1.0), (0.1, 1.5)), 1: ((2.2, 2.3), (1.0, 1.2), (0.5, 1.4), (0.1, 1.7))}
"""Place of the lambda that is best by validation -> ends of made-up trainings, (training, validation) for each lambda;
by training, the last lambda is best. There are two, so that no fixed answer is right."""
BEFORE = ((2.3, 2.3), (1.5, 1.6), (1.0, 1.2), (0.2, 0.6))  # rows before the ends; the last one is the lowest
SHORT = 32, 1.0, 15, 32  # hidden neurons, learning rate, batch size and epochs for the choice of lambda
MADE_UP = (((2.2, 2.3), (0.1, 0.9)), ((2.3, 2.3), (2.1, 2.2)), ((2.3, 2.3), (0.3, 0.35)))
"""Curves of an overfitted, a too much regularised and a good training: a submission's own may show none of them."""
LIMIT_S = 90
OVERFITTED, HARDLY_LEARNT = 1.5, 1.0
"""The sheet's limits: validation is this many times as high as training; training is this high."""


@dataclass(frozen=True, slots=True)
class Training:
    """How the network is trained on a data set."""

    samples: int
    """How many samples are learnt; the next `VALIDATION`, or fewer if there are no more, are the validation set."""
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
