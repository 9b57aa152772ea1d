"""A call never returns from C, where no Python signal handler runs.

aims: utils.sigmoid
limit_s: 1
"""


def sigmoid(x):
    return sum(iter(int, 1))
