"""The bound follows from the layer after, by transposing what xavier_initialization gives.

failed: utils.random_weights
slow: its neighbours of the same kind are in the fast set
"""


def random_weights(sizes):
    return [xavier_initialization(sizes[i + 1], sizes[i]).T for i in range(len(sizes) - 1)]
