"""What a function is written to do, in a form that two processes can compare: its code, and the constants it names."""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from grader.worker.sliced.functions import CONTAINERS, PLAIN, code_words, codes_in, held_by, unwrapped

_LIBRARIES = frozenset({"numpy", "numba", "grader"}) | sys.stdlib_module_names


def describe(module: str, names: Sequence[str], sliced: bool) -> dict[str, str]:
    """Return name -> digest, for each function and class that a module has; `sliced` says whether it is a slice's.

    It is of the code and defaults of the function, of numbers, texts and containers of them that it names, and the same
    of the functions and classes of the hand-in that it names. Asked before anything was called, it knows no counters.
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
    value = unwrapped(value)
    if type(value) in PLAIN:
        yield f"{type(value).__name__} {value!r}"
    elif id(value) not in known:
        known.add(id(value))
        yield from _parts(value, known)


def _parts(value: Any, known: set[int]) -> Iterator[str]:
    """Yield the texts of a container, function or class of the hand-in; none for what is a library's."""
    if type(value) in CONTAINERS:
        yield f"{type(value).__name__} of {len(value)}"
        items = [*value.items()] if isinstance(value, dict) else [*value]
        for item in sorted(items, key=repr) if isinstance(value, set | frozenset) else items:
            yield from _words(item, known)
    elif (getattr(value, "__module__", "") or "").partition(".")[0] in _LIBRARIES:
        return
    elif isinstance(value, FunctionType):
        yield from _function_words(value, known)
    elif isinstance(value, type):
        methods = vars(value.__base__ if type(value).__name__ == "JitClassType" else value)
        for name in sorted(methods):
            if isinstance(unwrapped(methods[name]), FunctionType):
                yield from _words(methods[name], known)


def _function_words(function: FunctionType, known: set[int]) -> Iterator[str]:
    yield from code_words(function.__code__)
    for name, value in held_by(function):
        yield from (name, *_words(value, known))
        if isinstance(value, ModuleType):
            yield from _replaced_in(value, function)


def _replaced_in(module: ModuleType, function: FunctionType) -> Iterator[str]:
    """Yield what a function of the hand-in calls by a name of a library, and the hand-in's folder wrote itself."""
    folder = Path(function.__code__.co_filename).parent
    attributes = {name for code in codes_in(function.__code__) for name in code.co_names}
    for name in sorted(attributes & {*vars(module)}):
        called = unwrapped(vars(module)[name])
        if isinstance(called, FunctionType) and Path(called.__code__.co_filename).parent == folder:
            yield f"{module.__name__}.{name} of its own"
