"""A list of data batches and a list of label batches, instead of one list of pairs.

failed: utils.create_batches
slow: its neighbours of the same kind are in the fast set
"""


def create_batches(data, labels, batch_size):
    starts = range(0, len(data), batch_size)
    return [data[i : i + batch_size] for i in starts], [labels[i : i + batch_size] for i in starts]
