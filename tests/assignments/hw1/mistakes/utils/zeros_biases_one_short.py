"""L - 1 vectors: the output layer has none.

failed: utils.zeros_biases
slow: its neighbours of the same kind are in the fast set
"""


def zeros_biases(sizes):
    return [np.zeros(n) for n in sizes[1:-1]]
