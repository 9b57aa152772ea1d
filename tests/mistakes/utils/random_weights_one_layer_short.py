"""The last matrix is missing.

failed: utils.random_weights train.accuracy
"""


def random_weights(sizes):
    return [xavier_initialization(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2)]
