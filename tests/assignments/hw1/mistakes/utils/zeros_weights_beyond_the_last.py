"""The loop runs over all layers, and the last has no layer after it.

failed: utils.zeros_weights
slow: its neighbours of the same kind are in the fast set
"""


def zeros_weights(sizes):
    return [np.zeros((sizes[i], sizes[i + 1])) for i in range(len(sizes))]
