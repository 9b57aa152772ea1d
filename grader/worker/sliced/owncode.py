"""The own code of a function or class, in a form that two processes can compare."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Iterator, Sequence
from functools import partial
from types import CodeType, FunctionType
from typing import Any


def describe(module: str, names: Sequence[str], sliced: bool) -> dict[str, str]:
    """Return name -> digest of its own code, for each function and class that a module has.

    What a function calls and reads is not part of it: where slices run, that is what their text says.

    Args:
        module: Name of the module.
        names: Names in there.
        sliced: Whether the module is a slice's, in a worker of slices.
    """
    if sliced:
        from grader.worker.sliced.worker import load  # noqa: PLC0415 - only in a worker of slices

        loaded = load(module)
    else:
        loaded = importlib.import_module(module)
    return {name: _digest(getattr(loaded, name)) for name in names if hasattr(loaded, name)}


def _digest(value: Any) -> str:
    total = hashlib.sha256()
    for word in _own_code(value):
        total.update(word.encode("utf-8", "replace") + b"\0")
    return total.hexdigest()[:24]


def _own_code(value: Any) -> Iterator[str]:
    """Yield texts that say what a function or class is written to do."""
    if isinstance(value, type):
        real = vars(value).get("_real", value) if "_is_type_of_slices" in vars(value) else value
        methods = vars(real.__base__ if type(real).__name__ == "JitClassType" else real)
        for name in sorted(methods):
            if isinstance(inner := _unwrapped(methods[name]), FunctionType):
                yield name
                yield from _words_of(inner.__code__)
    elif isinstance(inner := _unwrapped(value), FunctionType):
        yield from _words_of(inner.__code__)
    else:
        yield type(inner).__name__


def _unwrapped(value: Any) -> Any:
    """Return the Python function behind what stands for it: in a slice, compiled, a kernel, a method, a partial."""
    if type(value).__module__.startswith("grader.worker.sliced"):
        value = getattr(value, "_real", value)
    match value:
        case partial():
            return _unwrapped(value.func)
        case staticmethod() | classmethod():
            return _unwrapped(value.__func__)
        case property():
            return _unwrapped(value.fget)
        case FunctionType():
            return value
        case _:
            inner = getattr(value, "py_func", getattr(value, "__wrapped__", None))
            return value if inner is None else _unwrapped(inner)


def _words_of(code: CodeType) -> Iterator[str]:
    yield code.co_name
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_flags))
    yield repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_firstlineno))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _words_of(constant)
        else:
            shown = sorted(map(repr, constant)) if isinstance(constant, frozenset) else repr(constant)
            yield f"{type(constant).__name__} {shown}"
