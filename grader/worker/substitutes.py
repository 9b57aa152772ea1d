"""Replace wrong parts of a submission by the staff's versions, for one call: one mistake costs one check.

An assignment's `right.py` has them, by module and name in the submission:

    def add(A, B): ...
    class Mean: ...
    PARTS = {"sums.add": add, "sums.Mean": Mean}

No submission can import or open that file: its text comes with the call, and only if a part is wrong.
`call` replaces the submission's parts for one call, in every module that has a name for them. The staff's class becomes
a subclass of the submission's class: it has all further members, `isinstance` is true of its objects, and `super()` in
it is the submission's class. To make an object, the staff's `__init__` runs, then the submission's, whose exceptions
are ignored, so that further members find their fields, then the staff's again. If the staff's version stores a field
that is a property in the submission, it becomes a field.

`name_error` is for scenarios that test whether a call is refused.
"""

import importlib
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dis import get_instructions
from functools import cache, wraps
from types import FunctionType
from typing import Any

_STORE = "STORE_ATTR"  # the instruction of Python that stores a field


def call(right: str, names: Sequence[str], module: str, function: str, *args: Any) -> Any:
    """Return `module.function(*args)`, with versions of the text `right` in the place of the submission's `names`."""
    with _replaced(right, names):
        return getattr(importlib.import_module(module), function)(*args)


def call_on_rank(here: Any, right: str, names: Sequence[str], module: str, function: str, *args: Any) -> Any:
    """Do what `call` does, on a rank: there a scenario gets `here` first."""
    with _replaced(right, names):
        return getattr(importlib.import_module(module), function)(here, *args)


def name_error(function: Callable[..., object], *args: Any) -> str:
    """Return the name of the exception that a call raises, "ValueError" for all kinds of it; empty for none."""
    try:
        function(*args)
    except Exception as error:  # noqa: BLE001 - the submission's code may raise anything
        return "ValueError" if isinstance(error, ValueError) else type(error).__name__
    return ""


Silent = type("Silent", (), {"__init_subclass__": lambda _cls, **_options: None})
"""A base class before the submission's class, which may demand options of every class that inherits from it."""


@contextmanager
def _replaced(right: str, names: Sequence[str]) -> Iterator[None]:
    """Put the staff's versions in the place of the submission's, wherever a module has these."""
    changed: list[tuple[dict[str, Any], str, Any]] = []
    try:
        for name in names:
            home, _, own = name.partition(".")
            try:
                original = getattr(importlib.import_module(home), own)
            except ModuleNotFoundError:  # no slice that can be followed is of that file, and none uses it
                continue
            version = _fit(_parts_of(right)[name], original)
            for scope, key in _places_of(original) if callable(original) else ():
                changed.append((scope, key, original))
                scope[key] = version
        yield
    finally:
        for scope, key, original in reversed(changed):
            scope[key] = original


@cache
def _parts_of(right: str) -> dict[str, Any]:
    """Return the versions of a text, which is run once: its kernels are compiled once, too."""
    scope: dict[str, Any] = {"__name__": "right"}
    exec(compile(right, "right.py", "exec"), scope)  # noqa: S102 - the staff's
    parts: dict[str, Any] = scope["PARTS"]
    return parts


def _places_of(value: Any) -> list[tuple[dict[str, Any], str]]:
    """Return the names, and their modules, that are bound to an object, in single files of submission and staff."""
    names = [name for name in sys.modules if "." not in name and name not in sys.stdlib_module_names]
    scopes = [vars(sys.modules[name]) for name in names if not hasattr(sys.modules[name], "__path__")]
    return [(scope, key) for scope in scopes for key, bound in [*scope.items()] if bound is value]


def _fit(version: Any, original: Any) -> Any:
    """Return the staff's version of a part, made to ignore further arguments; a class also inherits from `original`."""
    if not isinstance(version, type):
        return _leave_out_further(version)
    methods = {name: method for name, method in vars(version).items() if isinstance(method, FunctionType)}
    members = {name: _leave_out_further(method) for name, method in methods.items()}
    if not isinstance(original, type):
        return type(version.__name__, (version,), members)
    stored = {step.argval for method in methods.values() for step in get_instructions(method) if step.opname == _STORE}
    fields = {name: None for name in stored if isinstance(inspect.getattr_static(original, name, None), property)}
    own = original.__init__  # type: ignore[misc]  # of this class, and no other
    staffs: Callable[..., Any] = members.get("__init__", lambda *_args, **_options: None)

    def begin(self: Any, *args: Any, **options: Any) -> None:
        staffs(self, *args, **options)  # the submission's `__init__` may call methods, which are the staff's
        with suppress(Exception):  # the submission's class is wrong
            own(self, *args, **options)
        for name in methods:
            getattr(self, "__dict__", {}).pop(name, None)  # a function stored in the object would hide the staff's
        staffs(self, *args, **options)

    return type(version.__name__, (Silent, version, original), {**fields, **members, "__init__": begin})


def _leave_out_further(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that leaves out arguments which `function` does not know: options of a student's own."""
    known = inspect.signature(function).parameters

    @wraps(function)
    def call_known(*args: Any, **options: Any) -> Any:
        return function(*args[: len(known)], **{name: value for name, value in options.items() if name in known})

    return call_known
