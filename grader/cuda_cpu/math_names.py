"""The `math` functions that CUDA's target knows, with its types: ``math.floor`` gives a float there, not an integer."""

from __future__ import annotations

import math
from typing import Any, Final

from grader.cuda_cpu.numba_internals import ConcreteTemplate, cgutils, ir, signature, types
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
