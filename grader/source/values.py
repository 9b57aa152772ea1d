"""What an expression may be, as far as reading can tell.

Only distinctions that a rule needs: whether an operator works on whole arrays, and which library function a name means.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TypeAlias

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Kind(Enum):
    """The sorts of values that are told apart."""

    ARRAY = auto()
    LIST = auto()
    TUPLE = auto()
    SCALAR = auto()
    TEXT = auto()
    LIBRARY = auto()
    FUNCTION = auto()
    CLASS = auto()
    OBJECT = auto()
    MAPPING = auto()
    UNKNOWN = auto()


@dataclass(eq=False)
class Scope:
    """Names bound in a module, a function or a comprehension, and the scope around it."""

    parent: Scope | None = None
    names: dict[str, Value] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    """Modules of which everything was imported."""
    declared_global: set[str] = field(default_factory=set)

    @property
    def module(self) -> Scope:
        """The outermost scope."""
        return self if self.parent is None else self.parent.module

    def find(self, name: str) -> Value | None:
        """Return what `name` is bound to here or further out."""
        if name in self.names:
            return self.names[name]
        return self.parent.find(name) if self.parent else None


@dataclass(frozen=True, slots=True)
class Value:
    """One value. Which fields mean something depends on `kind`."""

    kind: Kind
    rank: int | None = None
    """Of an array: number of axes, None if unknown."""
    items: tuple[Value, ...] = ()
    """Of a tuple: each item; of a list or mapping: one that stands for all."""
    name: str = ""
    """Of a library: dotted path; of a text: the text; of a class or function: its name; of an array: `fresh` if new."""
    node: ast.AST | None = None
    """Of a function or class: where it is defined."""
    scope: Scope | None = None
    """Of a function: the names it can see."""
    compiled: str = ""
    """Of a function: dotted path of the compiler that was put on it, such as `numba.njit`."""
    options: tuple[tuple[str, bool], ...] = ()
    """Of a function or compiler: keyword options that are given as True or False."""
    receiver: Value | None = None
    """Of a method: the object it belongs to."""
    weight: int = field(init=False, compare=False)
    """How many values it consists of."""

    def __post_init__(self) -> None:
        inside = sum(item.weight for item in self.items) + (self.receiver.weight if self.receiver else 0)
        object.__setattr__(self, "weight", 1 + inside)


UNKNOWN = Value(Kind.UNKNOWN)
SCALAR = Value(Kind.SCALAR)
MAX_WEIGHT = 300
"""Tuples of tuples of tuples grow without bound in a few lines of a hostile file."""


def array(rank: int | None) -> Value:
    """Return an array of `rank` axes; without axes it is a scalar."""
    return SCALAR if rank == 0 else Value(Kind.ARRAY, rank=rank)


def fresh_array(rank: int | None) -> Value:
    """Return an array that holds nothing of the student's inputs yet."""
    return SCALAR if rank == 0 else Value(Kind.ARRAY, rank=rank, name="fresh")


def list_of(item: Value) -> Value:
    """Return a list whose items are like `item`."""
    return Value(Kind.LIST, items=(item if item.weight < MAX_WEIGHT else UNKNOWN,))


def mapping_of(item: Value) -> Value:
    """Return a dict whose values are like `item`."""
    return Value(Kind.MAPPING, items=(item if item.weight < MAX_WEIGHT else UNKNOWN,))


def tuple_of(items: Iterable[Value]) -> Value:
    """Return a tuple of exactly these items."""
    kept = tuple(items)
    return Value(Kind.TUPLE, items=kept) if sum(item.weight for item in kept) < MAX_WEIGHT else UNKNOWN


def library(path: str) -> Value:
    """Return the module or library member with this dotted path."""
    return Value(Kind.LIBRARY, name=path)


def text(content: str) -> Value:
    """Return a text that is known."""
    return Value(Kind.TEXT, name=content[:200])


def join(values: Iterable[Value]) -> Value:
    """Return what is true of all `values`."""
    kept = list(dict.fromkeys(values))
    if len(kept) == 1:
        return kept[0]
    kinds = {value.kind for value in kept}
    if kinds == {Kind.ARRAY}:
        ranks = {value.rank for value in kept}
        return array(ranks.pop() if len(ranks) == 1 else None)
    if kinds == {Kind.LIST}:
        return list_of(join(item for value in kept for item in value.items))
    return UNKNOWN


def element(value: Value) -> Value:
    """Return what iterating over `value` gives."""
    if value.kind is Kind.ARRAY:
        return UNKNOWN if value.rank is None else array(value.rank - 1)
    if value.kind in {Kind.LIST, Kind.TUPLE, Kind.MAPPING}:
        return join(value.items) if value.items else UNKNOWN
    return UNKNOWN


def rank_of(value: Value) -> int | None:
    """Return how many axes an array made of `value` has."""
    if value.kind is Kind.ARRAY:
        return value.rank
    if value.kind is Kind.SCALAR:
        return 0
    if value.kind in {Kind.LIST, Kind.TUPLE}:
        inner = rank_of(element(value))
        return None if inner is None else inner + 1
    return None


def is_main_guard(test: ast.expr) -> bool:
    """Return whether this is `__name__ == "__main__"`, which a worker never is; `!=` and the like are not."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            sides = {getattr(part, "id", None) or getattr(part, "value", None) for part in (left, right)}
            return sides == {"__name__", "__main__"}
        case ast.BoolOp(op=ast.And(), values=parts):
            return any(map(is_main_guard, parts))
    return False
