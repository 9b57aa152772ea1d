"""Numba's types as a slice has them: of numbers and arrays, signatures made of them, and classes that it compiles.

A signature that is a text Numba executes, with all that Python has. A compiled class is made of twins of its methods,
and seen from Python as compiled functions are.
An object of such a class may hold arrays. What is said of numbers that its methods get is said of the object, and so
of what comes out of it; arrays that Python reads out of it are copies, because nobody could see what is written there.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator
from types import FunctionType
from typing import Any, NoReturn

import numpy as np
from numba import types

from grader.slices import policy
from grader.slices.policy import module_names
from grader.worker.sliced import containers, operations
from grader.worker.sliced.calllog import COMPILED, DATA, NOTHING, Label, current, has_mixed
from grader.worker.sliced.exact import exact_arguments, leaves
from grader.worker.sliced.labels import Unwrapped, device_labels, label_of, unwrap

Compiler = Any
"""`compiled.Compiler`, which makes twins of functions; that module imports this one."""
_BUILTIN = frozenset({int, float, bool, complex})
_SIGNATURES = frozenset({"signature_or_function", "func_or_sig", "signature", "sig"})
_TYPES = {"List", *(module_names("numba.types") or ())} & {*vars(types)}
_LAYOUT = re.compile(r"[\w\s(),]*->[\w\s(),]*")
_PARTS = (ast.Expression, ast.Tuple, ast.Call, ast.Subscript, ast.Slice, ast.Constant, ast.keyword, ast.Load)


def expect_signatures(args: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Refuse what a compiler is given as a signature and is a text of another form.

    Raises:
        TypeError: as Numba does for signatures that are none.
    """
    for text in leaves([*args, *(value for name, value in options.items() if name in _SIGNATURES)]):
        if isinstance(text, str) and not is_signature(text):
            current.log.refuse(f"the signature {text[:60]!r}")
            raise TypeError(f"a graded function cannot compile for the signature {text!r}")


def is_signature(text: str) -> bool:
    """Return whether a text is made of Numba's types, or says how the shapes of arrays belong together."""
    if "->" in text:
        return bool(_LAYOUT.fullmatch(text))
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(map(_is_part, ast.walk(tree)))


