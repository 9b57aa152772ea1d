"""The weights are drawn number by number with random.uniform of the standard library.

slow: its neighbours of the same kind are in the fast set
"""

import math
import random


def xavier_initialization(m, n):
    bound = 1 / math.sqrt(m)
    return np.array([[random.uniform(-bound, bound) for _ in range(n)] for _ in range(m)])


def random_weights(sizes):
    return [xavier_initialization(m, n) for m, n in zip(sizes, sizes[1:])]
