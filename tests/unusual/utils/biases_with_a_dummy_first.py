"""L + 1 entries, of which the first is a placeholder of one element."""


def zeros_biases(sizes):
    return [np.zeros(1)] + [np.zeros(n) for n in sizes[1:]]
