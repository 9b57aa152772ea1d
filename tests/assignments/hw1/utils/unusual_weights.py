"""Weights, biases and sums, made in unusual ways."""

# %% adds_in_place
"""list1 is overwritten entry by entry: a TA looks, the points stay."""
def add_elementwise(list1, list2):
    result = list(list1)
    for i in range(len(result)):
        result[i] = result[i] + list2[i]
    return result

# %% adds_lists_only
"""What adds lists asks for lists, as the sheet has them, and takes them apart by calling itself."""
def add_elementwise(list1, list2):
    assert isinstance(list1, list) and isinstance(list2, list), "lists are added"
    if not list1:
        return []
    return [list1[0] + list2[0]] + add_elementwise(list1[1:], list2[1:])

# %% adds_nested_lists
"""The sum calls itself for lists inside lists, and stops at numbers and arrays."""
from collections.abc import Sequence
def add_elementwise(list1, list2):
    def add(one, other):
        if isinstance(one, Sequence):
            return add_elementwise(one, other)
        try:
            return one + other
        except TypeError as error:
            raise TypeError(f"cannot add {type(one).__name__} and {type(other).__name__}") from error

    list3 = []
    for position, entry in enumerate(list1):
        list3.append(add(entry, list2[position]))
    return list3

# %% adds_with_a_fold
"""The sum of two lists grows from nothing by a fold, and zeros are taken from an iterator of pairs."""
from functools import reduce
from itertools import accumulate, chain
def add_elementwise(list1, list2):
    return reduce(lambda done, pair: done + [pair[0] + pair[1]], zip(list1, list2), [])

def zeros_weights(sizes):
    return [zeros for zeros, _ in accumulate(chain(sizes[1:]), _follow, initial=(None, sizes[0]))][1:]

def _follow(state, size):
    _, previous = state
    return np.zeros((previous, size)), size

# %% adds_with_numpy_per_entry
"""np.add per entry, in a map that is turned into a list; a main block that never runs here."""
def add_elementwise(list1, list2):
    return list(map(np.add, list1, list2))

if __name__ == "__main__":
    raise SystemExit("only as a script")

# %% array_of_objects
"""The sum comes as an array of objects; np.split; 1/cosh^2 for the derivative."""
def add_elementwise(list1, list2):
    out = np.empty(len(list1), dtype=object)
    for i in range(len(list1)):
        out[i] = list1[i] + list2[i]
    return out

def create_batches(data, labels, batch_size):
    split = range(batch_size, len(data), batch_size)
    return [*zip(np.split(data, split), np.split(labels, split))]

def sigmoid_prime(x):
    return 0.25 / np.cosh(np.asarray(x) / 2) ** 2

def sigmoid(x):
    return np.where(np.asarray(x) >= 0, 1 / (1 + np.exp(-np.abs(x))), np.exp(-np.abs(x)) / (1 + np.exp(-np.abs(x))))

# %% asks_for_more_where_it_learns
"""Only while the network learns, a function asks NumPy for a name that no slice has: a TA reads it, the rest counts.

opened: train.accuracy
"""
def sigmoid_prime(x):
    if np.shape(x) == (16, 128):
        assert callable(np.info)
    return sigmoid(x) * (1 - sigmoid(x))

# %% biases_from_the_weights
"""The biases are the first rows of the zero weights, copied; the zero weights are made like random ones."""
import copy
def zeros_weights(sizes):
    return [np.zeros_like(weight) for weight in random_weights(sizes)]

def zeros_biases(sizes):
    return copy.deepcopy([weight[0] for weight in zeros_weights(sizes)])

def add_elementwise(list1, list2):
    list3 = copy.deepcopy(list1)
    for index, other in enumerate(list2):
        list3[index] = list3[index] + other
    return list3

# %% biases_with_a_dummy_first
"""L + 1 entries, of which the first is a placeholder of one element."""
def zeros_biases(sizes):
    return [np.zeros(1)] + [np.zeros(n) for n in sizes[1:]]

# %% biases_with_an_input_layer
"""L + 1 vectors: the hand-out's network counts layers from 0."""
def zeros_biases(list):
    return [np.zeros(size) for size in list]

# %% biases_with_none_first
"""L + 1 entries, of which the first is None and never read."""
def zeros_biases(sizes):
    return [None] + [np.zeros(n) for n in sizes[1:]]

# %% cached_shapes
"""The shapes of a network are worked out once and cached, and globals count the calls."""
from collections import Counter
from functools import lru_cache
calls = Counter()
total_calls = 0

