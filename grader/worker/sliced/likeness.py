"""What a function is, in a form that two processes can compare: its code, and everything that it holds and names."""

from __future__ import annotations

import ast
import collections
import dis
import hashlib
import importlib
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from grader.slices.state import find_state
from grader.worker.sliced.exact import NUMBERS, exact, items_of, length_of
from grader.worker.sliced.standard import TextStream

_DEPTH = 8
_MOST_ITEMS = 200
_MOST_BITS, _MOST_LETTERS = 64, 200
"""Longer numbers and texts may hold what was learnt."""
_State = Sequence[Sequence[str]]
"""The names of counters, and of logs."""
_NO_STATE: _State = ((), ())
_CONTAINERS = (list, tuple, set, dict, collections.deque, collections.Counter, collections.defaultdict)
_NUMBERS_AND_TEXTS = NUMBERS | {str, type(None)}
_HIDDEN = frozenset({"__module__", "__dict__", "__weakref__"})


def describe(
    module: str, functions: Sequence[str], sliced: bool = False, state: _State = _NO_STATE
) -> dict[str, dict[str, str]]:
    """Return, for each function that a module has, part -> digest of everything that it is made of.

    The parts are the functions and classes that it reaches, by name; two descriptions that are equal are of the same
    code with the same constants. Counters and logs, whose names `state` has, are left out.
    """
    if sliced:
        from grader.worker.sliced.worker import load  # noqa: PLC0415 - only in a worker of slices

        loaded = load(module)
    else:
        loaded = importlib.import_module(module)
    folder = str(Path(str(loaded.__file__)).parent)
    found = {name: getattr(loaded, name) for name in functions if hasattr(loaded, name)}
    return {name: _Description(folder, state).of(function) for name, function in found.items()}


def describe_all(functions: Mapping[str, Any], file: Path) -> dict[str, dict[str, str]]:
    """Return the descriptions of functions of a file; its counters and logs are left out."""
    found = find_state(ast.parse(file.read_bytes()).body)
    state = found.counters, found.logs
    return {name: _Description(str(file.parent), state).of(function) for name, function in functions.items()}


def replaced_parts(module: ModuleType) -> Iterator[str]:
    """Yield the names of functions and methods at the top of a module that are not what its file defines any more."""
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    for name, code in _code_objects(compile(source, str(module.__file__), "exec"), ""):
        found: Any = module
        for part in name.split("."):
            found = getattr(found, part, None)
        is_same = getattr(getattr(found, "__code__", None), "co_code", None) == code.co_code
        if not (is_same or isinstance(found, type) or code.co_name.startswith("<")):
            yield name


def _code_objects(code: CodeType, prefix: str) -> Iterator[tuple[str, CodeType]]:
    """Yield the dotted name and the code of every function and class at the top of a module, and of methods."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield f"{prefix}{part.co_name}", part
            if not prefix and part.co_name[0].isupper():
                yield from _code_objects(part, f"{part.co_name}.")


class _Description:
    def __init__(self, folder: str, state: _State) -> None:
        self._folder = folder
        self._counters, self._logs = map(frozenset, state)
        self._parts: dict[str, str] = {}
        self._seen: set[int] = set()

    def of(self, root: Any) -> dict[str, str]:
        """Return part -> digest."""
        self._parts["itself"] = _digest(self._words(root, _DEPTH))
        return dict(sorted(self._parts.items()))

    def _words(self, value: Any, depth: int) -> Iterator[str]:
        """Yield texts that say what a value is; functions that it reaches become parts of their own."""
        value = _bare(value)
        if value is None or isinstance(value, bool | int | float | complex | str | bytes):
            yield f"{type(value).__name__} {exact(value)!r}"[:2000]
        elif depth == 0 or id(value) in self._seen:
            yield _name(value)
        elif isinstance(value, FunctionType):
            is_own = value.__code__.co_filename.startswith(self._folder)
            yield from self._function(value, depth) if is_own else self._foreign(value, depth)
        elif isinstance(value, CodeType):
            yield from _code(value)
        elif (inner := _compiled(value)) is not None:
            yield f"compiled {_option_text(value)}"
            yield from self._function(inner, depth)
        else:
            yield from self._object(value, depth)

    def _foreign(self, function: FunctionType, depth: int) -> Iterator[str]:
        """Yield texts for a library's function, which may hold some of the hand-in."""
        self._seen.add(id(function))
        yield f"a function {function.__name__}"
        is_ours = (function.__module__ or "").startswith("grader.")
        for cell in () if is_ours else function.__closure__ or ():
            held = _cell(cell)
            if isinstance(held, FunctionType | dict | list | tuple):
                words = [*self._words(held, depth - 1)]
                holds_own = any(word.startswith("function ") for word in words)  # numba's decorators hold numba's own
                yield from words if holds_own or not isinstance(held, FunctionType) else ()

    def _function(self, function: FunctionType, depth: int) -> Iterator[str]:
        self._seen.add(id(function))
        name = function.__qualname__
        held: list[Any] = [function.__defaults__, sorted((function.__kwdefaults__ or {}).items())]
        cells = zip(function.__code__.co_freevars, map(_cell, function.__closure__ or ()), strict=True)
        held += [value for name, value in cells if not (self._is_state(name, value) or self._is_log(name, value))]
        names = [name for name in dict.fromkeys(_names(function.__code__)) if name in function.__globals__]
        words = [*_code(function.__code__)]
        for value in held:
            words += self._words(value, depth - 1)
        for global_name in names:
            value = function.__globals__[global_name]
            is_left_out = self._is_state(global_name, value) or self._is_log(global_name, value)
            words += [global_name, *(() if is_left_out else self._words(value, depth - 1))]
            if isinstance(value, ModuleType):
                words += self._replaced(value, function.__code__)
        self._parts[name] = _digest(words)
        yield f"function {name}"

    def _replaced(self, module: ModuleType, code: CodeType) -> Iterator[str]:
        """Yield what of a library's functions, among those that a function names, is the hand-in's own."""
        for name in dict.fromkeys(_names(code, "LOAD_ATTR", "LOAD_METHOD")):
            found = vars(module).get(name)
            if isinstance(found, FunctionType) and found.__code__.co_filename.startswith(self._folder):
                yield f"{name} is replaced"

    def _is_state(self, name: str, value: Any) -> bool:
        """Whether a value is a number or a short text that functions bind anew: no data that they learnt by heart."""
        if isinstance(value, int):
            is_short = int.bit_length(value) <= _MOST_BITS
        else:
            is_short = isinstance(value, float | None) or (isinstance(value, str) and length_of(value) <= _MOST_LETTERS)
        return name in self._counters and is_short

    def _is_log(self, name: str, value: Any) -> bool:
        """Whether a value is a list or a dictionary of numbers and texts that functions do not use."""
        return name in self._logs and type(value) in _CONTAINERS and _is_plain(value, _DEPTH)

    def _object(self, value: Any, depth: int) -> Iterator[str]:
        self._seen.add(id(value))
        match value:
            case partial():
                items: Iterable[Any] = (value.func, value.args, sorted(value.keywords.items()))
            case MethodType():
                items = (value.__func__, value.__self__)
            case list() | tuple():
                items = items_of(value)[:_MOST_ITEMS]
            case dict():
                items = [part for pair in list(dict.items(value))[:_MOST_ITEMS] for part in pair]
            case type() if not _is_library(value.__module__):
                items = self._class_parts(value)
            case _:
                items = self._fields(value)
        yield _name(value)
        for item in items:
            yield from self._words(item, depth - 1)

    def _class_parts(self, kind: type) -> list[Any]:
        """Return the methods and constants of a class of the hand-in."""
        is_compiled = type(kind).__name__ == "JitClassType"  # Numba's class, which has no methods of its own
        return [
            part
            for name, part in vars(kind.__base__ if is_compiled else kind).items()
            if name not in _HIDDEN
            if callable(part) or (isinstance(part, int | float | str) and not self._is_state(name, part))
        ]

    def _fields(self, value: Any) -> list[Any]:
        """Return the attributes of objects of the hand-in; others are known by their class."""
        is_own = not isinstance(value, ModuleType) and not _is_library(type(value).__module__)
        fields = getattr(value, "__dict__", {}) if is_own else {}
        names = [name for name in sorted(fields) if not self._is_state(name, fields[name])]
        return [part for name in names for part in (name, fields[name])]


