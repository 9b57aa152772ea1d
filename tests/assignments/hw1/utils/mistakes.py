"""Mistakes in `utils.py`, and what each costs."""

# %% add_elementwise_as_one_array
"""np.add makes one array of each list, which fails for matrices of different shapes.

failed: utils.add_elementwise
"""
def add_elementwise(list1, list2):
    return list(np.add(list1, list2))

# %% add_elementwise_first_only
"""The return stands inside the loop.

failed: utils.add_elementwise
"""
def add_elementwise(list1, list2):
    result = []
    for first, second in zip(list1, list2):
        result.append(first + second)
        return result

# %% add_elementwise_in_place_without_return
"""list1 takes the sums, and nothing is returned.

failed: utils.add_elementwise
"""
def add_elementwise(list1, list2):
    for i in range(len(list1)):
        list1[i] += list2[i]

# %% add_elementwise_is_a_map
"""A map object is no list.

failed: utils.add_elementwise
"""
def add_elementwise(list1, list2):
    return map(lambda first, second: first + second, list1, list2)

# %% add_elementwise_joins
"""+ on lists joins them.

failed: utils.add_elementwise
"""
def add_elementwise(list1, list2):
    return list1 + list2

# %% batches_are_a_generator
"""yield instead of a list.

failed: utils.create_batches
"""
def create_batches(data, labels, batch_size):
    for i in range(0, len(data), batch_size):
        yield data[i : i + batch_size], labels[i : i + batch_size]

# %% batches_are_a_zip
"""A zip object is no list: it cannot be asked for its length, and is empty after the first pass.

failed: utils.create_batches
"""
def create_batches(data, labels, batch_size):
    starts = range(0, len(data), batch_size)
    return zip([data[i : i + batch_size] for i in starts], [labels[i : i + batch_size] for i in starts])

# %% batches_as_many_as_their_size
"""batch_size is taken for the number of batches, so that the network sees few and large ones and hardly learns.

failed: utils.create_batches
says: create_batches
"""
def create_batches(data, labels, batch_size):
    return list(zip(np.array_split(data, batch_size), np.array_split(labels, batch_size)))

# %% batches_as_two_lists
"""A list of data batches and a list of label batches, instead of one list of pairs.

failed: utils.create_batches
"""
def create_batches(data, labels, batch_size):
    starts = range(0, len(data), batch_size)
    return [data[i : i + batch_size] for i in starts], [labels[i : i + batch_size] for i in starts]

# %% batches_of_one_sample_too_many
"""The end of each slice is one too far.

failed: utils.create_batches
"""
def create_batches(data, labels, batch_size):
    return [(data[i : i + batch_size + 1], labels[i : i + batch_size + 1]) for i in range(0, len(data), batch_size)]

# %% batches_of_single_pairs
"""A batch is a list of pairs, one for each sample.

failed: utils.create_batches
"""
def create_batches(data, labels, batch_size):
    pairs = list(zip(data, labels))
    return [pairs[i:i + batch_size] for i in range(0, len(pairs), batch_size)]

# %% batches_overlap
"""Each batch starts with the last sample of the one before.

failed: utils.create_batches
"""
def create_batches(data, labels, batch_size):
    starts = range(0, len(data), max(batch_size - 1, 1))
    return [(data[i : i + batch_size], labels[i : i + batch_size]) for i in starts]

# %% batches_with_a_padded_last
"""The last batch is filled up with samples from the beginning.

failed: utils.create_batches
"""
def create_batches(data, labels, batch_size):
    places = [np.arange(i, i + batch_size) % len(data) for i in range(0, len(data), batch_size)]
    return [(data[at], labels[at]) for at in places]

# %% batches_with_shuffled_labels
"""Data and labels are shuffled independently: nothing can be learned.

failed: utils.create_batches
"""
def create_batches(data, labels, batch_size):
    data, labels = np.random.permutation(data), np.random.permutation(labels)
    return [(data[i : i + batch_size], labels[i : i + batch_size]) for i in range(0, len(data), batch_size)]

# %% batches_without_labels
"""Only the data are cut; every batch carries all labels.

failed: utils.create_batches
"""
def create_batches(data, labels, batch_size):
    return [(data[i : i + batch_size], labels) for i in range(0, len(data), batch_size)]

