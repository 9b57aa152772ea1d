"""Ufuncs with names and with out arguments, on a copy, instead of operators.

slow: its neighbours of the same kind are in the fast set
"""


def sigmoid(x):
    y = np.array(x, dtype=np.float64, copy=True)
    np.negative(y, out=y)
    np.clip(y, None, 700.0, out=y)
    np.exp(y, out=y)
    np.add(y, 1.0, out=y)
    return np.reciprocal(y)


def sigmoid_prime(x):
    y = sigmoid(x)
    return np.subtract(y, np.square(y))
