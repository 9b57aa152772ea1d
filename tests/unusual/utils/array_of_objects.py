"""The sum comes as an array of objects; np.split; 1/cosh^2 for the derivative.

slow: its neighbours of the same kind are in the fast set
"""


def add_elementwise(list1, list2):
    out = np.empty(len(list1), dtype=object)
    for i in range(len(list1)):
        out[i] = list1[i] + list2[i]
    return out


def create_batches(data, labels, batch_size):
    split = range(batch_size, len(data), batch_size)
    return [*zip(np.split(data, split), np.split(labels, split))]


def sigmoid_prime(x):
    return 0.25 / np.cosh(np.asarray(x) / 2) ** 2


def sigmoid(x):
    return np.where(np.asarray(x) >= 0, 1 / (1 + np.exp(-np.abs(x))), np.exp(-np.abs(x)) / (1 + np.exp(-np.abs(x))))
