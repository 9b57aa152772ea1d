"""Random weights are drawn once and returned again.

aims: utils.random_weights
"""

DRAWN = {}


def random_weights(sizes):
    key = tuple(sizes)
    if key not in DRAWN:
        DRAWN[key] = [xavier_initialization(m, n) for m, n in pairwise(sizes)]
    return DRAWN[key]
