"""Each batch is a list of two, and the labels are a list as well.

slow: its neighbours of the same kind are in the fast set
"""


def create_batches(data, labels, batch_size):
    batches = []
    for i in range(0, len(data), batch_size):
        batches.append([data[i : i + batch_size], list(labels[i : i + batch_size])])
    return batches
