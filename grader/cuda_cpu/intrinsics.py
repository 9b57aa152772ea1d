"""What CUDA exposes by name and needs no other thread: positions, bit counting, fused multiply-add, selection."""

import functools
from collections.abc import Callable
from typing import Any, Final

from numba.extending import intrinsic, models, register_model

from grader.cuda_cpu.numba_internals import (
    AttributeTemplate,
    Conversion,
    NumbaValueError,
    RequireLiteralValue,
    cgutils,
    ir,
    signature,
    types,
)
from grader.cuda_cpu.records import I32, I64, linear_number, load_field, load_fields
from grader.cuda_cpu.target import lowering_registry, typing_registry

Resolve = Callable[..., Any]


def cuda_intrinsic(resolve: Resolve) -> Any:
    """Turn a function that types calls into an intrinsic.

    Args:
        resolve: called with the typing context and the Numba types of a call's arguments. It returns the signature and
            a function `emit`, or None if it does not accept these types. `emit` is called with Numba's target context,
            the LLVM builder and the LLVM values of the arguments; it emits the call's code and returns the LLVM value
            of the result, None for no result. Numba calls `emit` for all calls with these argument types, after
            converting the arguments to the types of the signature.
    """

    @functools.wraps(resolve)
    def definition(*kinds: Any, **named_kinds: Any) -> Any:
        resolved = resolve(*kinds, **named_kinds)
        if resolved is None:
            return None
        signature, emit = resolved

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            value = emit(context, builder, *args)
            return context.get_dummy_value() if value is None else value

        return signature, codegen

    return intrinsic(target="cuda")(definition)


def named_intrinsic(name: str, doc: str) -> Callable[[Resolve], Any]:
    """Return `cuda_intrinsic` for a function that gets this name and docstring, when a loop makes several."""

    def make(resolve: Resolve) -> Any:
        resolve.__name__ = resolve.__qualname__ = name
        resolve.__doc__ = doc
        return cuda_intrinsic(resolve)

    return make


class TripleType(types.Dummy):
    """The type of ``threadIdx``, ``blockIdx``, ``blockDim``, ``gridDim``; `field` is the name in the thread record."""

    def __init__(self, field: str) -> None:
        self.field = field
        super().__init__(name=f"dim3({field})")


register_model(TripleType)(models.OpaqueModel)


class Register:
    """The Python object ``cuda.threadIdx`` (or ``blockIdx`` etc.); it has a meaning only inside a kernel."""

    def __init__(self, name: str, field: str) -> None:
        self._name = name
        self._numba_type_ = TripleType(field)

    def __repr__(self) -> str:
        return f"<cuda.{self._name}, known inside kernels only>"


threadIdx: Final = Register("threadIdx", "tid")  # noqa: N816  # CUDA's name
blockIdx: Final = Register("blockIdx", "ctaid")  # noqa: N816  # CUDA's name
blockDim: Final = Register("blockDim", "ntid")  # noqa: N816  # CUDA's name
gridDim: Final = Register("gridDim", "nctaid")  # noqa: N816  # CUDA's name


@typing_registry.register_attr
class _TripleAttributes(AttributeTemplate):
    key = TripleType

    def generic_resolve(self, typ: Any, attr: str) -> Any:
        return types.int32 if attr in ("x", "y", "z") else None


@lowering_registry.lower_getattr_generic(TripleType)
def _lower_triple(context: Any, builder: Any, typ: Any, val: Any, attr: str) -> Any:
    return load_field(builder, f"{typ.field}_{attr}")


def thread_number(builder: Any) -> Any:
    """Emit the thread's number within its block, counted along x, then y, then z, as an ``i32``."""
    return linear_number(builder, load_fields(builder, "tid"), load_fields(builder, "ntid"))


def lane_number(builder: Any) -> Any:
    """Emit the thread's lane in its warp, as an ``i32``."""
    return builder.and_(thread_number(builder), I32(31))


