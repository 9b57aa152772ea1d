"""The last batch is filled up with samples from the beginning.

failed: utils.create_batches
"""


def create_batches(data, labels, batch_size):
    places = [np.arange(i, i + batch_size) % len(data) for i in range(0, len(data), batch_size)]
    return [(data[at], labels[at]) for at in places]