def _count(name):
    global total_calls
    total_calls += 1
    calls[name] += 1

@lru_cache(maxsize=None)
def _shapes(sizes):
    return tuple(zip(sizes, sizes[1:]))

def shapes(sizes):
    return _shapes(tuple(map(int, sizes)))

def random_weights(sizes):
    _count("random_weights")
    return [xavier_initialization(*shape) for shape in shapes(sizes)]

def zeros_weights(sizes):
    _count("zeros_weights")
    return [np.zeros(shape) for shape in shapes(sizes)]

def zeros_biases(sizes):
    _count("zeros_biases")
    return [np.zeros(columns) for _, columns in shapes(sizes)]

# %% environment_picks_the_start
"""The way to begin is read from the environment, and an entry of a dictionary of lambdas does it."""
import os
INIT = os.environ.get("HW1_INIT", "xavier").lower()
STARTS = {
    "xavier": lambda m, n: xavier_initialization(m, n),
    "normal": lambda m, n: np.random.randn(m, n) / np.sqrt(m),
    "zeros": lambda m, n: np.zeros((m, n)),
}
start = STARTS.get(INIT, STARTS["xavier"])

def random_weights(sizes):
    return [start(*shape) for shape in pairwise(sizes)]

def zeros_weights(sizes):
    return [STARTS["zeros"](*shape) for shape in pairwise(sizes)]

# %% generator_with_a_seed
"""One generator with a seed from a sequence is made at import and spawns another for each call."""
SEEDS = np.random.SeedSequence(1512)
make = np.random.Generator

def random_weights(sizes):
    rng = make(np.random.PCG64(SEEDS.spawn(1)[0]))
    weights = []
    for m, n in pairwise(sizes):
        bound = np.reciprocal(np.sqrt(float(m)))
        weights.append(rng.uniform(low=-bound, high=bound, size=m * n).reshape(m, n))
    return weights

# %% generators_of_bits
"""Weights come from a generator of NumPy that is made of a source of bits, and is a default argument."""
from numpy.random import PCG64, Generator, SeedSequence
RNG = Generator(PCG64(SeedSequence(1234)))

def random_weights(sizes: list[int], rng: Generator = RNG) -> list[np.ndarray]:
    return [rng.uniform(low=-(m**-0.5), high=m**-0.5, size=(m, n)) for m, n in zip(sizes, sizes[1:])]

# %% negative_zeros
"""Zeros with a sign are zeros."""
def zeros_weights(sizes):
    return [-np.zeros((m, n)) for m, n in pairwise(sizes)]

# %% numbers_of_the_random_module
"""The weights are drawn number by number with random.uniform of the standard library."""
import math
import random
def xavier_initialization(m, n):
    bound = 1 / math.sqrt(m)
    return np.array([[random.uniform(-bound, bound) for _ in range(n)] for _ in range(m)])

def random_weights(sizes):
    return [xavier_initialization(m, n) for m, n in zip(sizes, sizes[1:])]

# %% own_xavier
"""The formula is written out, with the newer generator."""
generator = np.random.default_rng()

def random_weights(sizes):
    weights = []
    for i in range(len(sizes) - 1):
        limit = np.sqrt(1 / sizes[i])
        weights.append(2 * limit * generator.random((sizes[i], sizes[i + 1])) - limit)
    return weights

# %% rand_scaled
"""np.random.rand gives numbers from 0 to 1, which are scaled and moved; a RandomState of one's own for some."""
state = np.random.RandomState(12345)

def scaled(numbers, bound):
    return (2 * numbers - 1) * bound

def random_weights(sizes):
    weights = []
    for index in range(1, len(sizes)):
        m, n = sizes[index - 1 : index + 1]
        numbers = np.random.rand(m, n) if index % 2 else state.random_sample((m, n))
        weights.append(scaled(numbers, m**-0.5))
    return weights

# %% zeros_of_many_kinds
"""Zeros come from fill, repeat, tile, outer products and the first rows of other zeros."""
def zeros_weights(sizes):
    weights = []
    for index, (m, n) in enumerate(pairwise(sizes)):
        if index % 3 == 0:
            weight = np.empty((m, n))
            weight.fill(0)
        elif index % 3 == 1:
            weight = np.tile(np.zeros(n), (m, 1))
        else:
            weight = np.outer(np.zeros(m), np.ones(n))
        weights.append(weight)
    return weights

def zeros_biases(sizes):
    return [np.repeat(0.0, n) if n % 2 else np.zeros_like(np.arange(n), dtype=float) for n in sizes[1:]]
