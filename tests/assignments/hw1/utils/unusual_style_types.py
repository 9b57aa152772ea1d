"""Classes, decorators and types."""

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
"""The calls of the sigmoid are counted: on itself, on a class, on an object and in a variable of a closure."""
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
"""A decorator turns the argument into an array of floats and a result of no dimensions into a number."""
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
"""Functions, generators and numbers are default values of parameters, bound when the file is loaded."""
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

# %% protocols_enums_and_dataclasses
"""Type hints with Protocol, overload, dataclasses and Enum."""
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Protocol, Sequence, TypeVar, overload
T = TypeVar("T")

class HasShape(Protocol):
    shape: tuple[int, ...]

    def __len__(self) -> int: ...

class Activation(Enum):
    SIGMOID = "sigmoid"
    TANH = "tanh"

    def __call__(self, x: np.ndarray) -> np.ndarray:
        return {"sigmoid": lambda v: 1 / (1 + np.exp(-v)), "tanh": np.tanh}[self.value](x)

@dataclass(frozen=True)
class Layer:
    fan_in: "int"
    fan_out: int
    name: str = ""
    type: str = "dense"
    data: dict = field(default_factory=dict, repr=False)

    @property
    def shape(self) -> tuple[int, int]:
        return self.fan_in, self.fan_out

class Batch(NamedTuple):
    data: np.ndarray
    labels: np.ndarray

def layers(sizes: Sequence[int]) -> list[Layer]:
    return [Layer(m, n, name=f"layer{k}") for k, (m, n) in enumerate(zip(sizes, sizes[1:]))]

@overload
def sigmoid(x: float) -> float: ...
@overload
def sigmoid(x: np.ndarray) -> np.ndarray: ...
def sigmoid(x):
    return Activation.SIGMOID(x)

def sigmoid_prime(x: np.ndarray) -> np.ndarray:
    y = Activation("sigmoid")(x)
    return y * (1 - y)

def xavier_initialization(m: int, n: int) -> np.ndarray:
    return np.random.uniform(-1 / np.sqrt(m), 1 / np.sqrt(m), (m, n))

def random_weights(sizes):
    return [xavier_initialization(*layer.shape) for layer in layers(sizes)]

def zeros_weights(sizes):
    return [np.zeros(layer.shape) for layer in layers(sizes)]

def create_batches(data: HasShape, labels: HasShape, batch_size: int) -> list[Batch]:
    return [Batch(data[i : i + batch_size], labels[i : i + batch_size]) for i in range(0, len(data), batch_size)]

# %% single_dispatch
"""The sigmoid is a generic function: one version for numbers, one for arrays, one for lists."""
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
"""Numbers are converted by the type that a dtype names, as `C.dtype.type(0)` does; sizes are a typed tuple."""
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
"""Sizes and lists are checked first, with an exception of one's own, overloads for type checkers and a match."""
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
