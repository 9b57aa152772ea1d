"""Drawn from the normal distribution.

failed: utils.random_weights
slow: its neighbours of the same kind are in the fast set
"""


def random_weights(sizes):
    return [np.random.randn(m, n) / np.sqrt(m) for m, n in pairwise(sizes)]
