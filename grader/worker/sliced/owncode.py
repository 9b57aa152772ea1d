"""What a function is written to do, in a form that two processes can compare: its code, and the constants it names."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Iterator, Sequence
from functools import partial
from types import CodeType, FunctionType
from typing import Any

_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_CONTAINERS = (list, tuple, set, frozenset, dict)
_LIBRARIES = ("numpy", "numba", "grader", "builtins")


def describe(module: str, names: Sequence[str], sliced: bool) -> dict[str, str]:
    """Return name -> digest, for each function and class that a module has.

    It is of the code and defaults of the function, of numbers, texts and containers of them that it names, and the same
    of the functions and classes of the hand-in that it names. Asked before anything was called, it knows no counters.

    Args:
        module: Name of the module.
        names: Names in there.
        sliced: Whether the module is a slice's, in a worker of slices.
    """
    if sliced:
        from grader.worker.sliced.worker import the_slices  # noqa: PLC0415 - only in a worker of slices

        loaded = the_slices().load(module)
    else:
        loaded = importlib.import_module(module)
    return {name: _digest(_words(getattr(loaded, name), set())) for name in names if hasattr(loaded, name)}


def _digest(words: Iterator[str]) -> str:
    total = hashlib.sha256()
    for word in words:
        total.update(word.encode("utf-8", "replace") + b"\0")
    return total.hexdigest()[:24]


def _words(value: Any, known: set[int]) -> Iterator[str]:
    """Yield texts that say what a value is written to be; what is in `known` was said already."""
    value = _unwrapped(value)
    if type(value) in _PLAIN:
        yield f"{type(value).__name__} {value!r}"
    elif id(value) not in known:
        known.add(id(value))
        yield from _parts(value, known)


def _parts(value: Any, known: set[int]) -> Iterator[str]:
    """Yield the texts of a container, function or class of the hand-in; none for what is a library's."""
    if type(value) in _CONTAINERS:
        yield f"{type(value).__name__} of {len(value)}"
        items = [*value.items()] if isinstance(value, dict) else [*value]
        for item in sorted(items, key=repr) if isinstance(value, set | frozenset) else items:
            yield from _words(item, known)
    elif (getattr(value, "__module__", "") or "").startswith(_LIBRARIES):
        return
    elif isinstance(value, FunctionType):
        yield from _function_words(value, known)
    elif isinstance(value, type):
        methods = vars(value.__base__ if type(value).__name__ == "JitClassType" else value)
        for name in sorted(methods):
            if isinstance(_unwrapped(methods[name]), FunctionType):
                yield from _words(methods[name], known)


def _function_words(function: FunctionType, known: set[int]) -> Iterator[str]:
    yield from _code_words(function.__code__)
    cells = [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]
    for held in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values(), *cells):
        yield from _words(held, known)
    for name in dict.fromkeys(_names(function.__code__)):
        if name in function.__globals__:
            yield from (name, *_words(function.__globals__[name], known))


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _unwrapped(value: Any) -> Any:
    """Return the Python function or class behind what stands for it: in a slice, compiled, a kernel, a partial."""
    if isinstance(value, type):
        return vars(value)["_real"] if "_is_type_of_slices" in vars(value) else value
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
    inner = None if type(value) in (*_PLAIN, *_CONTAINERS) else getattr(value, "py_func", None)
    inner = getattr(value, "__wrapped__", None) if inner is None and callable(value) else inner
    return value if inner is None else _unwrapped(inner)


def _code_words(code: CodeType) -> Iterator[str]:
    yield code.co_name
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_flags))
    yield repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_firstlineno))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_words(constant)
        else:
            shown = sorted(map(repr, constant)) if isinstance(constant, frozenset) else repr(constant)
            yield f"{type(constant).__name__} {shown}"
