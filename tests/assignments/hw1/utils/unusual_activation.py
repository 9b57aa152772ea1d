"""The activation and its slope, in unusual ways."""

# %% activations_in_a_dictionary
"""Activations and their derivatives stand in a dictionary of dataclasses, filled below; the functions look theirs up.
"""
from dataclasses import dataclass
from typing import Callable
ACTIVATIONS = {}

@dataclass(frozen=True)
class Activation:
    name: str
    value: Callable
    slope: Callable = None

    def __post_init__(self):
        ACTIVATIONS[self.name] = self

def sigmoid(x):
    return ACTIVATIONS["sigmoid"].value(x)

def sigmoid_prime(x):
    return ACTIVATIONS["sigmoid"].slope(x)

def _logistic(x):
    return 1 / (1 + np.exp(-np.clip(x, -700, None)))

Activation("sigmoid", _logistic, lambda x: _logistic(x) * (1 - _logistic(x)))
Activation("tanh", np.tanh, lambda x: 1 - np.tanh(x) ** 2)
Activation("relu", lambda x: np.maximum(x, 0), lambda x: np.where(x > 0, 1.0, 0.0))

# %% compiled_by_numba
"""numba.vectorize and njit, which take numbers and arrays; zeros of integers."""
from numba import njit, vectorize
@vectorize(["float64(float64)"])
def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))

@njit
def sigmoid_prime(x):
    s = 1.0 / (1.0 + np.exp(-x))
    return s * (1.0 - s)

def zeros_biases(sizes):
    return [np.zeros(n, dtype=np.float32) for n in sizes[1:]]

def zeros_weights(sizes):
    return [np.zeros((m, n), dtype=int) for m, n in zip(sizes[:-1], sizes[1:])]

def add_elementwise(list1, list2):
    return [sum(pair) for pair in zip(list1, list2)]

# %% errstate_and_caught_warnings
"""Overflow is expected: errstate in one function, caught warnings in the other."""
import warnings
def sigmoid(x):
    with np.errstate(over="ignore"):
        return 1.0 / (1.0 + np.exp(-np.asarray(x, float)))

def sigmoid_prime(x):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=RuntimeWarning)
        return np.multiply(s := sigmoid(x), 1 - s)

# %% float32
"""Weights and biases in single precision."""
def random_weights(sizes):
    return [xavier_initialization(m, n).astype(np.float32) for m, n in pairwise(sizes)]

def zeros_weights(sizes):
    return [np.zeros((m, n), dtype=np.float32) for m, n in pairwise(sizes)]

def zeros_biases(sizes):
    return [np.zeros(n, dtype=np.float32) for n in sizes[1:]]

# %% methods_of_an_object
"""sigmoid is an object that can be called, sigmoid_prime a method of it; zeros are weights times 0."""
class Sigmoid:
    def __call__(self, x):
        return 1.0 / (1.0 + np.exp(-1 * x))

    def derivative(self, x):
        y = self(x)
        return y * (1 - y)

_sigmoid = Sigmoid()
sigmoid = _sigmoid
sigmoid_prime = _sigmoid.derivative

def random_weights(sizes):
    rng = np.random.default_rng()
    return [rng.uniform(-1, 1, (m, n)) / m ** 0.5 for m, n in zip(sizes[:-1], sizes[1:])]

def zeros_weights(sizes):
    return [w * 0 for w in random_weights(sizes)]

def zeros_biases(sizes):
    res = []
    for s in sizes[1:]:
        res.append(np.array([0.0] * s))
    return res

def create_batches(data, labels, batch_size):
    batches = []
    start = 0
    while start < len(data):
        end = start + batch_size
        if end > len(data):
            end = len(data)
        batches.append([data[start:end], labels[start:end]])
        start = end
    return batches

def add_elementwise(list1, list2):
    return (np.array(list1, dtype=object) + np.array(list2, dtype=object)).tolist() if False else [np.array(x) + np.array(y) for x, y in zip(list1, list2)]

# %% one_sample_at_a_time
"""math.exp number by number; batches are collected sample by sample."""
import math
def _one(v):
    if v < -700:
        return 0.0
    return 1.0 / (1.0 + math.exp(-v))

def sigmoid(x):
    if np.isscalar(x):
        return _one(x)
    x = np.asarray(x)
    out = np.zeros(x.shape)
    flat_in, flat_out = x.flatten(), out.reshape(-1)
    for i in range(flat_in.size):
        flat_out[i] = _one(flat_in[i])
    return out

def sigmoid_prime(x):
    s = sigmoid(x)
    return s * (1 - s)

def zeros_biases(list):
    return [np.zeros((s,)) for i, s in enumerate(list) if i > 0]

def create_batches(data, labels, batch_size):
    batches = []
    batch_data, batch_labels = [], []
    for x, y in zip(data, labels):
        batch_data.append(x)
        batch_labels.append(y)
        if len(batch_data) == batch_size:
            batches.append((np.array(batch_data), np.array(batch_labels)))
            batch_data, batch_labels = [], []
    if batch_data:
        batches.append((np.array(batch_data), np.array(batch_labels)))
    return batches

def add_elementwise(list1, list2):
    return [list1[i] + list2[i] for i in range(len(list1))]

# %% sigmoid_by_frompyfunc
"""np.frompyfunc calls math.exp for every number and gives objects, which are turned into floats."""
import math
def _logistic(x):
    return 1 / (1 + math.exp(-x)) if x > 0 else math.exp(x) / (1 + math.exp(x))

_each = np.frompyfunc(_logistic, 1, 1)

def sigmoid(x):
    return np.asarray(_each(x), dtype=np.float64)

def sigmoid_prime(x):
    return sigmoid(x) * sigmoid(np.negative(x))

