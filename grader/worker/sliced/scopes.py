"""What Numba's compiler finds under the names of a slice, and what it found there before.

Machine code keeps what it was compiled around. A slice may bind a name anew afterwards, in a module or in the function
around the compiled one. So the observer asks what the compiler may have found, not only what is there now.
"""

import builtins
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from grader.worker.sliced import labels, operations
from grader.worker.sliced.calllog import Label
from grader.worker.sliced.owncode import codes_in, held_by, is_filled, names_in


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

    def held_by(self, function: FunctionType, seen: set[tuple[int, str]]) -> Iterator[Any]:
        """Yield a function's defaults, its closure and what its names mean, now and when the compiler looked.

        Names count in modules of the hand-in, too, and once for all functions that share `seen`.
        """
        own = [value for name, value in held_by(function) if not name]
        _, enclosed = self._enclosed.get(id(function), (function, []))
        yield from [*own, *(value for value in enclosed if all(value is not one for one in own))]
        todo = [(function.__globals__, names_in(function.__code__))]
        for scope, names in todo:  # the list grows during the loop
            for key in [(id(scope), name) for name in names]:
                if key not in seen:
                    seen.add(key)
                    bound = self._bound(scope, key)
                    modules = [vars(value) for value in bound if isinstance(value, ModuleType)]
                    todo += [(inner, words_in(function.__code__)) for inner in modules if id(inner) in self._twins]
                    yield from bound

    def _bound(self, scope: dict[str, Any], key: tuple[int, str]) -> list[Any]:
        """Return what a name of a scope is bound to, and what else the compiler may have found there."""
        now = [scope[key[1]]] if key[1] in scope else []
        return [*now, *(value for value in self._found.get(key, ()) if all(value is not one for one in now))]


@cache
def words_in(code: CodeType) -> tuple[str, ...]:
    """Return the names and texts that stand in code; cached, because each launch of a kernel asks."""
    words = [word for part in codes_in(code) for word in (*part.co_names, *part.co_consts)]
    return (*dict.fromkeys(word for word in words if isinstance(word, str)),)
