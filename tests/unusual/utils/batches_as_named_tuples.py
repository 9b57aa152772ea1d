"""A batch is a named tuple of data and labels, which unpacks as a pair.

slow: its neighbours of the same kind are in the fast set
"""

from typing import NamedTuple


class Batch(NamedTuple):
    data: np.ndarray
    labels: np.ndarray

    @property
    def size(self):
        return len(self.data)


def create_batches(data, labels, batch_size):
    if len(data) != len(labels):
        raise ValueError(f"{len(data)} samples, but {len(labels)} labels")
    starts = range(0, len(data), batch_size)
    batches = [Batch(data=data[start:][:batch_size], labels=labels[start:][:batch_size]) for start in starts]
    assert sum(batch.size for batch in batches) == len(data)
    return batches
