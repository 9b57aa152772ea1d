"""Zeros with a sign are zeros."""


def zeros_weights(sizes):
    return [-np.zeros((m, n)) for m, n in pairwise(sizes)]
