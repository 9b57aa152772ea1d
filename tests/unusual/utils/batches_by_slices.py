"""Slices are made first and kept in a list; data and labels are then asked for each of them by itemgetter.

slow: its neighbours of the same kind are in the fast set
"""

from operator import itemgetter


def create_batches(data, labels, batch_size):
    slices = [slice(start, start + batch_size) for start in range(0, len(data), batch_size)]
    return [tuple(map(itemgetter(part), (data, labels))) for part in slices]
