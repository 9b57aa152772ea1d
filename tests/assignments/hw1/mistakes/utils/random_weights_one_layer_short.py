"""The last matrix is missing.

failed: utils.random_weights
slow: its neighbours of the same kind are in the fast set
"""


def random_weights(sizes):
    return [xavier_initialization(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2)]
