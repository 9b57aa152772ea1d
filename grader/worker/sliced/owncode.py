"""Digests of functions' code, which two processes can compare, and the values that a function refers to."""

import dis
import hashlib
import importlib
import os
import sys
import time
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from grader.slices import policy
from grader.worker.sliced.calllog import current

_LIBRARIES = frozenset({"numpy", "numba", "grader"}) | sys.stdlib_module_names
_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_CONTAINERS = (list, tuple, set, frozenset, dict)
_CLOCKS = (time.time, time.perf_counter, time.monotonic)
_UP_S, _WORKERS_LIVE_S = 60, 600
"""A clock's number is larger than the first (machines that grade are up longer), and not older than the second."""
SETTINGS: list[Any] = [sys.argv, os.environ]
"""Objects of the process, and what slices get in their place: no code of the hand-in."""
ORIGINALS: WeakKeyDictionary[Any, FunctionType] = WeakKeyDictionary()
"""Copy of a function, made for Numba's compiler -> the slice's own function."""

_written: dict[CodeType, CodeType] = {}


def remember_written(code: CodeType, written: CodeType) -> None:
    """Remember the code as written in the hand-in, for changed code that runs, with all functions inside it."""
    _written.update(zip(codes_in(code), codes_in(written), strict=True))


def held_by(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield a function's values, each with a name: defaults and closure (the name is empty), then globals."""
    cells = [cell.cell_contents for cell in function.__closure__ or () if is_filled(cell)]
    for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values(), *cells):
        yield "", value
    scope = function.__globals__
    yield from ((name, scope[name]) for name in names_in(function.__code__) if name in scope)


@cache
def names_in(code: CodeType) -> tuple[str, ...]:
    """Return the names of the globals that code reads; cached, because each launch of a kernel asks."""
    lines = [line for part in codes_in(code) for line in dis.get_instructions(part)]
    return (*dict.fromkeys(line.argval for line in lines if line.opname in {"LOAD_GLOBAL", "LOAD_NAME"}),)


def is_filled(cell: CellType) -> bool:
    """Return whether the variable of a closure was ever assigned."""
    try:
        cell.cell_contents  # noqa: B018 - raises if it was not
    except ValueError:
        return False
    return True


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function, and of those inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_in(constant)


def _code_words(code: CodeType) -> Iterator[str]:
    """Yield texts that are the same for the same code, and different for different code."""
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


def _unwrapped(value: Any) -> Any:
    """Return the Python function or class behind a slice's stand-in, a compiled function, a kernel, or a partial."""
    if isinstance(value, type | ModuleType):  # a façade is a module, and records each name that it lacks
        return vars(value)["_real"] if "_is_type_of_slices" in vars(value) else value
    if type(value).__module__.startswith("grader.worker.sliced"):
        value = getattr(value, "__dict__", {}).get("_plain") or getattr(value, "_real", value)
    match value:
        case partial():
            return _unwrapped(value.func)
        case staticmethod() | classmethod():
            return _unwrapped(value.__func__)
        case property():
            return _unwrapped(value.fget)
        case FunctionType():
            return ORIGINALS.get(value, value)
    if type(value).__module__ == "numba.cuda.vectorizers":
        return _function_of_ufunc(value)
    inner = None if type(value) in (*_PLAIN, *_CONTAINERS) else getattr(value, "py_func", None)
    inner = getattr(value, "__wrapped__", None) if inner is None and callable(value) else inner
    return value if inner is None else _unwrapped(inner)


def _function_of_ufunc(ufunc: Any) -> Any:
    """Return the function that a ufunc of the device applies: Numba keeps it among the names of kernels around it."""
    for *_types, kernel in (vars(ufunc).get("functions") or vars(ufunc).get("kernelmap") or {}).values():
        return _unwrapped(kernel.py_func.__globals__["__core__"])
    return ufunc


def describe(module: str, names: Sequence[str], sliced: bool) -> dict[str, str]:
    """Return name -> digest, for each of `names` that a module has; `sliced` says whether it is a slice's.

    A digest covers a function's code and defaults, the numbers, texts and containers of them that it names, and the
    same for the hand-in's functions and classes that it names. It is taken before any call, so no counter has changed.
    """
    loaded = current.slices.load(module) if sliced else importlib.import_module(module)
    return {name: _digest(_words(getattr(loaded, name), set())) for name in names if hasattr(loaded, name)}


def _digest(words: Iterator[str]) -> str:
    total = hashlib.sha256()
    for word in words:
        total.update(policy.as_written(word).encode("utf-8", "replace") + b"\0")
    return total.hexdigest()[:24]


def _words(value: Any, known: set[int]) -> Iterator[str]:
    """Yield texts that describe a value as it is written, without objects whose ids are in `known`."""
    value = _unwrapped(value)
    if any(value is setting for setting in SETTINGS):
        yield "a setting of the process"
    elif type(value) in {float, int} and _is_time(value):
        yield "what a clock told"
    elif type(value) in _PLAIN:
        yield f"{type(value).__name__} {value!r}"
    elif id(value) not in known:
        known.add(id(value))
        yield from _parts(value, known)


def _is_time(value: float) -> bool:
    """Return whether a number may be a clock's time at the import: in seconds, or in whole nanoseconds."""
    seconds = value // 10**9 if isinstance(value, int) else value
    return seconds > _UP_S and any(clock() - _WORKERS_LIVE_S < seconds <= clock() for clock in _CLOCKS)


def _parts(value: Any, known: set[int]) -> Iterator[str]:
    """Yield the texts of a container, function or class of the hand-in; none for what is a library's."""
    if type(value) in _CONTAINERS:
        yield f"{type(value).__name__} of {len(value)}"
        items = [*value.items()] if isinstance(value, dict) else [*value]
        for item in sorted(items, key=repr) if isinstance(value, set | frozenset) else items:
            yield from _words(item, known)
    elif (getattr(value, "__module__", "") or "").partition(".")[0] in _LIBRARIES:
        return
    elif isinstance(value, FunctionType):
        yield from _function_words(value, known)
    elif isinstance(value, type):
        methods = vars(value)
        for name in sorted(methods, key=policy.as_written):
            if isinstance(_unwrapped(methods[name]), FunctionType):
                yield from _words(methods[name], known)


def _function_words(function: FunctionType, known: set[int]) -> Iterator[str]:
    yield from _code_words(_written.get(function.__code__, function.__code__))
    for name, value in held_by(function):
        yield from (name, *_words(value, known))
        if isinstance(value, ModuleType):
            yield from _replaced_in(value, function)


def _replaced_in(module: ModuleType, function: FunctionType) -> Iterator[str]:
    """Yield names of a module that a function uses and that hold functions from the hand-in's own folder."""
    folder = Path(function.__code__.co_filename).parent
    attributes = {name for code in codes_in(function.__code__) for name in code.co_names}
    for name in sorted(attributes & {*vars(module)}):
        called = _unwrapped(vars(module)[name])
        if isinstance(called, FunctionType) and Path(called.__code__.co_filename).parent == folder:
            yield f"{module.__name__}.{name} of its own"
