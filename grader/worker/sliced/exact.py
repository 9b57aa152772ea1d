"""Replace objects of a slice's own classes by exact built-in values, so that everybody reads the same.

A slice may define a list whose `__iter__` yields other entries than the list holds, or an object whose `__getitem__`
gives another answer each time. NumPy, Numba and the observer would each ask the object again. So containers and numbers
are read by the methods of their built-in base class, and an object that only behaves like a sequence is read once.
NumPy, Numba and the observer then all get what was read.
"""

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, TypeVar

import numpy as np

from grader.worker.sliced.calllog import refuse
from grader.worker.sliced.freezing import is_own

Item = TypeVar("Item")
NUMBERS = frozenset({int, float, bool, *(np.dtype(name).type for name in "bBhHiIlLqQfd?")})
"""The types of a single entry of an array; subclasses that a slice defines are not among them."""
_PLAIN = NUMBERS | {complex, str, type(None), slice, type(Ellipsis), range}
_ARRAYS = (np.ndarray, np.generic)
_NUMBERS: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (int, int.__int__),
    (float, float.__float__),
    (complex, complex.__pos__),
    (str, lambda text: str.__getitem__(text, slice(None))),
)
MOST_NESTED = 12  # how deep sequences may be nested; NumPy allows more, homework does not need it
_LIBRARIES = ("numpy", "numba", "grader")


def items_of(value: Iterable[Item]) -> list[Item]:
    """Return the items of a list, tuple or set, or the values of a dict, also of a subclass of these."""
    if type(value) is list or type(value) is tuple:  # nearly always
        return list(value)
    if isinstance(value, dict):
        return list(dict.values(value))
    kinds: tuple[type[Any], ...] = (list, tuple, set, frozenset)
    kind = next(kind for kind in kinds if isinstance(value, kind))
    return list(kind.__iter__(value))


def length_of(value: Any) -> int:
    """Return how many items a list, tuple, set, dict or text holds, also of a subclass of these."""
    return str.__len__(value) if isinstance(value, str) else len(items_of(value))


def leaves(values: Iterable[Any], depth: int = MOST_NESTED) -> Iterator[Any]:
    """Yield the values, with lists and tuples taken apart up to `depth` levels, and enumeration members as values."""
    for value in values:
        if depth and isinstance(value, list | tuple):
            yield from leaves(items_of(value), depth - 1)
        elif depth and isinstance(value, Enum):
            yield from leaves([value._value_], depth - 1)
        else:
            yield value


def exact(value: Any, *, ask: bool = False, depth: int = MOST_NESTED) -> Any:
    """Return a value with lists, tuples, dicts, numbers and texts of exact built-in types in it.

    Args:
        value: Anything.
        ask: Whether to read objects that NumPy would take for sequences or types of numbers, too, and to turn members
            of enumerations into numbers and texts, as NumPy does.
        depth: How many more sequences may lie inside each other.

    Raises:
        TypeError: sequences are nested more deeply than any homework needs.
    """
    kind = type(value)
    if kind in _PLAIN or isinstance(value, _ARRAYS):
        return value
    if isinstance(value, list | tuple | dict):
        return _exact_container(value, ask=ask, depth=depth)
    if isinstance(value, Enum) and not ask:
        return value
    for builtin, read in _NUMBERS:
        if isinstance(value, builtin):
            return read(value)
    return _asked(value, kind, depth) if ask else value


def exact_arguments(args: Iterable[Any], options: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of a NumPy function as exact values; each is read once."""
    if not options and _PLAIN.issuperset(map(type, args)):  # fast, because it may be called for every entry
        return tuple(args), {}
    named = {exact(key, ask=True): exact(arg, ask=True) for key, arg in options.items()}
    return tuple(exact(arg, ask=True) for arg in args), named


def _exact_container(value: Any, *, ask: bool, depth: int) -> Any:
    if not depth:
        refuse("sequences nested without end", f"nest sequences more than {MOST_NESTED} times")
    kind = next(kind for kind in (list, tuple, dict) if isinstance(value, kind))
    items = items_of(value)
    is_plain = {*map(type, items)} <= _PLAIN  # a million numbers, perhaps
    if kind is dict and not {*map(type, dict.keys(value))} <= _PLAIN:
        return {exact(key): exact(item, ask=ask, depth=depth - 1) for key, item in dict.items(value)}
    read = items if is_plain else [exact(item, ask=ask, depth=depth - 1) for item in items]
    if type(value) is kind and all(map(operator.is_, read, items)):
        return value
    if kind is dict:
        return dict(zip(dict.keys(value), read, strict=True))
    reading = ("__iter__", "__getitem__", "__len__")
    if kind is tuple and all(getattr(type(value), name) is getattr(tuple, name) for name in reading):  # a named tuple
        return value if all(map(operator.is_, read, items)) else tuple.__new__(type(value), read)
    return kind(read)


def _asked(value: Any, kind: type, depth: int) -> Any:
    """Return what NumPy would make of an object: a list of entries, or a type of numbers; otherwise the object."""
    if isinstance(value, type):
        return np.dtype(value) if is_own(value) and hasattr(value, "dtype") else value
    if kind.__module__.startswith(_LIBRARIES):
        return value
    if hasattr(kind, "__getitem__") and hasattr(kind, "__len__"):
        return exact(list(value), ask=True, depth=depth - 1)
    return np.dtype(value) if is_own(kind) and hasattr(value, "dtype") else value
