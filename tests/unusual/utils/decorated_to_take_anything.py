"""A decorator turns the argument into an array of floats and a result of no dimensions into a number.

slow: its neighbours of the same kind are in the fast set
"""

import functools


def elementwise(function=None, *, dtype=np.float64):
    if function is None:
        return functools.partial(elementwise, dtype=dtype)

    @functools.wraps(function)
    def wrapper(x):
        result = function(np.atleast_1d(np.asarray(x, dtype=dtype)))
        return result.reshape(np.shape(x))[()]

    return wrapper


@elementwise
def sigmoid(x):
    y = np.empty_like(x)
    positive = x >= 0
    y[positive] = 1 / (1 + np.exp(-x[positive]))
    power = np.exp(x[~positive])
    y[~positive] = power / (1 + power)
    return y


@elementwise(dtype=float)
def sigmoid_prime(x):
    return sigmoid(x) * sigmoid(-x)
