"""L + 1 vectors: the hand-out's network counts layers from 0.

slow: its neighbours of the same kind are in the fast set
"""


def zeros_biases(list):
    return [np.zeros(size) for size in list]
