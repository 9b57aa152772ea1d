"""numba.vectorize and njit, which take numbers and arrays; zeros of integers.

slow: its neighbours of the same kind are in the fast set
"""

from numba import njit, vectorize


@vectorize(["float64(float64)"])
def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


@njit
def sigmoid_prime(x):
    s = 1.0 / (1.0 + np.exp(-x))
    return s * (1.0 - s)


def zeros_biases(sizes):
    return [np.zeros(n, dtype=np.float32) for n in sizes[1:]]


def zeros_weights(sizes):
    return [np.zeros((m, n), dtype=int) for m, n in zip(sizes[:-1], sizes[1:])]


def add_elementwise(list1, list2):
    return [sum(pair) for pair in zip(list1, list2)]
