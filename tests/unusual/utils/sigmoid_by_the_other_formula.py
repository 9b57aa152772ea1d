"""e^x / (1 + e^x); the quotient rule; a vector for the input layer; NumPy's add.

slow: its neighbours of the same kind are in the fast set
"""


def sigmoid(x):
    return np.exp(x) / (1 + np.exp(x))


def sigmoid_prime(x):
    return np.exp(-x) / np.square(1 + np.exp(-x))


def zeros_biases(list):
    return [np.zeros(i) for i in list]


def create_batches(data, labels, batch_size):
    num = int(np.ceil(data.shape[0] / batch_size))
    return [(data[i * batch_size:min((i + 1) * batch_size, len(data))], labels[i * batch_size:min((i + 1) * batch_size, len(labels))]) for i in range(num)]


def add_elementwise(list1, list2):
    return [np.add(a, b) for a, b in zip(list1, list2)]


def random_weights(sizes):
    return [np.random.uniform(-1 / np.sqrt(sizes[i]), 1 / np.sqrt(sizes[i]), (sizes[i], sizes[i + 1])) for i in range(len(sizes) - 1)]
