"""Stand-ins for names of the standard library that would read attributes named by a text, or execute a text."""

import abc
import builtins
import dataclasses
import enum
import functools
import logging
import os
import pathlib
import re
import statistics
import sys
import time
import types
import typing
import warnings
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import numpy as np

from grader.slices import policy
from grader.slices.policy import words
from grader.worker.sliced.calllog import current, refuse
from grader.worker.sliced.exact import exact
from grader.worker.sliced.freezing import freeze, hide_protocols, is_own
from grader.worker.sliced.owncode import SETTINGS

_ASKED_BY_NUMPY = ("__array", "__cuda_array")
"""Starts of the names of fields by which an object, even a function, gives memory to NumPy and Numba."""
_OF_EACH_CLASS = words("""
    __module__ __qualname__ __annotations__ __annotate__ __annotate_func__ __conditional_annotations__ __classcell__
    __firstlineno__ __static_attributes__
""")
"""Names that Python itself defines in the body of a class."""


def make_abstract_class(name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
    """Replace `abc.ABCMeta`: a call of it could define names that the body of a class may not define."""
    body = dict.copy(body)  # a slice's own subclass of `dict` may show other names
    texts = (body.get(name, "") for name in ("__module__", "__qualname__"))
    is_usual = all(map(_may_be_defined, body)) and all(type(text) is str for text in texts)
    made = abc.ABCMeta(name, bases, body) if is_usual and _has_usual_fields(body) else None
    if made is None or not is_own(made):
        refuse("a class that is made of a dictionary", "define such names in a class")
    hide_protocols(made)
    return made


def _has_usual_fields(body: Mapping[str, Any]) -> bool:
    """Return whether a class annotates plain names only: Python and Numba put these names into texts that they run."""
    hints = body.get("__annotations__", {})
    return type(hints) is dict and all(type(name) is str and _is_field(name) for name in hints)


def _is_field(name: str) -> bool:
    is_private = name.startswith("_") and not name.endswith(policy.IN_SLICE)
    return name.isidentifier() and not (is_private or policy.is_strange(policy.as_written(name)))


def dataclass(kind: Any = None, /, **options: Any) -> Any:
    """Replace `dataclasses.dataclass`, which executes a text that is made of the names of fields."""
    if kind is None:
        return functools.partial(dataclass, **options)
    if not all(map(_has_usual_fields, map(vars, type.mro(kind)))):
        refuse("a dataclass with such names", "make a dataclass with other fields than names")
    return dataclasses.dataclass(kind, **options)


def _may_be_defined(name: Any) -> bool:
    if type(name) is not str:  # a slice's own subclass of `str` may lie
        return False
    is_usual = not name.startswith("_") or name in policy.DUNDER_DEFINITIONS | _OF_EACH_CLASS
    return is_usual or name.endswith(policy.IN_SLICE) or name in policy.OF_NAMED_TUPLES


def sleep(seconds: float) -> None:
    """Wait as `time.sleep` does, and record the seconds."""
    current.log.waited_s += float(seconds)
    time.sleep(seconds)


def wraps(wrapped: Any) -> Callable[[Any], Any]:
    """Replace `functools.wraps`; leave out the options that read attributes by text."""
    listed = {"assigned": functools.WRAPPER_ASSIGNMENTS, "updated": functools.WRAPPER_UPDATES}  # as the real one has
    return functools.partial(update_wrapper, wrapped=wrapped, **listed)


def update_wrapper(wrapper: Any, wrapped: Any, **_listed: Any) -> Any:
    """Replace `functools.update_wrapper`; leave out these options, copy fields to functions and own objects only."""
    kinds = type(wrapper).__mro__[:-1]  # all must be slices' classes: a library's object may use its fields
    if not (isinstance(wrapper, FunctionType) or (kinds and all(map(is_own, kinds)))):
        refuse("functools.wraps around what is no function", "copy the fields of one object to another")
    if any(name.startswith(_ASKED_BY_NUMPY) for name in getattr(wrapped, "__dict__", ())):
        refuse("functools.wraps of an object that gives arrays", "copy such fields")
    source = wrapped if isinstance(wrapped, FunctionType) else type(wrapped)
    if not (isinstance(wrapper, FunctionType) or is_own(source)):
        return functools.update_wrapper(wrapper, wrapped, updated=())  # without the fields of a library's object
    return functools.update_wrapper(wrapper, wrapped)


def singledispatch(function: Any) -> Any:
    """Replace `functools.singledispatch`, which executes annotations that are texts; here they must be names."""
    dispatcher: Any = functools.singledispatch(function)
    register = dispatcher.register

    def register_types(kind: Any, version: Any = None) -> Any:
        if version is not None or isinstance(kind, type):
            return register(kind, version)
        hint, scope = next(iter(kind.__annotations__.values()), None), kind.__globals__
        if type(hint) is str:
            first, *others = hint.split(".")
            hint = scope.get(first, scope["__builtins__"].get(first))
            for name in others:  # of a module, as in `np.ndarray`
                hint = getattr(hint, name) if isinstance(hint, types.ModuleType) and name[:1] != "_" else None
        if not issubclass(type(hint), type):
            refuse("functools.singledispatch by an annotation that is no type", "let a text be executed")
        return register(hint, kind)

    dispatcher.register = register_types
    return dispatcher


_FIELD_OF = re.compile(r"\{[^}]*[.\[]")  # a field of a format in braces that reads an attribute or an item


def configure_logging(**options: Any) -> None:
    """Replace `logging.basicConfig`; refuse handlers and formats, which could read any field of a record."""
    if "handlers" in options:
        refuse("logging.basicConfig with handlers", "handle records of its own")
    options = {name: exact(value) for name, value in options.items()}
    if _FIELD_OF.search(str(options.get("format", ""))) or type(options.get("stream")) not in {type(None), TextStream}:
        refuse("logging.basicConfig with fields of what is logged", "read attributes by a text")
    logging.basicConfig(**options)


class NullHandler:
    """`logging.NullHandler`, and the base of the other handlers: nobody reads a slice's log, so none writes it."""

    __slots__ = ()

    def __init__(self, *_args: Any, **_options: Any) -> None:
        """Take what the real ones take; no file is opened."""

    def setLevel(self, level: Any) -> None:  # noqa: N802 - as the real one is called
        """Do nothing, because nothing is written."""

    def setFormatter(self, formatter: Any) -> None:  # noqa: N802 - likewise
        """Do nothing, because nothing is written."""


StreamHandler, FileHandler, Formatter = (
    type(name, (NullHandler,), {"__slots__": ()}) for name in ("StreamHandler", "FileHandler", "Formatter")
)


def catch_warnings(*, record: bool = False, **options: Any) -> Any:
    """Replace `warnings.catch_warnings`; record nothing: each warning may tell whether one number is larger."""
    if record:
        refuse("warnings.catch_warnings with record", "read warnings")
    return warnings.catch_warnings(**options)


def print_nothing(*_args: Any, **_options: Any) -> None:
    """Replace functions that look into frames or objects in order to print them; print nothing."""


def add_handler(handler: Any) -> None:
    """Replace `Logger.addHandler`; refuse a slice's own object, which could read any field of each record."""
    if type(handler) not in {NullHandler, StreamHandler, FileHandler}:
        refuse("a handler of its own for logging", "handle records of its own")


class TextStream:
    """`sys.stdout` or `sys.stderr`, to write to."""

    __slots__ = ("_name",)
    encoding = "utf-8"

    def __init__(self, name: str) -> None:
        self._name = name

    def write(self, text: str) -> int:
        """Write where the worker's prints go; return how many characters."""
        return int(getattr(sys, self._name).write(text))

    def flush(self) -> None:
        """Write what is left."""
        getattr(sys, self._name).flush()

    def reconfigure(self, **_options: Any) -> None:
        """Do nothing: what is written is UTF-8."""

    def isatty(self) -> bool:
        """Return False: this is no terminal."""
        return False


_environment = dict(os.environ)  # what slices see of the environment; Numba reads the real one while it compiles
_arguments = ["main.py"]
SETTINGS.extend((_environment, _arguments))


def getenv(key: str, default: Any = None) -> Any:
    """Return a variable of the environment, as slices see it."""
    return _environment.get(key, default)


class SimpleNamespace(types.SimpleNamespace):
    """`types.SimpleNamespace` with usual names only: other names could tell NumPy where in memory numbers are."""

    def __init__(self, *mappings: Any, **fields: Any) -> None:
        named = {**dict(*mappings), **fields}
        if any(type(name) is not str or policy.is_strange(policy.as_written(name)) for name in named):
            refuse("types.SimpleNamespace with such names", "give an object such fields by their names")
        super().__init__(**{policy.in_slice(name): value for name, value in named.items()})


class Path(pathlib.PurePosixPath):
    """`pathlib.Path` as the name of a file, such as a log; it cannot open the file."""


class _Enumerations(enum.EnumMeta):
    """Metaclass of enumerations: only a class statement makes one, because there its members can be read."""

    def __call__(cls, *values: Any, **more: Any) -> Any:
        if len(values) != 1 or more:
            refuse("an enumeration made by a call", "make an enumeration but by a class")
        return super().__call__(*values)


Enum, IntEnum, StrEnum, Flag, IntFlag = (
    types.new_class(kind.__name__, (kind,), {"metaclass": _Enumerations})
    for kind in (enum.Enum, enum.IntEnum, enum.StrEnum, enum.Flag, enum.IntFlag)
)


class Hint(type):
    """Metaclass of stand-ins for classes, for annotations, `isinstance` and calls that are allowed."""

    _real: type
    _call: Callable[..., Any]

    def __call__(cls, *args: Any, **options: Any) -> Any:
        """Return what the function behind the class returns."""
        return cls._call(*args, **options)

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, cls._real)

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(other, cls._real)

    def __repr__(cls) -> str:
        return repr(cls._real)


