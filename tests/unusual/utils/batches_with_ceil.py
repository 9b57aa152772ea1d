"""The number of batches is counted first; the last slice ends by itself.

slow: its neighbours of the same kind are in the fast set
"""

import math


def create_batches(data, labels, batch_size):
    batches = []
    for k in range(math.ceil(len(data) / batch_size)):
        start, end = k * batch_size, min((k + 1) * batch_size, len(data))
        batches.append((data[start:end, ...], labels[start:end, ...]))
    return batches
