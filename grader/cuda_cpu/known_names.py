"""What of Python and NumPy kernels know by name, with the types of CUDA's target.

Functions of `math` (``math.floor`` gives a float there, not an integer), ufuncs and number types of NumPy, and methods
of numbers where CUDA's target differs from Numba's CPU target.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numba.extending import overload_method

from grader.cuda_cpu.bits import popc
from grader.cuda_cpu.numba_internals import ConcreteTemplate, cgutils, ir, npydecl, signature, types
from grader.cuda_cpu.target import lowering_registry, typing_registry

_FLOATS: Final = (types.float32, types.float64)
_WHOLE: Final = (types.int64, types.uint64)
_UNARY: Final = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "degrees", "erf", "erfc", "expm1", "gamma", "lgamma"),
    *("log1p", "radians", "sinh", "tanh", "tan", "sin", "cos", "sqrt", "log", "log2", "log10", "exp", "fabs"),
    *("ceil", "floor", "trunc", "exp2"),
)

_unary = [*(signature(types.float64, kind) for kind in _WHOLE), *(signature(kind, kind) for kind in _FLOATS)]
_binary_floats = [signature(kind, kind, kind) for kind in _FLOATS]
_binary = [*(signature(types.float64, kind, kind) for kind in _WHOLE), *_binary_floats]
_tests = [signature(types.boolean, kind) for kind in (*_WHOLE, *_FLOATS)]
_with_exponent = [signature(kind, kind, types.int32) for kind in _FLOATS]


def _declare(name: str, cases: list[Any]) -> None:
    """Make a function of `math` known to kernels."""
    function = getattr(math, name)
    template = type(f"Math_{name}", (ConcreteTemplate,), {"key": function, "cases": cases})
    typing_registry.register_global(function, types.Function(template))


for _name in _UNARY:
    if hasattr(math, _name):  # exp2 came with Python 3.11
        _declare(_name, _unary)
for _name in ("atan2", "hypot"):
    _declare(_name, _binary)
for _name in ("copysign", "fmod", "nextafter", "remainder"):
    _declare(_name, _binary_floats)
_declare("pow", [*_binary_floats, *_with_exponent])
_declare("ldexp", _with_exponent)
_declare("frexp", [signature(types.Tuple((kind, types.int32)), kind) for kind in _FLOATS])
_declare("modf", [signature(types.UniTuple(kind, 2), kind) for kind in reversed(_FLOATS)])
for _name in ("isinf", "isnan", "isfinite"):
    _declare(_name, _tests)


def _call_llvm(builder: Any, name: str, value: Any) -> Any:
    function = builder.module.declare_intrinsic(f"llvm.{name}", [value.type], ir.FunctionType(value.type, [value.type]))
    return builder.call(function, [value])


def _fmod(context: Any, builder: Any, sig: Any, values: Any) -> Any:
    return builder.frem(*values)


def _remainder(context: Any, builder: Any, sig: Any, values: Any) -> Any:
    kind = values[0].type
    name = "remainderf" if isinstance(kind, ir.FloatType) else "remainder"
    return builder.call(
        cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind, kind]), name), values
    )


def _modf(context: Any, builder: Any, sig: Any, values: Any) -> Any:
    """Split into fraction and whole part, both with the sign of the value; the fraction of infinity is zero."""
    value = values[0]
    whole = _call_llvm(builder, "trunc", value)
    infinite = builder.fcmp_ordered("==", _call_llvm(builder, "fabs", value), value.type(float("inf")))
    fraction = builder.select(infinite, value.type(0.0), builder.fsub(value, whole))
    copysign = builder.module.declare_intrinsic(
        "llvm.copysign", [value.type], ir.FunctionType(value.type, [value.type] * 2)
    )
    return context.make_tuple(builder, sig.return_type, (builder.call(copysign, [fraction, value]), whole))


for _kind in _FLOATS:
    lowering_registry.lower(math.fmod, _kind, _kind)(_fmod)
    lowering_registry.lower(math.remainder, _kind, _kind)(_remainder)
    lowering_registry.lower(math.modf, _kind)(_modf)


@lowering_registry.lower(round, types.float32, types.Integer)
def _round_single(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Round as CUDA's target does, whose powers of ten are doubles: ``round(x, n)`` of a double, then a single."""
    wide = [context.cast(builder, args[0], types.float32, types.float64), args[1]]
    double = signature(types.float64, types.float64, sig.args[1])
    result = context.get_function(round, double)(builder, wide)
    return context.cast(builder, result, types.float64, types.float32)


@overload_method(types.Integer, "bit_count", target="cuda")
def _bit_count(number: Any) -> Any:
    def count(number: Any) -> Any:
        return popc(number)

    return count


npydecl.register_number_classes(typing_registry.register_global)
for _ufunc in (
    *npydecl.trigonometric_functions,
    *npydecl.comparison_functions,
    *npydecl.bit_twiddling_functions,
    "log",
    "log2",
    "log10",
    "isnan",
    "divide",
    "true_divide",
):
    npydecl.register_numpy_ufunc(_ufunc, typing_registry.register_global)
# Numba's sums and means over arrays loop with it.
typing_registry.register_global(np.nditer)(npydecl.NdIter)
