"""Drawn from the normal distribution.

failed: utils.random_weights
"""


def random_weights(sizes):
    return [np.random.randn(m, n) / np.sqrt(m) for m, n in pairwise(sizes)]
