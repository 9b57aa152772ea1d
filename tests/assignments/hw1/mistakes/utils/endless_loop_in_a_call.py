"""The condition of the loop never changes.

failed: utils.create_batches
limit_s: 4
"""


def create_batches(data, labels, batch_size):
    batches, start = [], 0
    while start < len(data):
        batches.append((data[:batch_size], labels[:batch_size]))
        batches = batches[-1:]
    return batches
