"""Zeros come from fill, repeat, tile, outer products and the first rows of other zeros."""


def zeros_weights(sizes):
    weights = []
    for index, (m, n) in enumerate(pairwise(sizes)):
        if index % 3 == 0:
            weight = np.empty((m, n))
            weight.fill(0)
        elif index % 3 == 1:
            weight = np.tile(np.zeros(n), (m, 1))
        else:
            weight = np.outer(np.zeros(m), np.ones(n))
        weights.append(weight)
    return weights


def zeros_biases(sizes):
    return [np.repeat(0.0, n) if n % 2 else np.zeros_like(np.arange(n), dtype=float) for n in sizes[1:]]