def _is_plain(value: Any, depth: int) -> bool:
    """Whether a value is a number, a text, or a container of Python's own of such values."""
    if type(value) not in _CONTAINERS or depth == 0:
        return type(value) in _NUMBERS_AND_TEXTS
    items = [*value, *value.values()] if isinstance(value, dict) else value
    return all(_is_plain(item, depth - 1) for item in items)


def _bare(value: Any) -> Any:
    """Return the real thing behind what stands for it in a slice."""
    real = getattr(value, "_real", None) if type(value).__module__.startswith("grader.worker.sliced") else None
    if isinstance(value, type) and "_is_type_of_slices" in vars(value):
        return vars(value)["_real"]
    return value if real is None or isinstance(value, ModuleType) else real


def _name(value: Any) -> str:
    if isinstance(value, ModuleType):
        return f"module {value.__name__.replace('numba.core.', 'numba.')}"  # `numba.types` has both names
    if isinstance(value, io.TextIOBase | TextStream):
        return "a text stream"
    named = value if isinstance(value, type | BuiltinFunctionType | FunctionType) else type(value)
    name = getattr(named, "__qualname__", getattr(named, "__name__", ""))
    return f"a {'array' if name in {'ndarray', 'array'} else name}"


def _is_library(module: str) -> bool:
    return module.partition(".")[0] in {
        *("builtins", "numpy", "numba", "functools", "itertools", "collections", "grader", "typing", "enum", "abc"),
        *("dataclasses", "logging", "types", "operator", "random", "_random", "threading", "queue", "_thread", "_io"),
    }


def _compiled(value: Any) -> FunctionType | None:
    """Return the Python function behind a compiled function or a kernel; None for all else."""
    if "ispatcher" not in type(value).__name__:
        return None
    inner = getattr(value, "py_func", None)
    return inner if isinstance(inner, FunctionType) else None


def _option_text(dispatcher: Any) -> str:
    options = {
        name: setting
        for name, setting in dict(getattr(dispatcher, "targetoptions", {})).items()
        if isinstance(setting, bool | int | str) and name != "cache"
    }
    return f"{type(dispatcher).__name__} {sorted(options.items())}"


def _cell(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _code(code: CodeType) -> Iterator[str]:
    yield code.co_name
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_flags))
    yield repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_firstlineno))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code(constant)
        else:
            shown = sorted(map(repr, constant)) if isinstance(constant, frozenset) else repr(constant)
            yield f"{type(constant).__name__} {shown}"


def _names(code: CodeType, *operations: str) -> Iterator[str]:
    """Yield the names of the module that a function and those inside it load, or that they treat by `operations`."""
    wanted = operations or ("LOAD_GLOBAL", "LOAD_NAME")
    yield from (step.argval for step in dis.get_instructions(code) if step.opname in wanted)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant, *operations)


def _digest(words: Iterable[str]) -> str:
    total = hashlib.sha256()
    for word in words:
        total.update(word.encode("utf-8", "replace") + b"\0")
    return total.hexdigest()[:24]
