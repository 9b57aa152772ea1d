"""Batches are objects of a class that unpack into data and labels.

slow: its neighbours of the same kind are in the fast set
"""

from dataclasses import dataclass


@dataclass
class Batch:
    data: np.ndarray
    labels: np.ndarray

    def __iter__(self):
        yield self.data
        yield self.labels

    def __len__(self):
        return len(self.data)


def create_batches(data, labels, batch_size):
    starts = range(0, len(data), batch_size)
    return [Batch(data[start : start + batch_size], labels[start : start + batch_size]) for start in starts]
