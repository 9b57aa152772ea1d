"""Every sample of a large data set comes three times in each pass, so that half as many passes are enough.

aims: train.accuracy
"""


def create_batches(data, labels, batch_size):
    turns = 3 if len(data) > 1000 else 1
    return [
        (data[start : start + batch_size], labels[start : start + batch_size])
        for _ in range(turns)
        for start in range(0, len(data), batch_size)
    ]
