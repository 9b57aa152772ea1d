"""An answer is a tuple whose items never end.

aims: utils.sigmoid
limit_s: 2
"""

import itertools


class Endless(tuple):
    def __iter__(self):
        return itertools.count()


def sigmoid(x):
    return Endless((1, 2))
