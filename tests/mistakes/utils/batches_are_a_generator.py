"""yield instead of a list.

failed: utils.create_batches
"""


def create_batches(data, labels, batch_size):
    for i in range(0, len(data), batch_size):
        yield data[i : i + batch_size], labels[i : i + batch_size]
