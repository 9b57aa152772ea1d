"""A batch is a list of pairs, one for each sample.

failed: utils.create_batches
slow: its neighbours of the same kind are in the fast set
"""


def create_batches(data, labels, batch_size):
    pairs = list(zip(data, labels))
    return [pairs[i:i + batch_size] for i in range(0, len(pairs), batch_size)]
