"""Files that are written in an unusual style."""

# %% classes
"""The work is done by a class with static methods; the functions hand on."""
class Layers:
    def __init__(self, sizes):
        self.sizes = list(sizes)

    @property
    def shapes(self):
        return [(self.sizes[i], self.sizes[i + 1]) for i in range(len(self.sizes) - 1)]

    def fill(self, maker):
        return [maker(*shape) for shape in self.shapes]

    @staticmethod
    def zeros(m, n):
        return np.zeros((m, n))


def random_weights(sizes):
    return Layers(sizes).fill(xavier_initialization)


def zeros_weights(sizes):
    return Layers(sizes).fill(Layers.zeros)

# %% counts_its_calls
"""The calls of the sigmoid are counted: on itself, on a class, on an object and in a variable of a closure.

slow: its neighbours of the same kind are in the fast set
"""
class Config:
    calls = 0


class Log:
    def __init__(self):
        self.last = None
        self.entries = 0


log = Log()


def counted(function):
    calls = 0

    def wrapper(x):
        nonlocal calls
        calls += 1
        log.entries += 1
        log.last = function.__name__
        return function(x)

    return wrapper


@counted
def sigmoid(x):
    Config.calls += 1
    return 1.0 / (1.0 + np.exp(-x))


def sigmoid_prime(x):
    sigmoid_prime.calls += 1
    return sigmoid(x) * (1 - sigmoid(x))


sigmoid_prime.calls = 0

# %% decorated_to_take_anything
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

# %% default_arguments
"""Functions, generators and numbers are default values of parameters, bound when the file is loaded.

slow: its neighbours of the same kind are in the fast set
"""
LIMIT = 500
BATCH = 16


def sigmoid(x, limit=LIMIT, exp=np.exp):
    return 1 / (1 + exp(-np.clip(x, -limit, limit)))


def sigmoid_prime(x, f=sigmoid, *, activated=None):
    y = f(x) if activated is None else activated
    return y * (1 - y)


def random_weights(sizes, rng=np.random.default_rng(), low=-1.0, high=1.0):
    return [rng.uniform(low, high, (m, n)) / np.sqrt(m) for m, n in pairwise(sizes)]


def create_batches(data, labels, batch_size=BATCH, drop_last=False):
    stop = len(data) - len(data) % batch_size if drop_last else len(data)
    return [(data[i : i + batch_size], labels[i : i + batch_size]) for i in range(0, stop, batch_size)]

# %% numpy_by_other_names
"""NumPy's functions are imported by themselves, its random numbers under another name.

slow: its neighbours of the same kind are in the fast set
"""
import numpy as xp
import numpy.random as npr
from numpy import asarray, exp, sqrt, zeros


def sigmoid(x):
    return 1 / (1 + exp(-asarray(x)))


def sigmoid_prime(x):
    return xp.prod([sigmoid(x), 1 - sigmoid(x)], axis=0)


def random_weights(sizes):
    return [npr.uniform(-1 / sqrt(m), 1 / sqrt(m), (m, n)) for m, n in pairwise(sizes)]


def zeros_weights(sizes):
    return [zeros((m, n)) for m, n in pairwise(sizes)]

# %% numpy_sizes
"""Sizes are turned into an array first, so that shapes are NumPy integers; matrices are stacked by copies.

slow: its neighbours of the same kind are in the fast set
"""
def zeros_weights(sizes):
    sizes = np.array(sizes)
    return [np.full((m, n), 0.0, order="F") for m, n in zip(sizes[:-1], sizes[1:])]


def zeros_biases(sizes):
    return [0.0 * np.arange(n) for n in np.array(sizes)[1:]]

# %% one_line_each
"""Each function in one line, as the sheet's note has it; lambdas, and the textbook's derivative."""
sigmoid = lambda x: 1 / (1 + np.exp(-x))
sigmoid_prime = lambda x: sigmoid(x) * (1 - sigmoid(x))
random_weights = lambda sizes: [xavier_initialization(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 1)]
zeros_weights = lambda sizes: [np.zeros((sizes[i], sizes[i + 1])) for i in range(len(sizes) - 1)]
zeros_biases = lambda sizes: [np.zeros(sizes[i]) for i in range(1, len(sizes))]
add_elementwise = lambda list1, list2: [list1[i] + list2[i] for i in range(len(list1))]

