"""Hide attributes of libraries' objects from slices, whose own classes may have attributes of these names.

Students name fields `type`, `base` or `parent`. The text of a slice does not tell which object stands before the
point, and an array's `base`, a logger's `parent` or a kernel's `compile` lead to the observer of the slice. So here
the real attributes refuse code of a slice, and answer all other code.
"""

import ctypes
import gc
import inspect
import logging
import operator
import string
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np

from grader.slices import policy
from grader.slices.policy import words
from grader.worker.sliced import freezing, standard
from grader.worker.sliced.calllog import current, refuse

_OF_LIBRARIES: dict[type[Any], str] = {
    str: "encode format_map",
    int: "to_bytes from_bytes",
    logging.Logger: "parent root manager handle filters filter removeFilter",
    np.ndarray: "dump",
    np.generic: "base dump data flat",
    np.random.SeedSequence: "pool entropy state",
    **dict.fromkeys((np.random.MT19937, np.random.Philox, np.random.SFC64), "state"),
    np.void: "base",
    np.flatiter: "base",
}
_OF_CUDA = {
    "grader.cuda_cpu.dispatcher": "CudaDispatcher LaunchConfiguration",
    "grader.cuda_cpu.devicearray": "DeviceNDArray",
    "grader.cuda_cpu.hostapi": "Stream Event",
    "grader.cuda_cpu.devices": "Context Device",
    "numba.cuda.dispatcher": "CUDADispatcher _LaunchConfiguration",
    "numba.cuda.cudadrv.devicearray": "DeviceNDArray",
    "numba.cuda.cudadrv.driver": "Stream Event Context Device",
}
"""Module -> its classes of kernels, of their configurations, and of what belongs to a device: here, or on a GPU."""


_OURS = {__file__, freezing.__file__}


class Withheld:
    """An attribute of a class that all code but that of slices can use."""

    __slots__ = ("_answer", "_name", "_real")

    def __init__(self, name: str, real: Any, answer: Callable[[Any], Any] | None = None) -> None:
        """Keep `real`, what the class had; a slice gets `answer(real value)`, or is refused if there is none."""
        self._name, self._real, self._answer = name, real, answer

    def __get__(self, value: Any, kind: type[Any] | None = None) -> Any:
        if not _is_asked_by_slice():
            return self._read(value, kind)
        if self._answer is None or value is None:
            raise self._refuse()
        return self._answer(self._read(value, kind))

    def __set__(self, value: Any, new: Any) -> None:
        if _is_asked_by_slice():
            raise self._refuse()
        if hasattr(self._real, "__set__"):
            self._real.__set__(value, new)
        else:
            value.__dict__[self._name] = new

    def _read(self, value: Any, kind: type[Any] | None) -> Any:
        own = getattr(value, "__dict__", None) or {}
        if self._name in own and not hasattr(self._real, "__set__"):
            return own[self._name]
        if self._real is None:
            raise AttributeError(self._name)
        return self._real.__get__(value, kind) if hasattr(self._real, "__get__") else self._real

    def _refuse(self) -> AttributeError:
        current.log.refuse(f"the attribute {self._name} of a library's object")
        return AttributeError(f"a graded function cannot read {self._name!r} of this object")


def _is_asked_by_slice() -> bool:
    """Return whether the innermost frame, without those of this file and `freezing`, runs code of a slice."""
    frame = sys._getframe(2)  # noqa: SLF001 - the only way to know who asks
    while frame.f_code.co_filename in _OURS and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code.co_filename.startswith(current.folder or "\0")


def withhold(kind: type[Any], names: Iterable[str], answer: Callable[[Any], Any] | None = None) -> None:
    """Hide attributes of a class, and of its objects, from slices; names that it does not have stay without a value.

    Args:
        kind: A class, of Python or of C.
        names: Attributes, of the class or of its objects.
        answer: Function of the real value that returns what a slice gets; without it, a slice is refused.
    """
    for name in names:
        real = inspect.getattr_static(kind, name, None)
        if isinstance(real, Withheld):
            real = real._real  # noqa: SLF001 - of this file
        withheld = Withheld(name, real, answer)
        try:
            setattr(kind, name, withheld)
        except TypeError:  # classes of C refuse, so go by their dict; NumPy itself does not read it
            gc.get_referents(vars(kind))[0][name] = withheld
            ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


_EXTRA_AT = 8  # the place of `extra` among `makeRecord`'s arguments: fields of any name, which NumPy would ask for
_MAPPING_AT, _SUBSCRIPT_AT = 14, 1
"""Where a class's `tp_as_mapping` lies, and in that `mp_subscript`: behind so many pointers (CPython's C API)."""


def observe_items(observe: Callable[[Any], Any]) -> None:
    """Let an index into one of NumPy's numbers, such as `number[None]`, give a slice `observe(array)`.

    C would call its own function, not the class's `__getitem__`. So it gets the C function of Python's classes.
    """
    real = vars(np.generic)["__getitem__"]

    class Usual:
        def __getitem__(self, key: Any) -> Any:
            item = real(self, key)
            return observe(item) if isinstance(item, np.ndarray) and _is_asked_by_slice() else item

    gc.get_referents(vars(np.generic))[0]["__getitem__"] = Usual.__getitem__
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(np.generic))
    _subscript_of(np.generic).value = _subscript_of(Usual).value