def _make_position(name: str, doc: str, per_axis: Any) -> Any:
    """Return an intrinsic whose argument is the number of axes; its result has one ``i64`` per axis."""

    @named_intrinsic(name, doc)
    def resolve(typingctx: Any, ndim: Any) -> Any:
        if not isinstance(ndim, types.IntegerLiteral):
            raise RequireLiteralValue(ndim)
        axes = ndim.literal_value
        if axes not in (1, 2, 3):
            raise NumbaValueError("argument can only be 1, 2, 3")

        def emit(context: Any, builder: Any, _: Any) -> Any:
            values = [per_axis(builder, axis) for axis in "xyz"[:axes]]
            return values[0] if axes == 1 else cgutils.pack_array(builder, values)

        return signature(types.int64 if axes == 1 else types.UniTuple(types.int64, axes), ndim), emit

    return resolve


def _load(builder: Any, field: str) -> Any:
    return builder.sext(load_field(builder, field), I64)


grid = _make_position(
    "grid",
    "Return the position of the thread in the whole grid, along 1, 2 or 3 axes.",
    lambda builder, axis: builder.add(
        builder.mul(_load(builder, f"ctaid_{axis}"), _load(builder, f"ntid_{axis}")), _load(builder, f"tid_{axis}")
    ),
)
gridsize = _make_position(
    "gridsize",
    "Return the number of threads of the whole grid, along 1, 2 or 3 axes.",
    lambda builder, axis: builder.mul(_load(builder, f"ntid_{axis}"), _load(builder, f"nctaid_{axis}")),
)


NAMES: Final = (
    *("threadIdx", "blockIdx", "blockDim", "gridDim", "grid", "gridsize"),
    *("popc", "clz", "ffs", "brev", "fma", "cbrt", "selp", "nanosleep"),
)
_FALSE: Final = ir.IntType(1)(0)
_SELECTABLE: Final = (
    types.float64,
    types.float32,
    *(types.Integer.from_bitwidth(bits, signed) for bits in (16, 32, 64) for signed in (True, False)),
)


def _integer(kind: Any) -> Any:
    kind = types.unliteral(kind)
    return kind if isinstance(kind, types.Integer) else None


def call_named(builder: Any, name: str, *values: Any) -> Any:
    """Emit the call of a function of LLVM or of the C library, whose result has the type of its first argument."""
    kind = ir.FunctionType(values[0].type, [value.type for value in values])
    suffix = f".{values[0].type.intrinsic_name}" if name.startswith("llvm.") else ""
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name + suffix), values)


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
    lambda context, builder, value: call_named(builder, "llvm.ctpop", value),
)
clz = _make_bit_function(
    "clz",
    "Return the number of leading zero bits.",
    lambda context, builder, value: call_named(builder, "llvm.ctlz", value, _FALSE),
)


@cuda_intrinsic
def ffs(typingctx: Any, x: Any) -> Any:
    """Return the position of the lowest bit that is set, counted from 1; 0 when there is none."""
    kind = _integer(x)
    if kind is None:
        return None

    def emit(context: Any, builder: Any, value: Any) -> Any:
        position = builder.add(call_named(builder, "llvm.cttz", value, _FALSE), value.type(1))
        answer = builder.select(builder.icmp_unsigned("==", value, value.type(0)), value.type(0), position)
        return context.cast(builder, answer, types.Integer.from_bitwidth(kind.bitwidth, signed=False), types.uint32)

    return signature(types.uint32, kind), emit


@cuda_intrinsic
def brev(typingctx: Any, x: Any) -> Any:
    """Return the bits in reverse order, of 32 or 64 bits."""
    kind = _integer(x)
    if kind is None:
        return None
    # As CUDA's target resolves it: a signed 64-bit number is cut to 32 bits.
    wide = types.uint64 if kind == types.uint64 else types.uint32
    return signature(wide, wide), lambda context, builder, value: call_named(builder, "llvm.bitreverse", value)


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
        return call_named(builder, "cbrtf" if kind == types.float32 else "cbrt", value)

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
