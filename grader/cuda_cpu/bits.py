"""Single instructions that CUDA exposes by name: bit counting, fused multiply-add, cube root, selection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from grader.cuda_cpu.intrinsics import cuda_intrinsic, named_intrinsic
from grader.cuda_cpu.numba_internals import Conversion, cgutils, ir, signature, types

NAMES: Final = ("popc", "clz", "ffs", "brev", "fma", "cbrt", "selp", "nanosleep")
_FALSE: Final = ir.IntType(1)(0)
_SELECTABLE: Final = (
    types.float64,
    types.float32,
    *(types.Integer.from_bitwidth(bits, signed) for bits in (16, 32, 64) for signed in (True, False)),
)


def _integer(kind: Any) -> Any:
    kind = types.unliteral(kind)
    return kind if isinstance(kind, types.Integer) else None


def _llvm_unary(builder: Any, name: str, value: Any, *flags: Any) -> Any:
    kind = ir.FunctionType(value.type, [value.type, *(flag.type for flag in flags)])
    function = cgutils.get_or_insert_function(builder.module, kind, f"{name}.{value.type.intrinsic_name}")
    return builder.call(function, [value, *flags])


def _float_type(typingctx: Any, *kinds: Any) -> Any:
    """Return the float type in which CUDA's target computes: the narrow one where nothing is lost."""
    conversions = [typingctx.can_convert(types.unliteral(kind), types.float32) for kind in kinds]
    return types.float32 if all(c is not None and c <= Conversion.safe for c in conversions) else types.float64


def _make_bit_function(name: str, doc: str, emit: Callable[..., Any]) -> Any:
    """Return a function of an integer whose result has the same type."""

    @named_intrinsic(name, doc)
    def resolve(typingctx: Any, x: Any) -> Any:
        kind = _integer(x)
        return None if kind is None else (signature(kind, kind), emit)

    return resolve


popc = _make_bit_function(
    "popc",
    "Return the number of bits that are set.",
    lambda context, builder, value: _llvm_unary(builder, "llvm.ctpop", value),
)
clz = _make_bit_function(
    "clz",
    "Return the number of leading zero bits.",
    lambda context, builder, value: _llvm_unary(builder, "llvm.ctlz", value, _FALSE),
)


@cuda_intrinsic
def ffs(typingctx: Any, x: Any) -> Any:
    """Return the position of the lowest bit that is set, counted from 1; 0 when there is none."""
    kind = _integer(x)
    if kind is None:
        return None

    def emit(context: Any, builder: Any, value: Any) -> Any:
        position = builder.add(_llvm_unary(builder, "llvm.cttz", value, _FALSE), value.type(1))
        found = builder.select(builder.icmp_unsigned("==", value, value.type(0)), value.type(0), position)
        return context.cast(builder, found, types.Integer.from_bitwidth(kind.bitwidth, signed=False), types.uint32)

    return signature(types.uint32, kind), emit


@cuda_intrinsic
def brev(typingctx: Any, x: Any) -> Any:
    """Return the bits in reverse order, of 32 or 64 bits."""
    kind = _integer(x)
    if kind is None:
        return None
    # As CUDA's target resolves it: a signed 64-bit number is cut to 32 bits.
    wide = types.uint64 if kind == types.uint64 else types.uint32
    return signature(wide, wide), lambda context, builder, value: _llvm_unary(builder, "llvm.bitreverse", value)


@cuda_intrinsic
def fma(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
    """Return ``a * b + c``, rounded once."""
    kind = _float_type(typingctx, a, b, c)
    return signature(kind, kind, kind, kind), lambda context, builder, *values: builder.fma(*values)


@cuda_intrinsic
def cbrt(typingctx: Any, x: Any) -> Any:
    """Return the cube root."""
    kind = _float_type(typingctx, x)

    def emit(context: Any, builder: Any, value: Any) -> Any:
        name = "cbrtf" if kind == types.float32 else "cbrt"
        function_type = ir.FunctionType(value.type, [value.type])
        return builder.call(cgutils.get_or_insert_function(builder.module, function_type, name), [value])

    return signature(kind, kind), emit


@cuda_intrinsic
def selp(typingctx: Any, test: Any, a: Any, b: Any) -> Any:
    """Return ``a`` where ``test`` holds, else ``b``; both have been computed."""
    kind, condition = types.unliteral(a), types.unliteral(test)
    if kind != types.unliteral(b) or kind not in _SELECTABLE:
        return None

    def emit(context: Any, builder: Any, holds: Any, first: Any, second: Any) -> Any:
        return builder.select(context.is_true(builder, condition, holds), first, second)

    return signature(kind, condition, kind, kind), emit


@cuda_intrinsic
def nanosleep(typingctx: Any, ns: Any) -> Any:
    """Go on at once: a pause of one thread would stop the others, which run on the same core."""
    return signature(types.void, types.uint32), lambda context, builder, ns: None
