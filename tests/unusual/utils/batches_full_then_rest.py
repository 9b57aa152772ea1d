"""Full batches first, then what is left; math.e to the power of -x.

slow: its neighbours of the same kind are in the fast set
"""

import math


def sigmoid(x):
    return 1 / (1 + math.e ** (-x))


def sigmoid_prime(x):
    return sigmoid(x) * (1 - sigmoid(x))


def create_batches(data, labels, batch_size):
    assert len(data) == len(labels)
    n_full = len(data) // batch_size
    batches = [(data[i * batch_size:(i + 1) * batch_size], labels[i * batch_size:(i + 1) * batch_size]) for i in range(n_full)]
    if len(data) % batch_size != 0:
        batches.append((data[n_full * batch_size:], labels[n_full * batch_size:]))
    return batches


def add_elementwise(list1, list2):
    list3 = []
    for a, b in zip(list1, list2):
        list3.append(a + b)
    return list3


def zeros_weights(sizes):
    return [np.zeros(shape=(m, n), dtype=float) for m, n in zip(sizes, sizes[1:])]


def zeros_biases(sizes):
    return [np.zeros(n) for n in np.array(sizes)[1:]]
