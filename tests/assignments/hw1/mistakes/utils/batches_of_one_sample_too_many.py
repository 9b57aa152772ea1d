"""The end of each slice is one too far.

failed: utils.create_batches
slow: its neighbours of the same kind are in the fast set
"""


def create_batches(data, labels, batch_size):
    return [(data[i : i + batch_size + 1], labels[i : i + batch_size + 1]) for i in range(0, len(data), batch_size)]
