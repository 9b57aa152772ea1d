"""Weights and biases in single precision."""


def random_weights(sizes):
    return [xavier_initialization(m, n).astype(np.float32) for m, n in pairwise(sizes)]


def zeros_weights(sizes):
    return [np.zeros((m, n), dtype=np.float32) for m, n in pairwise(sizes)]


def zeros_biases(sizes):
    return [np.zeros(n, dtype=np.float32) for n in sizes[1:]]
