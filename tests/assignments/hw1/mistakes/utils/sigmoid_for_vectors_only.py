"""A loop over the first axis, with math.exp: right for vectors, not for matrices.

failed: utils.sigmoid
slow: its neighbours of the same kind are in the fast set
"""


import math


def sigmoid(x):
    return np.array([1 / (1 + math.exp(-v)) for v in x])
