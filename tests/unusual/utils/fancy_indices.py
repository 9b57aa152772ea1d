"""Batches by lists of indices; a comprehension for its side effect.

slow: its neighbours of the same kind are in the fast set
"""


def sigmoid(x):
    x = np.clip(np.array(x, dtype=np.float64), -500, 500)
    return np.where(x < 0, np.exp(x) / (1 + np.exp(x)), 1 / (1 + np.exp(-x)))


def sigmoid_prime(x):
    return np.multiply(sigmoid(x), np.subtract(1, sigmoid(x)))


def random_weights(sizes):
    return [*(xavier_initialization(sizes[i], sizes[i + 1]) for i in range(0, len(sizes) - 1))]


def zeros_biases(list):
    biases = []
    [biases.append(np.zeros(list[i])) for i in range(1, len(list))]
    return biases


def create_batches(data, labels, batch_size):
    n = data.shape[0]
    idx = np.arange(n)
    return [(data[idx[s:s + batch_size], ...], labels[idx[s:s + batch_size], ...]) for s in np.arange(0, n, batch_size)]


def add_elementwise(list1, list2):
    list3 = [0] * len(list1)
    for i in range(len(list1)):
        list3[i] = list1[i] + list2[i]
    return list3
