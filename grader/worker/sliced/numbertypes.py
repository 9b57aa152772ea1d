"""Types in slices: what stands for NumPy's types of numbers, and what `type(value)` gives."""

from __future__ import annotations

from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from grader.worker.sliced import labels, operations
from grader.worker.sliced.calllog import current
from grader.worker.sliced.exact import NUMBERS, exact_arguments
from grader.worker.sliced.freezing import freeze, is_own
from grader.worker.sliced.labels import unwrap


class _TypeOfNumbers(type):
    """The class of what stands for NumPy's types of numbers: they make numbers, and arrays that keep their labels."""

    _real: Any

    def __call__(cls, *args: Any, **options: Any) -> Any:
        if len(args) == 1 and type(args[0]) in NUMBERS and not options and cls._real is not np.ndarray:
            return cls._real(args[0])  # nearly always: one number, perhaps of each entry
        args, options = exact_arguments(args, options)
        result = cls._real(*unwrap(args), **unwrap(options))
        label = labels.label_of((*args, *options.values()))
        if cls._real is np.ndarray:
            named = dict(zip(("shape", "dtype", "buffer"), args, strict=False)) | options
            if named.get("buffer") is None and result.dtype.kind in "biufc":
                result.fill(0)  # as `numpy.empty` does here: what memory held before is nobody's
            label = operations.label_as(unwrap(named.get("dtype", float)), named.get("buffer"), label)
        if isinstance(result, np.flexible):  # a text, or bytes, of all the numbers of an array
            labels.leak_all((*args, *options.values()))
        return operations.labelled(result, label)

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, cls._real)

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(unwrap(other), cls._real)

    def __eq__(cls, other: object) -> bool:
        return bool(cls._real == unwrap(other))

    def __hash__(cls) -> int:
        return hash(cls._real)

    def __repr__(cls) -> str:
        return repr(cls._real)


def make_type(name: str, real: Any) -> Any:
    """Return what stands for `real`, one of NumPy's types, under its name."""
    widest = {np.float64, np.str_, np.bytes_, np.complex128, np.int64}
    is_abstract = real is np.ndarray or (real.__subclasses__() and real not in widest)
    extra = {} if is_abstract else {"dtype": np.dtype(real)}
    body = {
        "_real": real,
        "_is_type_of_slices": True,
        "__module__": "numpy",
        "__class_getitem__": classmethod(lambda _cls, key: real[unwrap(key)]),
        **extra,
    }
    return _TypeOfNumbers(name, (), body)


def numbers_of(numpy: ModuleType, kind: type) -> Any:
    """Return what stands for one of NumPy's types of numbers in a slice; any other type is itself."""
    return getattr(numpy, kind.__name__) if issubclass(kind, np.generic) else kind


def type_of(numpy: ModuleType, value: Any) -> Any:
    """Return what `type(value)` gives in a slice: the names that the slice itself would use."""
    kind = type(value)
    if isinstance(value, type | FunctionType | MethodType | ModuleType):
        current.log.refuse("the type of a function, module or type")
        raise TypeError("a slice cannot take the type of this object")
    if isinstance(value, labels.Labelled):
        return numpy.ndarray
    if kind.__module__.startswith("grader"):
        current.log.refuse(f"the type of {getattr(value, '__name__', 'an object of ours')}")
        raise TypeError("a slice cannot take the type of this object")
    if not is_own(kind):
        freeze(kind)
    return numbers_of(numpy, kind)
