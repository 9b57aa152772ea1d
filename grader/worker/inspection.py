"""Inside the worker: what Numba really made of a function. Called by checks as a module of the worker."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from numba.core import types
from numba.core.registry import CPUDispatcher

_DEPTH = 4


def describe_compiled(module: str, function: str) -> dict[str, Any]:
    """Return how `module.function` is compiled, after it has been called.

    Returns:
        `is_dispatcher`: whether the name itself is compiled, rather than a Python function that calls such.
        `nopython`: names of the compiled functions with an array or list argument and machine code in nopython mode,
        the function itself or what it calls. `object_mode`: those that fell back to Python objects.
    """
    root = getattr(importlib.import_module(module), function)
    dispatchers = list(dict.fromkeys(_reachable(root, _DEPTH)))
    return {
        "is_dispatcher": isinstance(root, CPUDispatcher),
        "nopython": [_name(found) for found in dispatchers if any(map(_is_native, found.overloads.values()))],
        "object_mode": [_name(found) for found in dispatchers if any(map(_is_object_mode, found.overloads.values()))],
    }


def _reachable(root: Any, depth: int) -> Iterator[CPUDispatcher]:
    """Yield the compiled functions that `root` is or names, through globals and closures."""
    if isinstance(root, CPUDispatcher):
        yield root
        return
    code = getattr(root, "__code__", None)
    if code is None or depth == 0:
        return
    cells = [cell.cell_contents for cell in root.__closure__ or () if _is_filled(cell)]
    named = [root.__globals__[name] for name in code.co_names if name in root.__globals__]
    for found in (*named, *cells):
        yield from _reachable(found, depth - 1)


def _is_filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - raises where the variable was never assigned
    except ValueError:
        return False
    return True


def _is_native(compiled: Any) -> bool:
    """Return whether one specialisation has machine code, works on arrays or lists, and needs no interpreter."""
    bulky = (types.Array, types.List, types.ListType, types.Buffer)
    has_data = any(isinstance(argument, bulky) for argument in compiled.signature.args)
    return has_data and not compiled.objectmode and compiled.entry_point is not None


def _is_object_mode(compiled: Any) -> bool:
    return bool(compiled.objectmode or compiled.lifted)


def _name(dispatcher: CPUDispatcher) -> str:
    return str(dispatcher.py_func.__name__)[:100]
