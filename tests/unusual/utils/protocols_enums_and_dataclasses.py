"""Type hints with Protocol, overload, dataclasses and Enum.

slow: its neighbours of the same kind are in the fast set
"""


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
