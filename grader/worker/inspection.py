"""Inside the worker: what Numba really made of a function. Called by checks as a module of the worker."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any

import numpy as np
from numba.core import event, types
from numba.core.registry import CPUDispatcher

_DEPTH = 4


def describe_compiled(module: str, function: str, args: Sequence[Any]) -> dict[str, Any]:
    """Call `module.function(*args)` and return how it is compiled.

    Returns:
        `is_dispatcher`: whether the name itself is compiled, rather than a Python function that calls such;
        `is_function`: whether it is a Python function.
        `nopython`: names of the compiled functions with an array or list argument and machine code in nopython mode,
        the function itself, what it calls, or what it defines anew in each call. `object_mode`: those that fell back
        to Python objects.
    """
    root = getattr(importlib.import_module(module), function)
    with event.install_recorder("numba:compile") as recorder:
        root(*args)
    inner = [happened.data["dispatcher"] for _, happened in recorder.buffer if happened.is_start]
    own = [found for found in inner if getattr(found.py_func, "__module__", "") == module]
    dispatchers = list(dict.fromkeys([*_reachable(root, _DEPTH), *own]))
    return {
        "is_dispatcher": type(root) is CPUDispatcher,  # of a class made from it, the call may be another function
        "is_function": isinstance(root, FunctionType),
        "nopython": [_name(found) for found in dispatchers if any(map(_is_native, found.overloads.values()))],
        "object_mode": [_name(found) for found in dispatchers if any(map(_is_object_mode, found.overloads.values()))],
    }


def call_without_compiled(module: str, function: str, args: Sequence[Any]) -> dict[str, Any]:
    """Call `module.function` while the compiled functions among the module's names give zeros for answers.

    A Python function that lets compiled ones work cannot be right then; one that only calls them for show can.

    Returns:
        `value`: what it returned, or `raised`, the name of its exception; `replaced`: how many calls gave zeros.
    """
    loaded = importlib.import_module(module)
    target = getattr(loaded, function)
    compiled = {name: value for name, value in vars(loaded).items() if isinstance(value, CPUDispatcher)}
    calls: list[str] = []
    vars(loaded).update({name: _spoiled(value, calls) for name, value in compiled.items()})
    try:
        return {"value": target(*args), "raised": "", "replaced": len(calls)}
    except Exception as error:  # noqa: BLE001 - student code, given numbers that it never expected
        return {"value": None, "raised": type(error).__name__, "replaced": len(calls)}
    finally:
        vars(loaded).update(compiled)


def _spoiled(dispatcher: CPUDispatcher, calls: list[str]) -> Callable[..., Any]:
    """Return a function that runs `dispatcher` and puts zeros in place of what it returned or wrote."""

    def run(*args: Any, **options: Any) -> Any:
        calls.append(_name(dispatcher))
        before = [np.array(arg) for arg in args]
        result = dispatcher(*args, **options)
        for arg, old in zip(args, before, strict=True):
            if isinstance(arg, np.ndarray) and arg.flags.writeable and not np.array_equal(arg, old):
                arg[...] = 0
        return None if result is None else np.zeros_like(result)[()]

    return run


def _reachable(root: Any, depth: int) -> Iterator[CPUDispatcher]:
    """Yield the compiled functions that `root` is or names, through globals and closures."""
    if type(root) is CPUDispatcher:
        yield root
        return
    code = getattr(root, "__code__", None)
    if code is None or depth == 0:
        return
    cells = [cell.cell_contents for cell in getattr(root, "__closure__", None) or () if _is_filled(cell)]
    known = getattr(root, "__globals__", {})
    named = [known[name] for name in code.co_names if name in known]
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
