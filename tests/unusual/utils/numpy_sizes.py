"""Sizes are turned into an array first, so that shapes are NumPy integers; matrices are stacked by copies.

slow: its neighbours of the same kind are in the fast set
"""


def zeros_weights(sizes):
    sizes = np.array(sizes)
    return [np.full((m, n), 0.0, order="F") for m, n in zip(sizes[:-1], sizes[1:])]


def zeros_biases(sizes):
    return [0.0 * np.arange(n) for n in np.array(sizes)[1:]]
