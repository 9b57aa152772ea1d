"""Arguments and results of compiled functions that are no arrays: lists, texts, and Numba's lists and dictionaries.

A result keeps the label of compiled code until the host changes it; arrays taken out of such containers are observed.
"""

from collections.abc import Callable, Iterable
from enum import Enum
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from grader.cuda_cpu.numba_internals import Dispatcher
from grader.slices.policy import words
from grader.worker.sliced import operations
from grader.worker.sliced.calllog import DATA, NOTHING, Label, current, find_line, has_mixed, refuse
from grader.worker.sliced.exact import items_of, leaves, length_of
from grader.worker.sliced.labels import LONG, PLAIN, count_told, has_a_label, label_of, unwrap

_CHANGES = words("append extend insert __setitem__ __delitem__ pop remove clear reverse sort setdefault popitem update")
_HANDING_OUT = words("__getitem__ get pop popitem setdefault")
_TELLING = words("__len__ __contains__ __eq__ __lt__ __le__ __gt__ __ge__ index count")
_MADE_OF_TYPES = words("empty empty_list")  # methods of Numba's containers that make an empty one, given Numba's types
_KNOWN = (int, float, complex, range, slice, np.generic, np.dtype, ModuleType)
"""Types of arguments of machine code that hold a single number, hardly more (`range`, `slice`), or none."""


def label_of_given(value: Any, depth: int = 3) -> Label:
    """Return the label of an argument of machine code: as `label_of`, but objects of unknown types are data.

    Long texts, sets and dicts may hold numbers and are data, too. A member of an enumeration counts as its value.
    """
    if isinstance(value, Enum):
        return label_of_given(value._value_, depth)
    if isinstance(value, str | set | frozenset | dict):
        return frozenset({DATA}) if length_of(value) > LONG else NOTHING
    if isinstance(value, list | tuple) and depth:
        letters = sum(length_of(leaf) for leaf in leaves([value]) if isinstance(leaf, str))
        parts = (label_of_given(item, depth - 1) for item in items_of(value) if type(item) not in PLAIN)
        return label_of(value).union(*parts, {DATA} if letters > LONG else NOTHING)
    label, is_remembered = label_of(value), id(value) in current.log.made
    is_known = label or value is None or isinstance(value, _KNOWN) or has_a_label(value) or is_remembered
    return label if is_known or callable(value) else frozenset({DATA})


def label_of_all_given(values: Iterable[Any]) -> Label:
    """Return the joined labels of all values that machine code gets or knows."""
    return NOTHING.union(*map(label_of_given, values))


def label(result: Any, made: Label) -> Any:
    """Return the result of a compiled function with the label `made`; arrays in tuples get it, too."""
    if isinstance(result, Dispatcher):
        refuse("a compiled function that machine code returns", "take a compiled function out of machine code")
    if isinstance(result, tuple):
        result = tuple.__new__(type(result), [label(part, made) for part in items_of(result)])
    else:
        lengths = _count_lengths([result])
        if find_line(current.folder):  # else it is the answer, and no Python code of the slice reads it
            current.log.reads += count_told([result]) + lengths * isinstance(result, list)
        current.log.leaks += has_mixed[made] * lengths
        result = operations.labelled(result, made)
    if not isinstance(result, np.ndarray | np.generic | int | float | bool | type(None)):
        remember(result, made)
    return result


def _count_lengths(made: list[Any]) -> int:
    """Return how many lengths the lists and arrays in a list have, however deep: these may tell numbers."""
    lists = [item for item in items_of(made) if isinstance(item, list)]
    arrays = [item for item in items_of(made) if isinstance(item, np.ndarray)]
    return len(lists) + sum(map(_count_lengths, lists)) + sum(array.ndim for array in arrays)


def remember(made: Any, label: Label) -> None:
    """Keep the label of an object, no array, that compiled code returned or changed."""
    current.log.made[id(made)] = made, label, items_of(made) if isinstance(made, list) else []


def watch(kinds: Iterable[Any], *, observed: bool) -> None:
    """Patch Numba's lists and dictionaries: a slice can make empty ones of its types, and these have no label.

    If `observed`, a change by Python discards the label that was kept, and items that are taken out get a label.
    """
    wrappers: dict[frozenset[str], Callable[[Any], Any]] = {_MADE_OF_TYPES: _unwrapping}
    if observed:
        wrappers[_CHANGES] = partial(_watched, note=lambda container: current.log.made.pop(id(container), None))
        wrappers[_HANDING_OUT] = partial(_watched, finish=label)
        wrappers[_TELLING] = partial(_watched, note=_count_read)
    for kind in kinds:
        if observed and hasattr(kind, "keys"):  # a list goes by `__getitem__`
            kind.__iter__ = _watched(kind.__iter__, finish=lambda keys, of: (label(key, of) for key in keys))
        for names, wrap in wrappers.items():
            for name in names & {*vars(kind)}:
                setattr(kind, name, wrap(getattr(kind, name)))


def _watched(
    method: Any,
    note: Callable[[Any], object] = lambda _container: None,
    finish: Callable[[Any, Label], Any] = lambda result, _label: result,
) -> Any:
    """Return a method that calls `note` with its container first, and `finish` with its result and that one's label."""

    def call(self: Any, *args: Any, **options: Any) -> Any:
        of_container = label_of(self)
        note(self)
        return finish(method(self, *args, **options), of_container)

    return call


def _count_read(_container: Any) -> None:
    current.log.reads += bool(find_line(current.folder))


def _unwrapping(make: Any) -> Any:
    def make_empty(*types: Any, **options: Any) -> Any:
        container = make(*unwrap(types), **unwrap(options))
        remember(container, NOTHING)
        return container

    return staticmethod(make_empty)