@functools.cache  # one stand-in for each class, so that `is` works
def make_hint(kind: type, call: Callable[..., Any] | None = None) -> Any:
    """Return what stands for a class that a slice may not call, or for which `call` answers."""

    def answer(*_args: Any, **_options: Any) -> typing.NoReturn:
        refuse(f"a call of the type {kind.__name__}", "make an object by this type")

    body = {"_real": kind, "_call": staticmethod(call or answer), "__module__": kind.__module__}
    made = Hint(kind.__name__, (), body | {"__class_getitem__": classmethod(lambda cls, _key: cls)})
    freeze(made)
    return made


def _mean_without_weights(mean: Callable[[Any], float], data: Any, weights: Any = None) -> float:
    """Replace a `mean` of `statistics`; refuse weights, with which it is the inner loop of a matrix product."""
    if weights is not None:
        refuse(f"statistics.{mean.__name__} with weights", "weigh numbers by it")
    return mean(data)


_HINTED = (
    (builtins, words("bytes bytearray memoryview")),
    (types, words("BuiltinFunctionType FunctionType GeneratorType LambdaType MethodType ModuleType")),
    (time, words("struct_time")),
)
STAND_INS: dict[tuple[str, str], Any] = {
    ("sys", "argv"): _arguments,
    ("abc", "ABCMeta"): make_abstract_class,
    ("dataclasses", "dataclass"): dataclass,
    ("statistics", "fmean"): functools.partial(_mean_without_weights, statistics.fmean),
    ("statistics", "harmonic_mean"): functools.partial(_mean_without_weights, statistics.harmonic_mean),
    ("time", "sleep"): sleep,
    ("warnings", "catch_warnings"): catch_warnings,
    ("os", "getenv"): getenv,
    ("types", "SimpleNamespace"): SimpleNamespace,
    **{("functools", function.__name__): function for function in (wraps, update_wrapper, singledispatch)},
    ("logging", "basicConfig"): configure_logging,
    **{("logging", kind.__name__): kind for kind in (Formatter, NullHandler, StreamHandler, FileHandler)},
    **dict.fromkeys([("traceback", "print_exc"), ("pprint", "pprint")], print_nothing),
    **dict.fromkeys([("pathlib", "Path"), ("pathlib", "PurePath")], Path),
    **{("enum", kind.__name__): kind for kind in (Enum, IntEnum, StrEnum, Flag, IntFlag)},
}
"""Module and name -> what a slice gets for it."""
for (_module, _), _stand_in in STAND_INS.items():
    if callable(_stand_in):
        _stand_in.__module__ = _module
STAND_INS |= {("sys", name): TextStream(name) for name in ("stdout", "stderr")} | {("os", "environ"): _environment}
STAND_INS |= {(module.__name__, name): make_hint(vars(module)[name]) for module, names in _HINTED for name in names} | {
    ("numpy.typing", "NDArray"): make_hint(np.ndarray),  # the real one has the methods of unobserved arrays
    ("logging", "Logger"): make_hint(logging.Logger, lambda name, *_level: logging.getLogger(name)),
}
