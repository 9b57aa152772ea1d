"""The formula is written out, with the newer generator.

slow: its neighbours of the same kind are in the fast set
"""

generator = np.random.default_rng()


def random_weights(sizes):
    weights = []
    for i in range(len(sizes) - 1):
        limit = np.sqrt(1 / sizes[i])
        weights.append(2 * limit * generator.random((sizes[i], sizes[i + 1])) - limit)
    return weights