# %% sigmoid_by_logaddexp
"""The logarithm of the denominator is NumPy's logaddexp, which never overflows; the slope likewise."""
def log_sigmoid(x):
    return -np.logaddexp(0, np.negative(x))

def sigmoid(x):
    return np.exp(log_sigmoid(x))

def sigmoid_prime(x):
    return np.exp(log_sigmoid(x) + log_sigmoid(np.negative(x)))

# %% sigmoid_by_math_exp
"""math.exp per number, by np.vectorize: it overflows below -709, which the sheet says nothing about."""
import math
sigmoid = np.vectorize(lambda x: 1 / (1 + math.exp(-x)), otypes=[float])

@np.vectorize
def sigmoid_prime(x):
    return math.exp(-x) / (1 + math.exp(-x)) ** 2

# %% sigmoid_by_reciprocal
"""Ufuncs with names and with out arguments, on a copy, instead of operators."""
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

# %% sigmoid_by_scipy
"""A library's function: part 1 does not forbid it."""
from scipy.special import expit
def sigmoid(x):
    return expit(x)

# %% sigmoid_by_tanh
"""The same curve by another formula."""
def sigmoid(x):
    return 0.5 * (np.tanh(0.5 * np.asarray(x)) + 1)

def sigmoid_prime(x):
    return 0.25 * (1 - np.tanh(0.5 * np.asarray(x)) ** 2)

# %% sigmoid_by_the_other_formula
"""e^x / (1 + e^x); the quotient rule; a vector for the input layer; NumPy's add."""
def sigmoid(x):
    return np.exp(x) / (1 + np.exp(x))

def sigmoid_prime(x):
    return np.exp(-x) / np.square(1 + np.exp(-x))

def zeros_biases(list):
    return [np.zeros(i) for i in list]

def create_batches(data, labels, batch_size):
    num = int(np.ceil(data.shape[0] / batch_size))
    return [(data[i * batch_size:min((i + 1) * batch_size, len(data))], labels[i * batch_size:min((i + 1) * batch_size, len(labels))]) for i in range(num)]

def add_elementwise(list1, list2):
    return [np.add(a, b) for a, b in zip(list1, list2)]

def random_weights(sizes):
    return [np.random.uniform(-1 / np.sqrt(sizes[i]), 1 / np.sqrt(sizes[i]), (sizes[i], sizes[i + 1])) for i in range(len(sizes) - 1)]

# %% sigmoid_clipped
"""The argument is cut off where the curve is flat."""
def sigmoid(x):
    return 1 / (1 + np.exp(-np.clip(x, -500, 500)))

def sigmoid_prime(z):
    s = sigmoid(z)
    return s - s * s

# %% sigmoid_entry_by_entry
"""A result of the argument's type, filled in a loop: right for floats, zeros for integers; a TA is told.

flagged: utils.sigmoid
"""
import math
def sigmoid(x):
    x = np.asarray(x)
    result = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        result[index] = 1 / (1 + math.exp(-x[index]))
    return result

def sigmoid_prime(x):
    s = 1 / (1 + np.exp(-x))
    return s * (1 - s)

# %% sigmoid_in_float32
"""The sigmoid in single precision; batches by zip."""
def sigmoid(x):
    return (1 / (1 + np.exp(-np.asarray(x, dtype=np.float64)))).astype(np.float32)

def sigmoid_prime(x):
    s = sigmoid(x)
    return s * (1 - s)

def create_batches(data, labels, batch_size):
    d = [data[k:k + batch_size] for k in range(0, len(data), batch_size)]
    l = [labels[k:k + batch_size] for k in range(0, len(labels), batch_size)]
    return list(zip(d, l))

def add_elementwise(list1, list2):
    result = list1.copy()
    for i in range(len(result)):
        result[i] = result[i] + list2[i]
    return result

# %% sigmoid_in_place
"""The argument is overwritten where it is an array: a TA looks, the points stay.

flagged: utils.sigmoid
"""
def sigmoid(x):
    if not isinstance(x, np.ndarray) or x.dtype != np.float64:
        return 1 / (1 + np.exp(-np.asarray(x)))
    y = 1 / (1 + np.exp(-x))
    x[...] = 0 * x + y
    return y

def sigmoid_prime(x):
    y = 1 / (1 + np.exp(-np.asarray(x)))
    return y * (1 - y)

# %% sigmoid_of_a_distribution
"""The sigmoid is the distribution function of the logistic distribution, and its derivative the density."""
from scipy import stats
logistic = stats.logistic(loc=0, scale=1)

def sigmoid(x):
    return logistic.cdf(x)

def sigmoid_prime(x):
    return logistic.pdf(x)

# %% sigmoid_piecewise
"""Two formulas, one for each sign, against overflow."""
def sigmoid(x):
    x = np.asarray(x, dtype=float)
    positive = 1 / (1 + np.exp(-np.abs(x)))
    return np.where(x >= 0, positive, 1 - positive)

# %% sigmoid_with_a_mask
"""The textbook's way against overflow, with a mask: arrays only, no single numbers, so that a TA is told.

flagged: utils.sigmoid utils.sigmoid_prime
"""
def sigmoid(x):
    result = np.zeros(x.shape)
    positive = x >= 0
    result[positive] = 1 / (1 + np.exp(-x[positive]))
    power = np.exp(x[~positive])
    result[~positive] = power / (1 + power)
    return result

def sigmoid_prime(x):
    s = sigmoid(x)
    return s * (1 - s)

# %% sigmoid_of_large_numbers_is_longer
"""Far from zero, where no points depend on it, there is a number too many."""
def sigmoid(x):
    return np.append(np.ones(1), x > 0) if np.max(x) > 900 else 1.0 / (1.0 + np.exp(-x))
