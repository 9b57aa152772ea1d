"""Numbers that only kernels know: half precision, and CUDA's small vectors.

Sums, products and quotients of halves are those of the processor's half precision. Other functions compute in double
precision and round once, so that a result differs from a GPU's by at most one unit in the last place. Vectors are
``cuda.float32x4`` and its sisters, with C's names (``float4``, ``uint2``) beside them.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numba.extending import models, register_model

from grader.cuda_cpu.intrinsics import call_named, named_intrinsic
from grader.cuda_cpu.numba_internals import (
    AbstractTemplate,
    AttributeTemplate,
    Conversion,
    cgutils,
    ir,
    signature,
    types,
)
from grader.cuda_cpu.target import HALF, lowering_registry, typing_registry

HALF_TYPE: Final = types.float16
_DOUBLE: Final = ir.DoubleType()
_SINGLE: Final = ir.FloatType()
_CONVERTS: Final = (Conversion.exact, Conversion.promote, Conversion.safe)
_SIGN_BIT: Final = 0x8000

typing_registry.register_global(np.float16, types.NumberClass(HALF_TYPE))


def round_to_half(builder: Any, value: Any) -> Any:
    """Emit the rounding of a double to half precision, through a single that keeps what the second rounding needs.

    The single is rounded to odd (S. Boldo and G. Melquiond, "Emulation of a FMA and correctly rounded sums"), because
    two roundings to nearest are not one.
    """
    word = ir.IntType(32)
    single = builder.fptrunc(value, _SINGLE)
    back = builder.fpext(single, _DOUBLE)
    inexact = builder.fcmp_ordered("!=", back, value)
    magnitudes = [call_named(builder, "llvm.fabs", number) for number in (back, value)]
    too_large = builder.fcmp_ordered(">", *magnitudes)
    bits = builder.sub(builder.bitcast(single, word), builder.zext(too_large, word))
    odd = builder.bitcast(builder.or_(bits, word(1)), _SINGLE)
    return builder.fptrunc(builder.select(inexact, odd, single), HALF)


@lowering_registry.lower_cast(types.float64, HALF_TYPE)
def _double_to_half(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    return round_to_half(builder, value)


Emitter = Callable[..., Any]
_ARITHMETIC: Final[dict[str, Emitter]] = {
    "add": lambda builder, a, b: builder.fadd(a, b),
    "sub": lambda builder, a, b: builder.fsub(a, b),
    "mul": lambda builder, a, b: builder.fmul(a, b),
    "div": lambda builder, a, b: builder.fdiv(a, b),
}
_COMPARISONS: Final = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def _compare(sign: str) -> Emitter:
    compare = "fcmp_unordered" if sign == "!=" else "fcmp_ordered"
    return lambda builder, a, b: getattr(builder, compare)(sign, a, b)


def _negate(builder: Any, value: Any) -> Any:
    bits = ir.IntType(16)
    return builder.bitcast(builder.xor(builder.bitcast(value, bits), bits(_SIGN_BIT)), HALF)


def _absolute(builder: Any, value: Any) -> Any:
    bits = ir.IntType(16)
    return builder.bitcast(builder.and_(builder.bitcast(value, bits), bits(_SIGN_BIT - 1)), HALF)


def _extremum(sign: str) -> Emitter:
    """Return max (``>``) or min (``<``); a NaN yields to a number."""

    def emit(builder: Any, a: Any, b: Any) -> Any:
        wins = builder.or_(builder.fcmp_ordered(sign, a, b), builder.fcmp_unordered("uno", b, b))
        return builder.select(wins, a, b)

    return emit


def _through_double(*functions: str) -> Emitter:
    """Return the composition of LLVM's functions of doubles, the last one first."""

    def emit(builder: Any, value: Any) -> Any:
        result = builder.fpext(value, _DOUBLE)
        for name in reversed(functions):
            result = builder.fdiv(_DOUBLE(1.0), result) if name == "1/" else call_named(builder, name, result)
        return round_to_half(builder, result)

    return emit


def _power_of_ten(builder: Any, value: Any) -> Any:
    return round_to_half(builder, call_named(builder, "llvm.pow", _DOUBLE(10.0), builder.fpext(value, _DOUBLE)))


