"""Single instructions that CUDA exposes by name: bit counting, fused multiply-add, cube root, selection."""

from __future__ import annotations

from typing import Any, Final

from numba.extending import intrinsic

from grader.cuda_cpu.numba_internals import Conversion, cgutils, ir, signature, types

NAMES: Final = ("popc", "clz", "ffs", "brev", "fma", "cbrt", "selp", "nanosleep")
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


@intrinsic(target="cuda")
def popc(typingctx: Any, x: Any) -> Any:
    """Return the number of bits that are set."""
    kind = _integer(x)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _llvm_unary(builder, "llvm.ctpop", args[0])

    return None if kind is None else (signature(kind, kind), codegen)


@intrinsic(target="cuda")
def clz(typingctx: Any, x: Any) -> Any:
    """Return the number of leading zero bits."""
    kind = _integer(x)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _llvm_unary(builder, "llvm.ctlz", args[0], ir.IntType(1)(0))

    return None if kind is None else (signature(kind, kind), codegen)


@intrinsic(target="cuda")
def ffs(typingctx: Any, x: Any) -> Any:
    """Return the position of the lowest bit that is set, counted from 1; 0 when there is none."""
    kind = _integer(x)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        value = args[0]
        position = builder.add(_llvm_unary(builder, "llvm.cttz", value, ir.IntType(1)(0)), value.type(1))
        found = builder.select(builder.icmp_unsigned("==", value, value.type(0)), value.type(0), position)
        return context.cast(builder, found, types.Integer.from_bitwidth(kind.bitwidth, signed=False), types.uint32)

    return None if kind is None else (signature(types.uint32, kind), codegen)


@intrinsic(target="cuda")
def brev(typingctx: Any, x: Any) -> Any:
    """Return the bits in reverse order, of 32 or 64 bits."""
    kind = _integer(x)
    if kind is None:
        return None
    # As CUDA's target resolves it: a signed 64-bit number is cut to 32 bits.
    wide = types.uint64 if kind == types.uint64 else types.uint32

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _llvm_unary(builder, "llvm.bitreverse", args[0])

    return signature(wide, wide), codegen


@intrinsic(target="cuda")
def fma(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
    """Return ``a * b + c``, rounded once."""
    kind = _float_type(typingctx, a, b, c)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.fma(*args)

    return signature(kind, kind, kind, kind), codegen


@intrinsic(target="cuda")
def cbrt(typingctx: Any, x: Any) -> Any:
    """Return the cube root."""
    kind = _float_type(typingctx, x)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        llvm_type = args[0].type
        name = "cbrtf" if kind == types.float32 else "cbrt"
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(llvm_type, [llvm_type]), name)
        return builder.call(function, args)

    return signature(kind, kind), codegen


@intrinsic(target="cuda")
def selp(typingctx: Any, test: Any, a: Any, b: Any) -> Any:
    """Return ``a`` where ``test`` holds, else ``b``; both have been computed."""
    kind = types.unliteral(a)
    if kind != types.unliteral(b) or kind not in _SELECTABLE:
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.select(context.is_true(builder, sig.args[0], args[0]), args[1], args[2])

    return signature(kind, types.unliteral(test), kind, kind), codegen


@intrinsic(target="cuda")
def nanosleep(typingctx: Any, ns: Any) -> Any:
    """Go on at once: a pause of one thread would stop the others, which run on the same core."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return context.get_dummy_value()

    return signature(types.void, types.uint32), codegen
