"""math.exp per number, by np.vectorize: it overflows below -709, which the sheet says nothing about.

slow: its neighbours of the same kind are in the fast set
"""

import math

sigmoid = np.vectorize(lambda x: 1 / (1 + math.exp(-x)))


@np.vectorize
def sigmoid_prime(x):
    return math.exp(-x) / (1 + math.exp(-x)) ** 2
