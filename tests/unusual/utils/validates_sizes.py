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
