"""itertools cuts the batches, operator.add adds.

slow: its neighbours of the same kind are in the fast set
"""

import operator
from itertools import islice, chain


def create_batches(data, labels, batch_size):
    pairs = iter(zip(data, labels))
    out = []
    while True:
        chunk = list(islice(pairs, batch_size))
        if not chunk:
            return out
        x, y = zip(*chunk)
        out.append((np.stack(x), np.stack(y)))


add_elementwise = lambda list1, list2: list(map(operator.add, list1, list2))


def zeros_biases(sizes):
    return [np.zeros(1)] + [np.zeros(s) for s in sizes[1:]]


def sigmoid(x):
    e = np.exp(-np.abs(x))
    return np.where(np.greater_equal(x, 0), 1 / (1 + e), e / (1 + e))
