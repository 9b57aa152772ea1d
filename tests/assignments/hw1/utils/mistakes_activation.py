"""Mistakes in the activation of `utils.py` and its derivative.

failed: utils.sigmoid
"""

# %% sigmoid_for_numbers_only
"""math.exp takes single numbers, not arrays."""
import math

def sigmoid(x):
    return 1 / (1 + math.exp(-x))

def sigmoid_prime(x):
    return sigmoid(x) * (1 - sigmoid(x))

# %% sigmoid_for_vectors_only
"""A loop over the first axis, with math.exp: right for vectors, not for matrices."""
import math

def sigmoid(x):
    return np.array([1 / (1 + math.exp(-v)) for v in x])

# %% sigmoid_is_tanh
"""Another curve of the same look.

failed: utils.sigmoid utils.sigmoid_prime
"""
def sigmoid(x):
    return np.tanh(x)

def sigmoid_prime(x):
    return 1 - np.tanh(x) ** 2

# %% sigmoid_one_entry_nan
"""One entry of the result is not a number; the derivative, which calls it, has one as well."""
def sigmoid(x):
    y = np.atleast_1d(1.0 / (1.0 + np.exp(-np.asarray(x, float))))
    if y.size == 61:
        y[7] = np.nan
    return y.reshape(np.shape(x))

# %% sigmoid_returns_none
"""The return statement is missing."""
def sigmoid(x):
    y = 1.0 / (1.0 + np.exp(-x))

def sigmoid_prime(x):
    return sigmoid(x) * (1 - sigmoid(x))

# %% sigmoid_with_the_wrong_sign
"""e to the power of x instead of -x: the curve falls, its derivative rises, and the network learns the opposite."""
def sigmoid(x):
    return 1.0 / (1.0 + np.exp(x))

# %% sigmoid_without_parentheses
"""1 / 1 + e^-x: the division comes first, and the network learns nothing."""
def sigmoid(x):
    return 1 / 1 + np.exp(-x)
