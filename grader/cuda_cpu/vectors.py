"""CUDA's small vectors: ``cuda.float32x4`` and its sisters, with C's names (``float4``, ``uint2``) beside them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba.extending import models, register_model

from grader.cuda_cpu.numba_internals import AbstractTemplate, AttributeTemplate, cgutils, signature, types
from grader.cuda_cpu.target import lowering_registry, typing_registry

_AXES: Final = "xyzw"
_BASES: Final = tuple(
    f"{kind}{bits}"
    for kind, widths in (("int", (8, 16, 32, 64)), ("uint", (8, 16, 32, 64)), ("float", (32, 64)))
    for bits in widths
)
_C_NAMES: Final = {
    "char": np.byte,
    "short": np.short,
    "int": np.intc,
    "long": np.int_,
    "longlong": np.longlong,
    "uchar": np.ubyte,
    "ushort": np.ushort,
    "uint": np.uintc,
    "ulong": np.uint,
    "ulonglong": np.ulonglong,
    "float": np.single,
    "double": np.double,
}


class VectorType(types.Type):
    """The type of a vector.

    Attributes:
        base_type: the type of an element.
        attr_names: the elements' names.
        user_facing_object: what kernels call to make one.
    """

    def __init__(self, name: str, base_type: Any, count: int, constructor: Constructor) -> None:
        self.base_type = base_type
        self.attr_names = tuple(_AXES[:count])
        self.num_elements = count
        self.user_facing_object = constructor
        super().__init__(name=name)


class Constructor:
    """What ``cuda.float32x4`` is in Python: a name that only means something inside a kernel."""

    def __init__(self, name: str, aliases: tuple[str, ...]) -> None:
        self.__name__ = name
        self.aliases = aliases

    def __repr__(self) -> str:
        return f"<cuda.{self.__name__}, known inside kernels only>"


@register_model(VectorType)
class _VectorModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [(name, kind.base_type) for name in kind.attr_names])


@typing_registry.register_attr
class _VectorAttributes(AttributeTemplate):
    key = VectorType

    def generic_resolve(self, typ: Any, attr: str) -> Any:
        return typ.base_type if attr in typ.attr_names else None


@lowering_registry.lower_getattr_generic(VectorType)
def _lower_attribute(context: Any, builder: Any, kind: Any, value: Any, attr: str) -> Any:
    return builder.extract_value(value, kind.attr_names.index(attr))


def _accept(context: Any, vector: VectorType, args: Any) -> Any:
    """Return the signature of a vector made from numbers and vectors of the same element type, or None."""
    parts, count = [], 0
    for arg in args:
        if isinstance(arg, VectorType) and arg.base_type == vector.base_type:
            parts.append(arg)
            count += arg.num_elements
        elif isinstance(arg, (types.Number, types.Boolean)) and context.can_convert(arg, vector.base_type) is not None:
            parts.append(vector.base_type)
            count += 1
        else:
            return None
    return signature(vector, *parts) if count == vector.num_elements else None


def _make_vector(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    elements = []
    for kind, value in zip(sig.args, args, strict=True):
        if isinstance(kind, VectorType):
            elements += [builder.extract_value(value, position) for position in range(kind.num_elements)]
        else:
            elements.append(value)
    vector = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    for name, element in zip(sig.return_type.attr_names, elements, strict=True):
        setattr(vector, name, element)
    return vector._getvalue()  # noqa: SLF001  # numba's own protocol


def _register(base: str, count: int) -> VectorType:
    name = f"{base}x{count}"
    c_names = [c_name for c_name, scalar in _C_NAMES.items() if str(np.dtype(scalar)) == base]
    constructor = Constructor(name, tuple(f"{c_name}{count}" for c_name in c_names))
    vector = VectorType(name, getattr(types, base), count, constructor)

    class Template(AbstractTemplate):
        key = constructor

        def generic(self, args: Any, kws: Any) -> Any:
            return _accept(self.context, vector, args)

    typing_registry.register_global(constructor, types.Function(Template))
    lowering_registry.lower(constructor, types.VarArg(types.Any))(_make_vector)
    return vector


VECTOR_TYPES: Final = {f"{base}x{count}": _register(base, count) for base in _BASES for count in range(1, 5)}
NAMES: Final[dict[str, Constructor]] = {
    name: vector.user_facing_object
    for vector in VECTOR_TYPES.values()
    for name in (vector.name, *vector.user_facing_object.aliases)
}
