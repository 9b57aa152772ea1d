"""The last, shorter batch is dropped.

partly: utils.create_batches
"""


def create_batches(data, labels, batch_size):
    return [
        (data[i * batch_size : (i + 1) * batch_size], labels[i * batch_size : (i + 1) * batch_size])
        for i in range(len(data) // batch_size)
    ]
