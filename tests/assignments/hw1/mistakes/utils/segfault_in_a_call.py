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
