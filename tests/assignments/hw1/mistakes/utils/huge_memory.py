"""More memory is asked for than a machine has.

failed: utils.zeros_weights
"""


def zeros_weights(sizes):
    return [np.zeros((m * 10**6, n * 10**6)) for m, n in pairwise(sizes)]
