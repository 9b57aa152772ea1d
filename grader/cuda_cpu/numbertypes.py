"""Half precision, which only kernels know.

Sums, products and quotients are those of the processor's half precision. Other functions compute in double precision
and round once, so that a result differs from a GPU's by at most one unit in the last place.
"""

import math
import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from grader.cuda_cpu.intrinsics import call_named, named_intrinsic
from grader.cuda_cpu.numba_internals import AbstractTemplate, Conversion, ir, signature, types
from grader.cuda_cpu.target import HALF, lowering_registry, typing_registry

HALF_TYPE: Final = types.float16
_DOUBLE: Final = ir.DoubleType()
_SINGLE: Final = ir.FloatType()
_CONVERTS: Final = (Conversion.exact, Conversion.promote, Conversion.safe)

typing_registry.register_global(np.float16, types.NumberClass(HALF_TYPE))


def round_to_half(builder: Any, value: Any) -> Any:
    """Emit the rounding of a double to half precision, through a single that keeps the bits for the second rounding.

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
    return builder.fneg(value)


def _absolute(builder: Any, value: Any) -> Any:
    return call_named(builder, "llvm.fabs", value)


def extremum(sign: str) -> Emitter:
    """Return max (``>``) or min (``<``); a NaN yields to a number."""

    def emit(builder: Any, a: Any, b: Any) -> Any:
        wins = builder.or_(builder.fcmp_ordered(sign, a, b), builder.fcmp_unordered("uno", b, b))
        return builder.select(wins, a, b)

    return emit


def _through_double(*functions: str) -> Emitter:
    """Return the composition of LLVM's functions of doubles; the last of `functions` is applied first."""

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
    "hmax": _make("max", 2, HALF_TYPE, extremum(">")),
    "hmin": _make("min", 2, HALF_TYPE, extremum("<")),
    "hfma": _make("fma", 3, HALF_TYPE, _multiply_add),
}


def _register_operator(function: Any, count: int, result: Any, emit: Emitter) -> None:
    """Let an operator take halves, or a half and a number that converts to half without loss, as in CUDA's target."""

    class Template(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) != count or HALF_TYPE not in args:
                return None
            if any(self.context.can_convert(arg, HALF_TYPE) not in _CONVERTS for arg in args):
                return None
            return signature(result, *[HALF_TYPE] * count)

    typing_registry.register_global(function)(Template)
    lowering_registry.lower(function, *[HALF_TYPE] * count)(lambda context, builder, sig, args: emit(builder, *args))


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
    _register_operator(getattr(math, _name), 1, HALF_TYPE, _UNARY[_name])
