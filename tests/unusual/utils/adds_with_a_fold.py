"""The sum of two lists grows from nothing by a fold, and zeros are taken from an iterator of pairs.

slow: its neighbours of the same kind are in the fast set
"""

from functools import reduce
from itertools import accumulate, chain


def add_elementwise(list1, list2):
    return reduce(lambda done, pair: done + [pair[0] + pair[1]], zip(list1, list2), [])


def zeros_weights(sizes):
    return [zeros for zeros, _ in accumulate(chain(sizes[1:]), _follow, initial=(None, sizes[0]))][1:]


def _follow(state, size):
    _, previous = state
    return np.zeros((previous, size)), size
