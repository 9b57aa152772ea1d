"""Indices are shuffled first, for data and labels alike; deepcopy.

flagged: utils.create_batches
slow: its neighbours of the same kind are in the fast set
"""

import random
import copy


def create_batches(data, labels, batch_size):
    indices = list(range(len(data)))
    random.shuffle(indices)
    return [(data[indices[i:i + batch_size]], labels[indices[i:i + batch_size]]) for i in range(0, len(indices), batch_size)]


def add_elementwise(list1, list2):
    list3 = copy.deepcopy(list1)
    for i, _ in enumerate(list3):
        list3[i] += list2[i]
    return list3


def sigmoid(x: np.ndarray) -> np.ndarray:
    """Sigmoid."""
    with np.errstate(over="ignore"):
        return np.reciprocal(1 + np.exp(np.negative(x)), dtype=float)
