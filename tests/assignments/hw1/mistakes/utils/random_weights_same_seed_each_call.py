"""The seed is set inside the function: every call draws the same numbers.

failed: utils.random_weights
"""


def random_weights(sizes):
    np.random.seed(42)
    return [xavier_initialization(m, n) for m, n in pairwise(sizes)]
