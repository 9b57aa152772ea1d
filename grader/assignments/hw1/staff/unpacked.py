"""Batches that are objects of a class of the student, unpacked as the network does it."""

import utils


def create_batches(data, labels, batch_size):
    """Return the batches of utils.py, each that can be unpacked as a tuple: objects do not leave this process."""
    return [_unpack(batch) for batch in utils.create_batches(data, labels, batch_size)]


def _unpack(batch):
    try:
        return tuple(batch)
    except TypeError:
        return batch
