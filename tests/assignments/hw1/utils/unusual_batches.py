"""Batches, cut in unusual ways."""

# %% batches_as_lists
"""Each batch is a list of two, and the labels are a list as well."""
def create_batches(data, labels, batch_size):
    batches = []
    for i in range(0, len(data), batch_size):
        batches.append([data[i : i + batch_size], list(labels[i : i + batch_size])])
    return batches

# %% batches_as_named_tuples
"""A batch is a named tuple of data and labels, which unpacks as a pair."""
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

# %% batches_as_objects
"""Batches are objects of a class that unpack into data and labels."""
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

# %% batches_by_groupby
"""groupby puts the places of samples together whose number, divided by the size, is the same."""
from itertools import groupby
def create_batches(data, labels, batch_size):
    batches = []
    for _, group in groupby(range(len(data)), key=lambda place: place // batch_size):
        places = list(group)
        batches.append((data[places], labels[places]))
    return batches

# %% batches_by_masks
"""Every sample gets the number of its batch, and a mask picks those with the same number."""
def create_batches(data, labels, batch_size):
    number = np.arange(len(data)) // batch_size
    return [(data[number == k], labels[number == k]) for k in np.unique(number)]

# %% batches_by_reshape
"""Full batches are the rows of a reshaped array, and what is left makes one more."""
def create_batches(data, labels, batch_size):
    full = len(data) // batch_size
    cut = full * batch_size
    shaped_data = data[:cut].reshape((full, batch_size) + data.shape[1:])
    shaped_labels = labels[:cut].reshape((full, batch_size) + labels.shape[1:])
    batches = list(zip(shaped_data, shaped_labels))
    if cut != len(data):
        batches += [(data[cut:], labels[cut:])]
    return batches

# %% batches_by_slices
"""Slices are made first and kept in a list; data and labels are then asked for each of them by itemgetter."""
from operator import itemgetter
def create_batches(data, labels, batch_size):
    slices = [slice(start, start + batch_size) for start in range(0, len(data), batch_size)]
    return [tuple(map(itemgetter(part), (data, labels))) for part in slices]

# %% batches_from_a_generator
"""A generator inside the function yields the batches until nothing is left, and a list takes them."""
def create_batches(data, labels, batch_size):
    def cut():
        rest_data, rest_labels = data, labels
        while len(rest_data) > 0:
            yield rest_data[:batch_size], rest_labels[:batch_size]
            rest_data, rest_labels = rest_data[batch_size:], rest_labels[batch_size:]

    return list(cut())

# %% batches_from_joined_rows
"""Data and labels are joined side by side, cut together, and taken apart again."""
def create_batches(data, labels, batch_size):
    width = data.shape[1]
    joined = np.hstack((data, labels.reshape(len(labels), -1)))
    batches = []
    for start in range(0, len(joined), batch_size):
        part = joined[start : start + batch_size]
        batches.append((part[:, :width], part[:, width:].reshape(len(part), *labels.shape[1:])))
    return batches

# %% batches_full_then_rest
"""Full batches first, then what is left; math.e to the power of -x."""
import math
def sigmoid(x):
    return 1 / (1 + math.e ** (-x))

def sigmoid_prime(x):
    return sigmoid(x) * (1 - sigmoid(x))

def create_batches(data, labels, batch_size):
    assert len(data) == len(labels)
    n_full = len(data) // batch_size
    batches = [(data[i * batch_size:(i + 1) * batch_size], labels[i * batch_size:(i + 1) * batch_size]) for i in range(n_full)]
    if len(data) % batch_size != 0:
        batches.append((data[n_full * batch_size:], labels[n_full * batch_size:]))
    return batches

def add_elementwise(list1, list2):
    list3 = []
    for a, b in zip(list1, list2):
        list3.append(a + b)
    return list3

def zeros_weights(sizes):
    return [np.zeros(shape=(m, n), dtype=float) for m, n in zip(sizes, sizes[1:])]

def zeros_biases(sizes):
    return [np.zeros(n) for n in np.array(sizes)[1:]]

# %% batches_in_random_order
"""Indices are shuffled first, for data and labels alike; deepcopy.

flagged: utils.create_batches
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

# %% batches_shuffled
"""Samples are shuffled together with their labels: a TA looks, the points stay.

flagged: utils.create_batches
"""
def create_batches(data, labels, batch_size):
    order = np.random.permutation(len(data))
    data, labels = data[order], labels[order]
    return [(data[i : i + batch_size], labels[i : i + batch_size]) for i in range(0, len(data), batch_size)]

# %% batches_with_array_split
"""NumPy cuts at the places where batches begin."""
def create_batches(data, labels, batch_size):
    cuts = np.arange(batch_size, len(data), batch_size)
    return list(zip(np.split(data, cuts), np.split(labels, cuts)))

# %% batches_with_ceil
"""The number of batches is counted first; the last slice ends by itself."""
import math
def create_batches(data, labels, batch_size):
    batches = []
    for k in range(math.ceil(len(data) / batch_size)):
        start, end = k * batch_size, min((k + 1) * batch_size, len(data))
        batches.append((data[start:end, ...], labels[start:end, ...]))
    return batches

# %% fancy_indices
"""Batches by lists of indices; a comprehension for its side effect."""
def sigmoid(x):
    x = np.clip(np.array(x, dtype=np.float64), -500, 500)
    return np.where(x < 0, np.exp(x) / (1 + np.exp(x)), 1 / (1 + np.exp(-x)))

def sigmoid_prime(x):
    return np.multiply(sigmoid(x), np.subtract(1, sigmoid(x)))

def random_weights(sizes):
    return [*(xavier_initialization(sizes[i], sizes[i + 1]) for i in range(0, len(sizes) - 1))]

def zeros_biases(list):
    biases = []
    [biases.append(np.zeros(list[i])) for i in range(1, len(list))]
    return biases

def create_batches(data, labels, batch_size):
    n = data.shape[0]
    idx = np.arange(n)
    return [(data[idx[s:s + batch_size], ...], labels[idx[s:s + batch_size], ...]) for s in np.arange(0, n, batch_size)]

def add_elementwise(list1, list2):
    list3 = [0] * len(list1)
    for i in range(len(list1)):
        list3[i] = list1[i] + list2[i]
    return list3

# %% islice_and_operator
"""itertools cuts the batches, operator.add adds."""
import operator
from itertools import islice, chain
def create_batches(data, labels, batch_size):
    pairs = iter(zip(data, labels))
    out = []
    while True:
        chunk = list(islice(pairs, batch_size))
        if not chunk:
            return out
        x, y = zip(*chunk)
        out.append((np.stack(x), np.stack(y)))

add_elementwise = lambda list1, list2: list(map(operator.add, list1, list2))

def zeros_biases(sizes):
    return [np.zeros(1)] + [np.zeros(s) for s in sizes[1:]]

def sigmoid(x):
    e = np.exp(-np.abs(x))
    return np.where(np.greater_equal(x, 0), 1 / (1 + e), e / (1 + e))

# %% starmap_and_map
"""Each function is one call of map or starmap over neighbouring sizes."""
from itertools import starmap, tee
from operator import add, itemgetter
def neighbours(sizes):
    first, second = tee(sizes)
    next(second, None)
    return zip(first, second)

def random_weights(sizes):
    return list(starmap(xavier_initialization, neighbours(sizes)))

def zeros_weights(sizes):
    return list(map(np.zeros, neighbours(sizes)))

def zeros_biases(sizes):
    return list(map(np.zeros, map(itemgetter(1), neighbours(sizes))))

def add_elementwise(list1, list2):
    return list(starmap(add, zip(list1, list2)))

# %% tuples_for_lists
"""Tuples where the sheet says lists."""
def random_weights(sizes):
    return tuple(xavier_initialization(m, n) for m, n in pairwise(sizes))

def zeros_weights(sizes):
    return tuple(np.zeros((m, n)) for m, n in pairwise(sizes))

def zeros_biases(sizes):
    return tuple(np.zeros(n) for n in sizes[1:])

def create_batches(data, labels, batch_size):
    starts = range(0, len(data), batch_size)
    return tuple((data[i : i + batch_size], labels[i : i + batch_size]) for i in starts)

def add_elementwise(list1, list2):
    return tuple(first + second for first, second in zip(list1, list2))
