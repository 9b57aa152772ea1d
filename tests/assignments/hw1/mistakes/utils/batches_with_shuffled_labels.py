"""Data and labels are shuffled independently: nothing can be learned.

failed: utils.create_batches
slow: its neighbours of the same kind are in the fast set
"""


def create_batches(data, labels, batch_size):
    data, labels = np.random.permutation(data), np.random.permutation(labels)
    return [(data[i : i + batch_size], labels[i : i + batch_size]) for i in range(0, len(data), batch_size)]