# %% prints_a_lot
"""Thousands of lines to stdout and stderr, at import and in every call, with escapes for terminals."""
import sys

for number in range(3000):
    print("loading", number, "\x1b[31mred\x1b[0m")


def add_elementwise(list1, list2):
    print("adding", len(list1), "\x1b]0;title\x07")
    print("to stderr", file=sys.stderr)
    return [first + second for first, second in zip(list1, list2)]


def sigmoid(x):
    print("sigmoid of", np.shape(x), "x" * 200)
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))

# %% settings_of_numpy_at_import
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

# %% single_dispatch
"""The sigmoid is a generic function: one version for numbers, one for arrays, one for lists.

slow: its neighbours of the same kind are in the fast set
"""
import math
from functools import singledispatch


@singledispatch
def sigmoid(x):
    return sigmoid(np.asarray(x, dtype=float))


@sigmoid.register(int)
@sigmoid.register(float)
def _(x):
    return 1.0 / (1.0 + math.exp(-x)) if x > -700 else math.exp(x)


@sigmoid.register
def _(x: np.ndarray):
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))


def sigmoid_prime(x):
    s = sigmoid(x)
    return s * (1 - s)

# %% static_methods_unpacked
"""Static methods of a class are unpacked into the names of the sheet, several in one assignment.

removes: sigmoid sigmoid_prime zeros_weights zeros_biases
slow: its neighbours of the same kind are in the fast set
"""
class Activation:
    @staticmethod
    def value(x):
        return 1 / (1 + np.exp(-np.asarray(x)))

    @staticmethod
    def slope(x):
        value = Activation.value(x)
        return value * (1 - value)


class Zeros:
    __slots__ = ()

    @classmethod
    def weights(cls, sizes):
        return [np.zeros(shape) for shape in pairwise(sizes)]

    @classmethod
    def biases(cls, sizes):
        return [np.zeros(size) for size in sizes[1:]]


sigmoid, sigmoid_prime = Activation.value, Activation.slope
(zeros_weights, zeros_biases) = [Zeros.weights, Zeros.biases]

# %% tests_in_the_file
"""The file tests itself: doctests, a class of unit tests, test functions, and asserts that run at import.

slow: its neighbours of the same kind are in the fast set
"""
import doctest
import unittest


def sigmoid(x):
    """Return 1 / (1 + e^-x).

    >>> float(sigmoid(0))
    0.5
    """
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))


def zeros_biases(sizes):
    """Return one vector per layer but the first.

    >>> [b.shape for b in zeros_biases([2, 3, 1])]
    [(3,), (1,)]
    """
    return [np.zeros((size,)) for size in sizes[1:]]


class UtilsTest(unittest.TestCase):
    def setUp(self):
        self.sizes = [2, 3, 1]

    def test_weights(self):
        self.assertEqual([w.shape for w in random_weights(self.sizes)], [(2, 3), (3, 1)])

    def test_sum(self):
        self.assertEqual(add_elementwise([1, 2], [3, 4]), [4, 6])


def test_sigmoid_is_symmetric():
    assert np.isclose(sigmoid(2) + sigmoid(-2), 1)


def run_tests():
    doctest.testmod()
    unittest.main(argv=["utils"], exit=False)


assert sigmoid(0) == 0.5
test_sigmoid_is_symmetric()

# %% types_and_docs
"""Type hints, keyword defaults, decorators, and comments in Hebrew and Greek."""
from functools import wraps
from typing import Any, List, Sequence, Tuple


def logged(function):
    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return call


@logged
def create_batches(data: np.ndarray, labels: np.ndarray, batch_size: int = 16) -> List[Tuple[np.ndarray, np.ndarray]]:
    # שלום: חלוקה לקבוצות, σ(x) = 1 / (1 + e⁻ˣ)
    batches: List[Tuple[np.ndarray, np.ndarray]] = []
    for start in range(0, data.shape[0], batch_size):
        batches += [(data[start : start + batch_size], labels[start : start + batch_size])]
    return batches


@logged
def zeros_biases(list: Sequence[int]) -> List[np.ndarray]:
    return [np.zeros((size,)) for size in list[1:]]