# %% batches_without_the_last
"""The last, shorter batch is dropped.

partly: utils.create_batches
"""
def create_batches(data, labels, batch_size):
    return [
        (data[i * batch_size : (i + 1) * batch_size], labels[i * batch_size : (i + 1) * batch_size])
        for i in range(len(data) // batch_size)
    ]

# %% endless_loop_at_import
"""The file waits for ever when it is imported.

failed: utils.sigmoid utils.sigmoid_prime utils.random_weights utils.zeros_weights utils.zeros_biases utils.create_batches utils.add_elementwise train.accuracy
says: utils.py
limit_s: 4
"""
while True:
    pass

# %% endless_loop_in_a_call
"""The condition of the loop never changes.

failed: utils.create_batches
limit_s: 4
"""
def create_batches(data, labels, batch_size):
    batches, start = [], 0
    while start < len(data):
        batches.append((data[:batch_size], labels[:batch_size]))
        batches = batches[-1:]
    return batches

# %% exception_at_import
"""The file reads a file that only the student has.

failed: utils.sigmoid utils.sigmoid_prime utils.random_weights utils.zeros_weights utils.zeros_biases utils.create_batches utils.add_elementwise train.accuracy
says: utils.py
"""
open("C:/Users/student/hw1/data.csv")

# %% exit_at_import
"""The file ends the program when it is imported.

failed: utils.sigmoid utils.sigmoid_prime utils.random_weights utils.zeros_weights utils.zeros_biases utils.create_batches utils.add_elementwise train.accuracy
says: utils.py
"""
import sys

sys.exit("ran as a script")

# %% function_missing
"""zeros_biases is not there.

failed: utils.zeros_biases train.accuracy
removes: zeros_biases
says: zeros_biases utils.py
"""

# %% function_misspelt
"""The name is nearly the template's: a TA decides.

opened: utils.create_batches train.accuracy
removes: create_batches
says: create_batches utils.py
"""
def create_batch(data, labels, batch_size):
    return [(data[i : i + batch_size], labels[i : i + batch_size]) for i in range(0, len(data), batch_size)]

# %% huge_memory
"""More memory is asked for than a machine has.

failed: utils.zeros_weights
"""
def zeros_weights(sizes):
    return [np.zeros((m * 10**6, n * 10**6)) for m, n in pairwise(sizes)]

# %% infinite_recursion
"""The derivative calls itself without end.

failed: utils.sigmoid_prime
"""
def sigmoid_prime(x):
    return sigmoid(x) * (1 - sigmoid_prime(x))

# %% os_exit_at_import
"""The file ends the process at once, without an exception.

failed: utils.sigmoid utils.sigmoid_prime utils.random_weights utils.zeros_weights utils.zeros_biases utils.create_batches utils.add_elementwise train.accuracy
says: utils.py
"""
import os

os._exit(0)

# %% random_weights_bound_of_the_columns
"""The bound follows from the layer after, by transposing what xavier_initialization gives.

failed: utils.random_weights
"""
def random_weights(sizes):
    return [xavier_initialization(sizes[i + 1], sizes[i]).T for i in range(len(sizes) - 1)]

# %% random_weights_glorot
"""Glorot's bound, which knows rows and columns; the sheet's knows rows only.

failed: utils.random_weights
"""
def xavier_initialization(m, n):
    bound = np.sqrt(6.0 / (m + n))
    return np.random.uniform(-bound, bound, size=(m, n))

# %% random_weights_normal
"""Drawn from the normal distribution.

failed: utils.random_weights
"""
def random_weights(sizes):
    return [np.random.randn(m, n) / np.sqrt(m) for m, n in pairwise(sizes)]

# %% random_weights_one_layer_short
"""The last matrix is missing.

failed: utils.random_weights
"""
def random_weights(sizes):
    return [xavier_initialization(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2)]

# %% random_weights_positive_only
"""Uniform, but from 0 to the bound.

failed: utils.random_weights
"""
def random_weights(sizes):
    return [np.random.uniform(0, 1 / np.sqrt(m), size=(m, n)) for m, n in pairwise(sizes)]

# %% random_weights_same_seed_each_call
"""The seed is set inside the function: every call draws the same numbers.

failed: utils.random_weights
"""
def random_weights(sizes):
    np.random.seed(42)
    return [xavier_initialization(m, n) for m, n in pairwise(sizes)]

# %% random_weights_transposed
"""Rows belong to the next layer.

failed: utils.random_weights
"""
def random_weights(sizes):
    return [xavier_initialization(m, n).T for m, n in pairwise(sizes)]

# %% segfault_in_a_call
"""Compiled code writes far beyond the end of an array: the process dies without an exception.

failed: utils.add_elementwise
"""
from numba import njit

@njit
def store(values, sums):
    for i in range(len(sums)):
        values[i + 10**10] = sums[i]

def add_elementwise(list1, list2):
    store(np.zeros(len(list1)), np.ones(len(list1)))
    return [first + second for first, second in zip(list1, list2)]

# %% sigmoid_for_numbers_only
"""math.exp takes single numbers, not arrays.

failed: utils.sigmoid
"""
import math

def sigmoid(x):
    return 1 / (1 + math.exp(-x))

def sigmoid_prime(x):
    return sigmoid(x) * (1 - sigmoid(x))

# %% sigmoid_for_vectors_only
"""A loop over the first axis, with math.exp: right for vectors, not for matrices.

failed: utils.sigmoid
"""
import math

def sigmoid(x):
    return np.array([1 / (1 + math.exp(-v)) for v in x])

# %% sigmoid_is_tanh
"""Another curve of the same look.

failed: utils.sigmoid utils.sigmoid_prime
"""
def sigmoid(x):
    return np.tanh(x)

def sigmoid_prime(x):
    return 1 - np.tanh(x) ** 2

# %% sigmoid_one_entry_nan
"""One entry of the result is not a number; the derivative, which calls it, has one as well.

failed: utils.sigmoid
"""
def sigmoid(x):
    y = np.atleast_1d(1.0 / (1.0 + np.exp(-np.asarray(x, float))))
    if y.size == 61:
        y[7] = np.nan
    return y.reshape(np.shape(x))

# %% sigmoid_prime_of_the_activation
"""The derivative as if x were already an activation: x (1 - x).

failed: utils.sigmoid_prime
"""
def sigmoid_prime(x):
    return x * (1 - x)

# %% sigmoid_prime_returns_sigmoid
"""The derivative forgets its second factor.

failed: utils.sigmoid_prime
"""
def sigmoid_prime(x):
    return sigmoid(x)

# %% sigmoid_prime_without_parentheses
"""s * 1 - s is zero everywhere: the parentheses around 1 - s are missing.

failed: utils.sigmoid_prime
"""
def sigmoid_prime(x):
    s = sigmoid(x)
    return s * 1 - s

# %% sigmoid_prints_instead_of_returning
"""The derivative is printed, not returned.

failed: utils.sigmoid_prime
"""
def sigmoid_prime(x):
    print(sigmoid(x) * (1 - sigmoid(x)))

# %% sigmoid_returns_none
"""The return statement is missing.

failed: utils.sigmoid
"""
def sigmoid(x):
    y = 1.0 / (1.0 + np.exp(-x))

def sigmoid_prime(x):
    return sigmoid(x) * (1 - sigmoid(x))

# %% sigmoid_with_the_wrong_sign
"""e to the power of x instead of -x: the curve falls, its derivative rises, and the network learns the opposite.

failed: utils.sigmoid
"""
def sigmoid(x):
    return 1.0 / (1.0 + np.exp(x))

# %% sigmoid_without_parentheses
"""1 / 1 + e^-x: the division comes first, and the network learns nothing.

failed: utils.sigmoid
"""
def sigmoid(x):
    return 1 / 1 + np.exp(-x)

# %% sleep_at_import
"""The file sleeps for an hour when it is imported.

failed: utils.sigmoid utils.sigmoid_prime utils.random_weights utils.zeros_weights utils.zeros_biases utils.create_batches utils.add_elementwise train.accuracy
says: utils.py
limit_s: 4
"""
import time

time.sleep(3600)

# %% syntax_error
"""A colon is missing at the end of the file, so that none of its functions can be used.

failed: utils.sigmoid utils.sigmoid_prime utils.random_weights utils.zeros_weights utils.zeros_biases utils.create_batches utils.add_elementwise train.accuracy
says: utils.py
"""
def describe(x)
    return x

# %% zeros_biases_are_columns
"""Columns of shape (n, 1), not one-dimensional vectors; broadcasting repairs the training.

failed: utils.zeros_biases
"""
def zeros_biases(sizes):
    return [np.zeros((n, 1)) for n in sizes[1:]]

# %% zeros_biases_are_rows
"""Rows of shape (1, n), not one-dimensional vectors; broadcasting repairs the training.

failed: utils.zeros_biases
"""
def zeros_biases(sizes):
    return [np.zeros((1, n)) for n in sizes[1:]]

# %% zeros_biases_in_one_vector
"""One long vector instead of a list of vectors.

failed: utils.zeros_biases
"""
def zeros_biases(sizes):
    return np.zeros(sum(sizes[1:]))

# %% zeros_biases_of_the_layer_before
"""L vectors, each as long as the layer before: the output layer's is missing, the input layer's is there.

failed: utils.zeros_biases
"""
def zeros_biases(sizes):
    return [np.zeros(n) for n in sizes[:-1]]

# %% zeros_biases_one_short
"""L - 1 vectors: the output layer has none.

failed: utils.zeros_biases
"""
def zeros_biases(sizes):
    return [np.zeros(n) for n in sizes[1:-1]]

# %% zeros_weights_are_ones
"""Ones, which every sum of gradients then starts from; the network bears it.

failed: utils.zeros_weights
"""
def zeros_weights(sizes):
    return [np.ones((m, n)) for m, n in pairwise(sizes)]

# %% zeros_weights_beyond_the_last
"""The loop runs over all layers, and the last has no layer after it.

failed: utils.zeros_weights
"""
def zeros_weights(sizes):
    return [np.zeros((sizes[i], sizes[i + 1])) for i in range(len(sizes))]

# %% zeros_weights_of_one_shape
"""Every matrix has the shape of the first; adding gradients of other shapes to them fails.

failed: utils.zeros_weights
"""
def zeros_weights(sizes):
    return [np.zeros((sizes[0], sizes[1])) for _ in sizes[1:]]

# %% zeros_weights_transposed
"""Rows belong to the next layer.

failed: utils.zeros_weights
"""
def zeros_weights(sizes):
    return [np.zeros((n, m)) for m, n in pairwise(sizes)]
