"""Freeze what a slice is given: a slice can set attributes only of what it defines itself.

The observer and the slice live in one process, and a class is the same object for both. A slice that could write
`collections.Counter.most_common = …` or `cuda.In.value = property(…)` would change what the observer sees. So classes
become as immutable as Python's built-in ones before a slice gets them, and objects of the grader refuse attributes that
a line of a slice sets. A slice's own classes, their objects and its own functions stay as they are in Python.
"""

import ctypes
import sys
from abc import ABC
from collections.abc import Callable, Iterator
from functools import wraps
from types import FrameType, FunctionType
from typing import Any, Generic

from grader.slices import policy
from grader.worker.sliced.calllog import current
from grader.worker.sliced.owncode import ORIGINALS

_IMMUTABLE = 1 << 8
"""`Py_TPFLAGS_IMMUTABLETYPE` of CPython 3.10 and newer: attributes of the class can be neither set nor deleted."""
_FLAGS_AT_BYTES = 21 * ctypes.sizeof(ctypes.c_void_p)
"""Where `tp_flags` lies in a class: behind 21 fields of a pointer's size (`PyTypeObject` in CPython's C API)."""

_MADE_ONCE = ("grader.", "numba")  # packages of the classes whose finished objects refuse a second call of `__init__`
_MARK = "_lets_be_made_once"

_frozen: list[type] = []
_guarded: list[tuple[type, str, Any]] = []


def freeze(kind: type, spared: frozenset[type] = frozenset()) -> None:
    """Make a class and its bases immutable, as built-in classes are; subclasses that a slice defines are not.

    Raises:
        RuntimeError: this Python keeps the flags of classes elsewhere.
    """
    for each in type.mro(kind):
        if not (each.__flags__ & _IMMUTABLE or each in spared or is_own(each)):
            _let_be_made_once(each)
            _flags_of(each).value |= _IMMUTABLE
            _frozen.append(each)


def freeze_all(package: str, spared: frozenset[type]) -> None:
    """Freeze all classes that a package has defined by now, except `spared`: those change, and no slice gets them."""
    for kind in _subclasses(object):
        if str(vars(kind).get("__module__", "")).startswith(package) and kind not in spared:
            freeze(kind, spared)


def _let_be_made_once(kind: type) -> None:
    """Let finished objects of a class refuse a call of `__init__`, unless code of their own classes makes the call."""
    original = vars(kind).get("__init__")
    if not isinstance(original, FunctionType) or hasattr(original, _MARK):
        return
    if not str(kind.__module__).startswith(_MADE_ONCE):
        return

    @wraps(original)
    def init(self: Any, *args: Any, **options: Any) -> None:
        if getattr(self, "__dict__", None) and not _is_of_its_class(self, sys._getframe(1)):  # noqa: SLF001 - who asks
            current.log.refuse(f"{kind.__name__}.__init__ of an object that is there")
            raise TypeError("a graded function cannot make this object anew")
        original(self, *args, **options)

    setattr(init, _MARK, True)
    type.__setattr__(kind, "__init__", init)  # also where the class's own type takes no attributes
    _guarded.append((kind, "__init__", original))


def _is_of_its_class(value: Any, frame: FrameType) -> bool:
    """Return whether a frame runs code of a file that defines the class of an object, or one of its bases."""
    modules = (sys.modules.get(str(kind.__module__)) for kind in type(value).__mro__[:-1])
    return any(frame.f_code.co_filename == getattr(module, "__file__", None) for module in modules)


def hide_memory(kind: type) -> None:
    """Take the buffer away from a class of arrays: Python's texts and integers would read it unobserved."""
    buffers = ctypes.c_void_p.from_address(id(kind) + _FLAGS_AT_BYTES - ctypes.sizeof(ctypes.c_void_p))
    ctypes.c_void_p.from_address(buffers.value or 0).value = None


def is_own(made: type | FunctionType) -> bool:
    """Return whether a slice defines a class or a function."""
    file = getattr(sys.modules.get(made.__module__), "__file__", None) or ""
    return file.startswith(current.folder or "\0")


