"""A zip object is no list: it cannot be asked for its length, and is empty after the first pass.

failed: utils.create_batches
"""


def create_batches(data, labels, batch_size):
    starts = range(0, len(data), batch_size)
    return zip([data[i : i + batch_size] for i in starts], [labels[i : i + batch_size] for i in starts])