def _is_part(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id in _TYPES or isinstance(vars(types).get(node.id), types.Type)
    return isinstance(node, _PARTS)


class NumbaType(Unwrapped):
    """A type of Numba's; one of numbers that is called with arrays would make arrays that nobody observes."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __call__(self, *args: Any) -> Any:
        """Convert a number, or the numbers of an array; a type of arrays gives a signature."""
        args, _ = exact_arguments(args, {})
        result = self._real(*unwrap(args))
        return operations.labelled(result, label_of(args))

    def __getitem__(self, key: Any) -> Any:
        return NumbaType(self._real[key])

    def __eq__(self, other: object) -> bool:
        return bool(self._real == unwrap(other))

    def __hash__(self) -> int:
        return hash(self._real)

    def __repr__(self) -> str:
        return repr(self._real)


def functions_of(kind: type) -> list[FunctionType]:
    """Return the functions of a class of a slice and of its bases, those of properties too."""
    inner = [
        function
        for part in _parts(kind).values()
        for function in ((part.fget, part.fset) if isinstance(part, property) else (getattr(part, "__func__", part),))
    ]
    return [function for function in inner if isinstance(function, FunctionType)]


def _parts(kind: type) -> dict[str, Any]:
    return {name: part for base in reversed(kind.__mro__[:-1]) for name, part in vars(base).items()}


def make_class(real: Any, kind: type, spec: Any, owner: Compiler) -> CompiledClass:
    """Return what a slice gets for a class that it lets Numba compile by `real`, which is `jitclass`.

    Raises:
        TypeError: a field's name or type is none that can be read; Numba would execute it as a text.
    """
    fields = {policy.in_slice(name) if type(name) is str else name: kind for name, kind in dict(spec or {}).items()}
    body: dict[str, Any] = {name: _twin(part, owner) for name, part in _parts(kind).items()}
    hints = body.pop("__annotations__", {})
    for name in (kind.__name__, *fields, *hints, *body):
        if type(name) is not str or not name.isidentifier() or keyword.iskeyword(name):
            _refuse(f"the field {name!r} of a compiled class")
    for name, hint in hints.items():
        if name not in fields and not (isinstance(hint, Unwrapped) or hint in _BUILTIN):
            _refuse(f"the annotation of {name} in a compiled class")
    for name in ("__dict__", "__weakref__"):
        body.pop(name, None)
    body["__annotations__"] = {name: unwrap(hint) for name, hint in hints.items() if name not in fields}
    made = real(type(kind.__name__, (), body), {name: unwrap(type_) for name, type_ in fields.items()})
    return CompiledClass(made, kind, owner)


def _twin(part: Any, owner: Compiler) -> Any:
    match part:
        case FunctionType():
            return owner.twin(part)
        case property():
            accessors = (part.fget, part.fset, part.fdel)
            return property(*(owner.twin(accessor) if accessor else None for accessor in accessors))
        case staticmethod():
            return staticmethod(owner.twin(part.__func__))
        case _:
            return part


def _refuse(what: str) -> NoReturn:
    current.log.refuse(what)
    raise TypeError(f"a graded function cannot compile {what}: give `jitclass` a list of names and Numba's types")


class CompiledClass(Unwrapped):
    """A class that Numba compiled, as Python code of the slice calls it."""

    def __init__(self, real: Any, kind: type, owner: Compiler) -> None:
        self._real, self._owner, self._functions_of_slice = real, owner, functions_of(kind)
        self.__name__ = self.__qualname__ = kind.__name__
        self.__doc__ = kind.__doc__
        containers.makers[id(real.class_type)] = lambda box: CompiledObject(box, self)

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Return a new object."""
        return self._run_compiled("__init__", self._real, args, options)

    def __instancecheck__(self, value: Any) -> bool:
        return isinstance(value, CompiledObject) and value._compiled_class is self

    def __getattr__(self, name: str) -> Any:
        if name in self._real.class_type.jit_static_methods:
            return lambda *args, **options: self._run_compiled(name, getattr(self._real, name), args, options)
        raise AttributeError(name)

    def _run_compiled(self, name: str, call: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        made = [*dispatchers(self._real.class_type)]
        current.log.dispatchers.update((id(dispatcher), dispatcher) for dispatcher in made)
        method = self._owner.wrap(made[0], f"{self.__name__}.{name}", self._functions_of_slice[0])
        return method._call_machine_code(call, args, options)

    @property
    def _holds_data(self) -> bool:
        """Whether objects have fields that are no single numbers."""
        return not all(isinstance(kind, types.Number | types.Boolean) for kind in self._real.class_type.struct.values())


class CompiledObject(Unwrapped):
    """An object of such a class, as Python code of the slice sees it."""

    def __init__(self, real: Any, kind: CompiledClass) -> None:
        vars(self).update(_real=real, _compiled_class=kind)

    def __getattr__(self, name: str) -> Any:
        kind = self._compiled_class
        if name in kind._real.class_type.jit_methods:
            return lambda *args: kind._run_compiled(
                name, lambda box, *rest: getattr(box, name)(*rest), (self, *args), {}
            )
        if not _has_field(kind, name):
            return getattr(kind, name)
        value = getattr(self._real, name)
        label = label_of(self) | {f"{COMPILED}{kind.__name__}"}
        current.log.leaks += has_mixed[label]
        if isinstance(value, np.ndarray):
            value = value.copy()
            value.flags.writeable = False
        return containers.label(value, label)

    def __setattr__(self, name: str, value: Any) -> None:
        if not _has_field(self._compiled_class, name):
            raise AttributeError(name)
        containers.remember(self, label_of(self) | containers.label_of_given(value))
        self._compiled_class._run_compiled(name, lambda box, new: setattr(box, name, new), (self, value), {})


def _has_field(kind: CompiledClass, name: str) -> bool:
    return name in kind._real.class_type.struct or name in kind._real.class_type.jit_props


def dispatchers(class_type: Any) -> Iterator[Any]:
    """Yield what Numba made of the methods of a class, by its type or that of its objects."""
    yield from class_type.jit_methods.values()
    yield from class_type.jit_static_methods.values()
    for part in class_type.jit_props.values():
        yield from part.values()


def _label_of_object(value: Any) -> Label | None:
    """Return the label of an object whose numbers nobody has seen in this call; None for all other values."""
    if not isinstance(value, CompiledObject):
        return None
    return frozenset({DATA}) if value._compiled_class._holds_data else NOTHING


device_labels.append(_label_of_object)
