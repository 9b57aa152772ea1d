"""Rows belong to the next layer.

failed: utils.zeros_weights
slow: its neighbours of the same kind are in the fast set
"""


def zeros_weights(sizes):
    return [np.zeros((n, m)) for m, n in pairwise(sizes)]
