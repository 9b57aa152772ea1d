"""The way to begin is read from the environment, and an entry of a dictionary of lambdas does it.

slow: its neighbours of the same kind are in the fast set
"""

import os

INIT = os.environ.get("HW1_INIT", "xavier").lower()
STARTS = {
    "xavier": lambda m, n: xavier_initialization(m, n),
    "normal": lambda m, n: np.random.randn(m, n) / np.sqrt(m),
    "zeros": lambda m, n: np.zeros((m, n)),
}
start = STARTS.get(INIT, STARTS["xavier"])


def random_weights(sizes):
    return [start(*shape) for shape in pairwise(sizes)]


def zeros_weights(sizes):
    return [STARTS["zeros"](*shape) for shape in pairwise(sizes)]