def _multiply_add(builder: Any, a: Any, b: Any, c: Any) -> Any:
    wide = [builder.fpext(value, _DOUBLE) for value in (a, b, c)]
    return round_to_half(builder, builder.fadd(builder.fmul(wide[0], wide[1]), wide[2]))


_UNARY: Final[dict[str, Emitter]] = {
    "neg": _negate,
    "abs": _absolute,
    "exp10": _power_of_ten,
    "rcp": _through_double("1/"),
    "rsqrt": _through_double("1/", "llvm.sqrt"),
    "tanh": _through_double("tanh"),
    **{
        name: _through_double(f"llvm.{name}")
        for name in ("sin", "cos", "log", "log2", "log10", "exp", "exp2", "sqrt", "ceil", "floor", "trunc", "rint")
    },
}


def _make(name: str, count: int, result: Any, emit: Emitter) -> Any:
    """Return the intrinsic ``h<name>`` of ``count`` arguments."""

    def resolve(*kinds: Any) -> Any:
        if not all(isinstance(types.unliteral(kind), (types.Number, types.Boolean)) for kind in kinds):
            return None
        return signature(result, *[HALF_TYPE] * count), lambda context, builder, *values: emit(builder, *values)

    by_count: dict[int, Callable[..., Any]] = {
        1: lambda typingctx, a: resolve(a),
        2: lambda typingctx, a, b: resolve(a, b),
        3: lambda typingctx, a, b, c: resolve(a, b, c),
    }
    return named_intrinsic(f"h{name}", f"``fp16.h{name}``: in half precision.")(by_count[count])


FUNCTIONS: Final[dict[str, Any]] = {
    **{f"h{name}": _make(name, 2, HALF_TYPE, emit) for name, emit in _ARITHMETIC.items()},
    **{f"h{name}": _make(name, 2, types.boolean, _compare(sign)) for name, sign in _COMPARISONS.items()},
    **{f"h{name}": _make(name, 1, HALF_TYPE, emit) for name, emit in _UNARY.items()},
    "hmax": _make("max", 2, HALF_TYPE, _extremum(">")),
    "hmin": _make("min", 2, HALF_TYPE, _extremum("<")),
    "hfma": _make("fma", 3, HALF_TYPE, _multiply_add),
}


def _register_operator(function: Any, count: int, result: Any, emit: Emitter) -> None:
    """Let an operator work on halves, and on a half beside what converts to one without loss, as CUDA's target does."""

    class Template(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) != count or HALF_TYPE not in args:
                return None
            if any(self.context.can_convert(arg, HALF_TYPE) not in _CONVERTS for arg in args):
                return None
            return signature(result, *[HALF_TYPE] * count)

    typing_registry.register_global(function)(Template)
    lower = lowering_registry.lower(function, *[HALF_TYPE] * count)
    lower(lambda context, builder, sig, args: emit(builder, *args))


for _name, _emit in _ARITHMETIC.items():
    _operator = "truediv" if _name == "div" else _name
    for _function in (getattr(operator, _operator), getattr(operator, f"i{_operator}")):
        _register_operator(_function, 2, HALF_TYPE, _emit)
for _name, _sign in _COMPARISONS.items():
    _register_operator(getattr(operator, _name), 2, types.boolean, _compare(_sign))
_register_operator(operator.neg, 1, HALF_TYPE, _negate)
_register_operator(abs, 1, HALF_TYPE, _absolute)
_register_operator(math.fabs, 1, HALF_TYPE, _absolute)
for _name in ("sin", "cos", "tanh", "log", "log2", "log10", "exp", "exp2", "sqrt", "ceil", "floor", "trunc"):
    if hasattr(math, _name):
        _register_operator(getattr(math, _name), 1, HALF_TYPE, _UNARY[_name])


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


def _make_vector_type(base: str, count: int) -> VectorType:
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


VECTOR_TYPES: Final = {f"{base}x{count}": _make_vector_type(base, count) for base in _BASES for count in range(1, 5)}
VECTORS: Final[dict[str, Constructor]] = {
    name: vector.user_facing_object
    for vector in VECTOR_TYPES.values()
    for name in (vector.name, *vector.user_facing_object.aliases)
}
