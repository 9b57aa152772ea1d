"""L + 1 entries, of which the first is None and never read."""


def zeros_biases(sizes):
    return [None] + [np.zeros(n) for n in sizes[1:]]