def of_own(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `getattr` or `setattr` for a slice: for fields of its own classes, and of their objects.

    Of other objects, the slice may read by `getattr` only what it may also read as `x.name`.
    """

    def call(target: Any, name: str, *more: Any) -> Any:
        kinds = type.mro(target if isinstance(target, type) else type(target))
        allowed = target is None or (is_own(kinds[0]) and all(is_own(kind) or _is_plain(kind) for kind in kinds))
        is_usual = type(name) is str and name.isidentifier() and not policy.is_strange(policy.as_written(name))
        is_readable = function is getattr and name[:1] != "_" and name not in policy.WITHHELD_ATTRIBUTES
        if not (is_usual and (allowed or is_readable)):
            current.log.refuse(f"{function.__name__} of {type(target).__name__}")
            raise AttributeError(f"a graded function can use {function.__name__} for fields of its own objects only")
        return function(target, policy.in_slice(name), *more)

    call.__name__ = function.__name__  # not by `wraps`, which would hand out the real function
    return call


def set_label(text: Any, *parts: Any) -> None:
    """Replace `target.__name__ = text` in a slice, and assignments to the other names in `policy.LABELS`.

    `parts` are targets, each with its name: an assignment may have several.
    """
    for target, name in zip(parts[::2], parts[1::2], strict=True):
        file = target.__globals__.get("__file__") if isinstance(target, FunctionType) else None
        kind = target if isinstance(target, type) else type(target)
        is_ours = str(file).startswith(current.folder or "\0") or is_own(kind)
        if not is_ours or type(text) not in {str, type(None)}:
            current.log.refuse(f"{getattr(target, '__name__', type(target).__name__)}.{name} =")
            raise AttributeError(f"a graded function can set {name!r} of its own functions and classes only")
        setattr(target, name, text)


def hide_protocols(kind: type) -> None:
    """Never pass private names of libraries to `__getattr__` of a slice's class: libraries ask for memory by them."""
    original = vars(kind).get("__getattr__", hide_protocols)
    if original is hide_protocols:
        return
    if not isinstance(original, FunctionType):
        current.log.refuse("__getattr__ that is no function")
        raise TypeError("a graded function cannot let another object answer for the names of its own")

    def answer(self: Any, name: str) -> Any:
        if name.startswith("_") and policy.as_written(name) == name:
            raise AttributeError(name)
        return original(self, policy.as_written(name))

    ORIGINALS[answer] = original
    type.__setattr__(kind, "__getattr__", answer)


def _is_plain(kind: type) -> bool:
    """Return whether a class is one of Python's whose attributes lead to nothing outside a slice."""
    is_container = kind.__module__ == "collections.abc" or kind in {object, ABC, Generic, list, tuple, dict}
    return is_container or (kind.__module__ == "builtins" and issubclass(kind, BaseException))


def has_field(target: Any, name: str) -> bool:
    """Replace `hasattr`; the name must be an exact `str`, because a slice's own subclass of it may lie."""
    return type(name) is str and hasattr(target, policy.in_slice(name))


def guard(kind: type, allowed: frozenset[str] = frozenset(), *, takes_marks: bool = False) -> None:
    """Let a slice neither set nor delete attributes of a class's objects, except the names in `allowed`.

    Objects of a slice's own subclass of `kind` take all attributes. With `takes_marks`, objects that stand for
    functions of the slice, such as kernels, take *marks*: fields whose names neither the object nor its classes have.
    """
    frozen, marks = kind.__flags__ & _IMMUTABLE, set[str]() if takes_marks else None
    _flags_of(kind).value &= ~_IMMUTABLE
    _let_be_made_once(kind)
    for action in ("__setattr__", "__delattr__"):
        own = vars(kind).get(action)
        setattr(kind, action, _refusing(kind, getattr(kind, action), allowed, marks))
        _guarded.append((kind, action, own))
    _flags_of(kind).value |= frozen


def _refusing(kind: type, original: Any, allowed: frozenset[str], marks: set[str] | None) -> Any:
    def is_mark(self: Any, name: str) -> bool:
        if marks is not None and not any(name in vars(place) for place in (self, *type(self).__mro__)):
            marks.add(name)
        return name in (marks or ())

    def store(self: Any, name: str, *value: Any) -> None:
        caller = sys._getframe(1).f_code.co_filename  # noqa: SLF001 - the only way to ask whose line this is
        is_foreign = caller.startswith(current.folder or "\0") and not is_own(type(self))
        if is_foreign and not (name in allowed or is_mark(self, name)):
            current.log.refuse(f"{kind.__name__}.{name} =")
            raise AttributeError(f"a graded function cannot set {name!r} of this object")
        original(self, name, *value)

    return store


def release() -> None:
    """Undo all that this module changed in classes, for tests that open slices in their own process."""
    for kind in _frozen:
        _flags_of(kind).value &= ~_IMMUTABLE
    for kind, action, own in reversed(_guarded):
        if own is None:
            delattr(kind, action)
        else:
            type.__setattr__(kind, action, own)
    _frozen.clear()
    _guarded.clear()


def _flags_of(kind: type) -> ctypes.c_ulong:
    flags = ctypes.c_ulong.from_address(id(kind) + _FLAGS_AT_BYTES)
    if flags.value != kind.__flags__:
        raise RuntimeError(
            f"this Python keeps the flags of classes elsewhere: {flags.value:#x} is not {kind.__flags__:#x}"
        )
    return flags


def _subclasses(root: type) -> Iterator[type]:
    """Yield all classes below `root`, each once."""
    known: set[type] = {root}
    todo = [root]
    while todo:
        below: list[type] = type.__subclasses__(todo.pop())
        fresh = [kind for kind in below if kind not in known]
        known.update(fresh)
        todo += fresh
        yield from fresh
