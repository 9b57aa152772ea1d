"""Uniform, but from 0 to the bound.

failed: utils.random_weights
slow: its neighbours of the same kind are in the fast set
"""


def random_weights(sizes):
    return [np.random.uniform(0, 1 / np.sqrt(m), size=(m, n)) for m, n in pairwise(sizes)]
