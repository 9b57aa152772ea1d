"""Samples are shuffled together with their labels: a TA looks, the points stay.

flagged: utils.create_batches
"""


def create_batches(data, labels, batch_size):
    order = np.random.permutation(len(data))
    data, labels = data[order], labels[order]
    return [(data[i : i + batch_size], labels[i : i + batch_size]) for i in range(0, len(data), batch_size)]
