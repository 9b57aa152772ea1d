"""Functions, generators and numbers are default values of parameters, bound when the file is loaded.

slow: its neighbours of the same kind are in the fast set
"""

LIMIT = 500
BATCH = 16


def sigmoid(x, limit=LIMIT, exp=np.exp):
    return 1 / (1 + exp(-np.clip(x, -limit, limit)))


def sigmoid_prime(x, f=sigmoid, *, activated=None):
    y = f(x) if activated is None else activated
    return y * (1 - y)


def random_weights(sizes, rng=np.random.default_rng(), low=-1.0, high=1.0):
    return [rng.uniform(low, high, (m, n)) / np.sqrt(m) for m, n in pairwise(sizes)]


def create_batches(data, labels, batch_size=BATCH, drop_last=False):
    stop = len(data) - len(data) % batch_size if drop_last else len(data)
    return [(data[i : i + batch_size], labels[i : i + batch_size]) for i in range(0, stop, batch_size)]
