"""One long vector instead of a list of vectors.

failed: utils.zeros_biases
slow: its neighbours of the same kind are in the fast set
"""


def zeros_biases(sizes):
    return np.zeros(sum(sizes[1:]))
