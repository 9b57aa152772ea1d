"""sigmoid is an object that can be called, sigmoid_prime a method of it; zeros are weights times 0.

slow: its neighbours of the same kind are in the fast set
"""


class Sigmoid:
    def __call__(self, x):
        return 1.0 / (1.0 + np.exp(-1 * x))

    def derivative(self, x):
        y = self(x)
        return y * (1 - y)


_sigmoid = Sigmoid()
sigmoid = _sigmoid
sigmoid_prime = _sigmoid.derivative


def random_weights(sizes):
    rng = np.random.default_rng()
    return [rng.uniform(-1, 1, (m, n)) / m ** 0.5 for m, n in zip(sizes[:-1], sizes[1:])]


def zeros_weights(sizes):
    return [w * 0 for w in random_weights(sizes)]


def zeros_biases(sizes):
    res = []
    for s in sizes[1:]:
        res.append(np.array([0.0] * s))
    return res


def create_batches(data, labels, batch_size):
    batches = []
    start = 0
    while start < len(data):
        end = start + batch_size
        if end > len(data):
            end = len(data)
        batches.append([data[start:end], labels[start:end]])
        start = end
    return batches


def add_elementwise(list1, list2):
    return (np.array(list1, dtype=object) + np.array(list2, dtype=object)).tolist() if False else [np.array(x) + np.array(y) for x, y in zip(list1, list2)]
