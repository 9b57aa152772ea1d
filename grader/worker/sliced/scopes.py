"""What Numba's compiler finds under the names of a slice, and what it found there before.

Machine code keeps what it was compiled around. A slice may bind a name anew afterwards, in a module or in the function
around the compiled one. So the observer asks what the compiler may have found, not only what is there now.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from grader.worker.sliced import labels, operations
from grader.worker.sliced.calllog import Label
from grader.worker.sliced.owncode import codes_in, is_filled, names_in


class Scopes:
    """A twin for each module of the hand-in, with the same names and the real objects behind what they are bound to."""

    def __init__(self, real_of: Callable[[Any], Any], label_of: Callable[[Any], Label]) -> None:
        self._real_of, self._label_of = real_of, label_of
        self._twins: dict[int, tuple[dict[str, Any], ModuleType]] = {}
        self._found: dict[tuple[int, str], list[Any]] = {}
        """What a name of a scope was bound to last, and perhaps an empty array with the labels of what it was before"""
        self._enclosed: dict[int, tuple[FunctionType, list[Any]]] = {}
        self._busy: set[int] = set()

    def twin_of(self, scope: dict[str, Any]) -> ModuleType:
        """Return the twin of a module, given its names, after bringing it up to date."""
        if id(scope) not in self._twins:
            self._twins[id(scope)] = scope, ModuleType(scope.get("__name__", ""))
        twin = self._twins[id(scope)][1]
        if id(scope) not in self._busy:  # modules may import each other
            self._busy.add(id(scope))
            for name, value in scope.items():
                self._note(scope, name, value)
                vars(twin)[name] = builtins if name == "__builtins__" else self._real_of(value)
            self._busy.remove(id(scope))
        return twin

    def refresh(self, scope: dict[str, Any]) -> None:
        """Bring the twin of a module up to date, for all machine code that is compiled from now on."""
        if id(scope) in self._twins:
            self.twin_of(scope)

    def _note(self, scope: dict[str, Any], name: str, value: Any) -> None:
        found = self._found.setdefault((id(scope), name), [value])
        if found[0] is not value and (label := self._label_of(found[0])):
            found[1:] = [operations.observe(np.zeros(0), label | labels.label_of(found[1:]))]
        found[0] = value

    def enclose(self, function: FunctionType) -> list[Any]:
        """Return the values that a function encloses, and remember them, because its twin keeps them."""
        enclosed = [cell.cell_contents if is_filled(cell) else cell for cell in function.__closure__ or ()]
        self._enclosed.setdefault(id(function), (function, []))[1].extend(enclosed)
        return enclosed

    def found_by(self, function: FunctionType) -> list[Any]:
        """Return what the compiler may have found under the names in a function, also in modules of the hand-in."""
        found = [*self._enclosed.get(id(function), (function, []))[1]]
        found += self._found_in(function.__globals__, names_in(function.__code__))
        parts = [part for code in codes_in(function.__code__) for part in (*code.co_names, *code.co_consts)]
        words, visited = {part for part in parts if isinstance(part, str)}, set[int]()
        for value in found:  # it grows meanwhile
            if isinstance(value, ModuleType) and id(value) not in visited:
                visited.add(id(value))
                found += self._found_in(vars(value), words)
        return found

    def _found_in(self, scope: dict[str, Any], names: Iterable[str]) -> Iterator[Any]:
        for name in names:
            yield from self._found.get((id(scope), name), ())
