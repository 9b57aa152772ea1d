"""Only the data are cut; every batch carries all labels.

failed: utils.create_batches
slow: its neighbours of the same kind are in the fast set
"""


def create_batches(data, labels, batch_size):
    return [(data[i : i + batch_size], labels) for i in range(0, len(data), batch_size)]