def _subscript_of(kind: type) -> ctypes.c_void_p:
    size_bytes = ctypes.sizeof(ctypes.c_void_p)
    mapping = ctypes.c_void_p.from_address(id(kind) + _MAPPING_AT * size_bytes).value or 0
    return ctypes.c_void_p.from_address(mapping + _SUBSCRIPT_AT * size_bytes)


def withhold_from_libraries(numbers: Callable[[Any], Any]) -> None:
    """Hide what leads out of Python's and NumPy's objects; `numbers` gives a slice's stand-in for a NumPy type."""
    for kind, names in _OF_LIBRARIES.items():
        withhold(kind, words(names))
    withhold(logging.Logger, ["addHandler"], lambda _real: standard.add_handler)
    withhold(logging.Logger, ["handlers"], lambda _real: [])
    make = logging.Logger.makeRecord
    logging.Logger.makeRecord = lambda self, *args: make(self, *args[:_EXTRA_AT], None, *args[_EXTRA_AT + 1 :])  # type: ignore[call-arg, method-assign] # as it is called
    withhold(str, ["format"], _formatting)
    withhold(np.dtype, ["fields"], lambda real: real and dict(real))  # a view of a dict hands the dict to `==`
    withhold(
        np.ndarray, ["resize"], lambda real: lambda *shape, **_unchecked: real(*shape)
    )  # always checked: no view may be left
    withhold(np.ndarray, ["base"], lambda _real: None)  # as an observed array answers
    withhold(np.ndarray, ["strides"], lambda real: real)  # setting them would reach memory behind the array
    for kind in (np.dtype, type(type(np.dtype(float)))):
        withhold(kind, ["type"], numbers)


def _formatting(bound: Callable[..., str]) -> Callable[..., str]:
    """Return `str.format` for a slice: its fields read only attributes that the slice may read as `x.name`."""

    def format(*args: Any, **options: Any) -> str:  # noqa: A001 - as the method is called
        for name in _attributes_in(bound.__self__):  # type: ignore[attr-defined] # it is a method
            is_known = not name.startswith("_") or name in {"__class__", *policy.DUNDER_ATTRIBUTES}
            if not is_known or name in policy.FORBIDDEN_ATTRIBUTES | policy.WITHHELD_ATTRIBUTES:
                refuse(f"the attribute {name} by a text", f"read {name!r} by a text", AttributeError)
        return bound(*args, **options)

    return format


def _attributes_in(text: str) -> Iterator[str]:
    """Yield the attributes that the fields of a text read, those inside specifications included."""
    for _, field, inner, _ in string.Formatter().parse(text):
        yield from (part.partition("[")[0] for part in (field or "").split(".")[1:])
        yield from _attributes_in(inner) if inner else ()


def withhold_from_cuda() -> None:
    """Hide attributes that lead out of kernels and of the device."""
    for module, names in _OF_CUDA.items():
        for name in words(names):
            if kind := getattr(sys.modules.get(module), name, None):
                withhold(kind, policy.WITHHELD_ATTRIBUTES)


@cache
def keep_within_arrays() -> None:
    """Let code that Numba compiles for the CPU reach entries of arrays only, not the memory behind, with the observers.

    `BOUNDSCHECK` makes Numba check bounds, whatever the options of a function say, but neither those of `flat`, which
    gets a check here, nor those of views by `as_strided`, which compiled code therefore does not get.
    """
    from grader.cuda_cpu.numba_internals import LoweringRegistry, config, cpu_target, load_arrays, types  # noqa: PLC0415 - Numba only where a slice imports it

    config.BOUNDSCHECK = 1
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
    cpu_target.typing_context._remove_global(np.lib.stride_tricks.as_strided)  # noqa: SLF001  # no accessor
    checked, flat = LoweringRegistry("within arrays"), (types.NumpyFlatType, types.Integer)
    checked.lower(operator.getitem, *flat)(_check_flat(load_arrays().iternext_numpy_getitem))
    checked.lower(operator.setitem, *flat, types.Any)(_check_flat(load_arrays().iternext_numpy_getitem_any))
    cpu_target.target_context.install_registry(checked)


def _check_flat(unchecked: Callable[..., Any]) -> Callable[..., Any]:
    from grader.cuda_cpu.numba_internals import cgutils, load_arrays, types  # noqa: PLC0415 - likewise

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind, given = signature.args[:2]
        flat = load_arrays().make_array_flat_cls(kind)(context, builder, value=args[0])
        entries = context.make_array(kind.array_type)(context, builder, value=flat.array).nitems
        cgutils.do_boundscheck(context, builder, context.cast(builder, args[1], given, types.intp), entries)
        return unchecked(context, builder, signature, args)

    return lower
