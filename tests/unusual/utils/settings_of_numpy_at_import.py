"""NumPy's warnings are switched off and its generator is seeded when the file is loaded, outside of any function.

slow: its neighbours of the same kind are in the fast set
"""

np.seterr(all="raise")
np.seterr(over="ignore", under="ignore")
np.set_printoptions(precision=3, suppress=True)
np.random.seed(2025)


def sigmoid(x):
    return 1 / (1 + np.exp(-np.asarray(x, dtype=float)))


def sigmoid_prime(x):
    return sigmoid(x) * (1 - sigmoid(x))