# %% types_of_dtypes
"""Numbers are converted by the type that a dtype names, as `C.dtype.type(0)` does; sizes are a typed tuple.

slow: its neighbours of the same kind are in the fast set
"""
import sys
import typing

Sizes = typing.NamedTuple("Sizes", [("rows", int), ("columns", int)])


def sigmoid(x):
    x = np.asarray(x, dtype=np.result_type(x, np.float64))
    one = x.dtype.type(1)
    assert issubclass(x.dtype.type, np.floating) and one.dtype == x.dtype
    return one / (one + np.exp(-np.maximum(x, x.dtype.type(-700))))


def zeros_weights(sizes):
    shapes = [Sizes(rows=m, columns=n) for m, n in zip(sizes, sizes[1:])]
    number = np.dtype("float64").type
    return [np.full((shape.rows, shape.columns), number(0)) for shape in shapes]


def add_elementwise(list1, list2):
    if sys.argv[1:2] == ["--verbose"]:
        print(len(list1))
    return [first + second for first, second in zip(list1, list2)]

# %% validates_sizes
"""Sizes and lists are checked first, with an exception of one's own, overloads for type checkers and a match.

slow: its neighbours of the same kind are in the fast set
"""
from typing import Sequence, TypeVar, overload

T = TypeVar("T", float, np.ndarray)


class BadSizes(ValueError):
    def __init__(self, sizes):
        super().__init__(f"bad sizes of layers: {sizes!r}")


@overload
def checked(sizes: Sequence[int]) -> list[int]: ...


@overload
def checked(sizes: np.ndarray) -> list[int]: ...


def checked(sizes):
    match sizes:
        case [] | [_]:
            raise BadSizes(sizes)
        case [*layers] if all(isinstance(n, (int, np.integer)) and n > 0 for n in layers):
            return [int(n) for n in layers]
        case _:
            raise BadSizes(sizes)


def random_weights(sizes: Sequence[int]) -> "list[np.ndarray]":
    return [xavier_initialization(m, n) for m, n in pairwise(checked(sizes))]


def zeros_weights(sizes: Sequence[int]) -> "list[np.ndarray]":
    return [np.zeros((m, n)) for m, n in pairwise(checked(sizes))]


def zeros_biases(sizes: Sequence[int]) -> "list[np.ndarray]":
    first, *rest = checked(sizes)
    return [np.zeros(n) for n in rest]


def add_elementwise(list1: "Sequence[T]", list2: "Sequence[T]") -> "list[T]":
    if (a := len(list1)) != (b := len(list2)):
        raise ValueError(f"{a} entries and {b} entries")
    return [one + other for one, other in zip(list1, list2)]

# %% warns
"""Warnings of Python and NumPy, and a logger."""
import logging
import warnings

logging.basicConfig(level=logging.DEBUG)
warnings.warn("this is only a warning")


def sigmoid(x):
    logging.debug("called")
    warnings.warn("overflow ahead", RuntimeWarning)
    return 1 / (1 + np.exp(-x))

# %% written_in_place_of_the_template
"""Loops with indices, a list made beforehand, and results put into their places, as in C.

slow: its neighbours of the same kind are in the fast set
"""
def random_weights(sizes):
    weights = [None] * (len(sizes) - 1)
    i = 0
    while i < len(weights):
        weights[i] = xavier_initialization(sizes[i], sizes[i + 1])
        i += 1
    return weights


def add_elementwise(list1, list2):
    list3 = []
    for i in range(0, len(list1), 1):
        a = list1[i]
        b = list2[i]
        if isinstance(a, np.ndarray):
            c = np.empty(a.shape, dtype=np.result_type(a, b))
            for index, _ in np.ndenumerate(a):
                c[index] = a[index] + b[index]
        else:
            c = a + b
        list3.append(c)
    return list3


def create_batches(data, labels, batch_size):
    count = len(data) // batch_size + (len(data) % batch_size > 0)
    batches = [None for _ in range(count)]
    for b in range(count):
        first = b * batch_size
        last = first + batch_size if first + batch_size < len(data) else len(data)
        batches[b] = (data[first:last], labels[first:last])
    return batches
