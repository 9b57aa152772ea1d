"""The logarithm of the denominator is NumPy's logaddexp, which never overflows; the slope likewise.

slow: its neighbours of the same kind are in the fast set
"""


def log_sigmoid(x):
    return -np.logaddexp(0, np.negative(x))


def sigmoid(x):
    return np.exp(log_sigmoid(x))


def sigmoid_prime(x):
    return np.exp(log_sigmoid(x) + log_sigmoid(np.negative(x)))
