"""np.random.rand gives numbers from 0 to 1, which are scaled and moved; a RandomState of one's own for some.

slow: its neighbours of the same kind are in the fast set
"""

state = np.random.RandomState(12345)


def scaled(numbers, bound):
    return (2 * numbers - 1) * bound


def random_weights(sizes):
    weights = []
    for index in range(1, len(sizes)):
        m, n = sizes[index - 1 : index + 1]
        numbers = np.random.rand(m, n) if index % 2 else state.random_sample((m, n))
        weights.append(scaled(numbers, m**-0.5))
    return weights
