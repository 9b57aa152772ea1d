"""Rows of shape (1, n), not one-dimensional vectors; broadcasting repairs the training.

failed: utils.zeros_biases
slow: its neighbours of the same kind are in the fast set
"""


def zeros_biases(sizes):
    return [np.zeros((1, n)) for n in sizes[1:]]
