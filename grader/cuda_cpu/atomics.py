"""``cuda.atomic``: read-modify-write operations, for the types that CUDA has them for."""

from collections.abc import Callable
from typing import Any, Final

from grader.cuda_cpu import faults
from grader.cuda_cpu.faults import check_index
from grader.cuda_cpu.intrinsics import cuda_intrinsic, named_intrinsic
from grader.cuda_cpu.numba_internals import TypingError, cgutils, ir, signature, types
from grader.cuda_cpu.numbertypes import extremum
from grader.cuda_cpu.tracing.emit import emit_atomic

_SIGNED: Final = (types.int32, types.int64)
_UNSIGNED: Final = (types.uint32, types.uint64)
_INTEGERS: Final = (*_SIGNED, *_UNSIGNED)
_NUMBERS: Final = (types.float32, types.float64, *_INTEGERS)
_ORDER: Final = "monotonic"
NAMES: Final = (
    *("add", "sub", "max", "min", "nanmax", "nanmin", "and_", "or_", "xor", "exch", "inc", "dec"),
    *("cas", "compare_and_swap"),
)


def _index_type(array: Any, index: Any) -> Any:
    return types.intp if array.ndim == 1 and not isinstance(index, types.BaseTuple) else index


def element_pointer(context: Any, builder: Any, kind: Any, array: Any, index_type: Any, index: Any) -> Any:
    """Emit the checked address of one element of an array.

    Raises:
        TypingError: when the index is not made of one number per axis.
    """
    is_tuple = isinstance(index_type, types.BaseTuple)
    sources = [types.unliteral(part) for part in (index_type if is_tuple else [index_type])]
    if len(sources) != kind.ndim or not all(isinstance(part, types.Number | types.Boolean) for part in sources):
        raise TypingError(f"an atomic operation on a {kind.ndim}-dimensional array needs {kind.ndim} integers as index")
    kinds = [part if isinstance(part, types.Integer) else types.intp for part in sources]  # as CUDA's target does
    parts = [builder.extract_value(index, n) for n in range(kind.ndim)] if is_tuple else [index]
    parts = [context.cast(builder, part, old, new) for part, old, new in zip(parts, sources, kinds, strict=True)]
    struct = context.make_array(kind)(context, builder, array)
    shape = [builder.extract_value(struct.shape, axis) for axis in range(kind.ndim)]
    site = faults.register_site("atomic operation on", context.current_array_name, context.current_loc)
    wrapped = check_index(context, builder, site, parts, kinds, shape, range(kind.ndim))
    pointer = cgutils.get_item_pointer(context, builder, kind, struct, wrapped, wraparound=False)
    emit_atomic(context, builder, pointer)
    return pointer


def _exchange_loop(builder: Any, pointer: Any, compute: Callable[[Any], Any], kind: Any) -> Any:
    """Emit a compare-and-exchange loop that replaces the value by ``compute(old)``; return the old value."""
    bits = ir.IntType(kind.bitwidth)
    words = builder.bitcast(pointer, bits.as_pointer())
    first = builder.load_atomic(words, _ORDER, kind.bitwidth // 8)
    start = builder.block
    loop = builder.append_basic_block("atomic")
    done = builder.append_basic_block("atomic.done")
    builder.branch(loop)
    builder.position_at_end(loop)
    raw = builder.phi(bits)
    raw.add_incoming(first, start)
    target = pointer.type.pointee
    old = raw if target == bits else builder.bitcast(raw, target)
    new = compute(old)
    swap = builder.cmpxchg(words, raw, new if target == bits else builder.bitcast(new, bits), _ORDER, _ORDER)
    raw.add_incoming(builder.extract_value(swap, 0), builder.block)
    builder.cbranch(builder.extract_value(swap, 1), done, loop)
    builder.position_at_end(done)
    return old


def _plain(operation: str) -> Callable[..., Any]:
    """Return the lowering of an operation that LLVM has for integers, and of ``add`` and ``sub`` of floats."""

    def lower(builder: Any, pointer: Any, value: Any, kind: Any) -> Any:
        if isinstance(kind, types.Float):
            return _exchange_loop(builder, pointer, lambda old: getattr(builder, f"f{operation}")(old, value), kind)
        return builder.atomic_rmw(operation, pointer, value, _ORDER)

    return lower


def _extremum(sign: str, nan_yields: bool) -> Callable[..., Any]:
    """Return the lowering of max (``>``) or min (``<``).

    NaN is treated as in CUDA's target: it neither replaces a number nor is replaced; nanmax and nanmin replace it.
    """

    def lower(builder: Any, pointer: Any, value: Any, kind: Any) -> Any:
        if isinstance(kind, types.Integer):
            name = "max" if sign == ">" else "min"
            return builder.atomic_rmw(name if kind.signed else "u" + name, pointer, value, _ORDER)

        def compute(old: Any) -> Any:
            if nan_yields:
                return extremum(sign)(builder, value, old)
            return builder.select(builder.fcmp_ordered(sign, value, old), value, old)

        return _exchange_loop(builder, pointer, compute, kind)

    return lower


def _inc(builder: Any, pointer: Any, value: Any, kind: Any) -> Any:
    def compute(old: Any) -> Any:
        wraps = builder.icmp_unsigned(">=", old, value)
        return builder.select(wraps, old.type(0), builder.add(old, old.type(1)))

    return _exchange_loop(builder, pointer, compute, kind)


def _dec(builder: Any, pointer: Any, value: Any, kind: Any) -> Any:
    def compute(old: Any) -> Any:
        wraps = builder.or_(builder.icmp_unsigned("==", old, old.type(0)), builder.icmp_unsigned(">", old, value))
        return builder.select(wraps, value, builder.sub(old, old.type(1)))

    return _exchange_loop(builder, pointer, compute, kind)


def _check_array(name: str, array: Any, supported: Any) -> None:
    if not isinstance(array, types.Array) or array.dtype not in supported:
        raise TypingError(
            f"cuda.atomic.{name} works on arrays of {', '.join(str(kind) for kind in supported)}, not on {array}"
        )


def _make(name: str, supported: Any, lower: Callable[..., Any]) -> Any:
    @named_intrinsic(
        f"atomic_{name}", f"``atomic.{name}(ary, idx, val)``: update one element in one step; returns its old value."
    )
    def resolve(typingctx: Any, ary: Any, idx: Any, val: Any) -> Any:
        _check_array(name, ary, supported)
        if not typingctx.can_convert(val, ary.dtype):
            return None
        index_type = _index_type(ary, idx)

        def emit(context: Any, builder: Any, array: Any, index: Any, value: Any) -> Any:
            pointer = element_pointer(context, builder, ary, array, index_type, index)
            return lower(builder, pointer, value, ary.dtype)

        return signature(ary.dtype, ary, index_type, ary.dtype), emit

    return resolve


add = _make("add", _NUMBERS, _plain("add"))
sub = _make("sub", _NUMBERS, _plain("sub"))
max = _make("max", _NUMBERS, _extremum(">", nan_yields=False))  # noqa: A001  # CUDA's name
min = _make("min", _NUMBERS, _extremum("<", nan_yields=False))  # noqa: A001  # CUDA's name
nanmax = _make("nanmax", _NUMBERS, _extremum(">", nan_yields=True))
nanmin = _make("nanmin", _NUMBERS, _extremum("<", nan_yields=True))
and_ = _make("and_", _INTEGERS, _plain("and"))
or_ = _make("or_", _INTEGERS, _plain("or"))
xor = _make("xor", _INTEGERS, _plain("xor"))
exch = _make("exch", _INTEGERS, _plain("xchg"))
inc = _make("inc", _UNSIGNED, _inc)
dec = _make("dec", _UNSIGNED, _dec)


def _swap(builder: Any, pointer: Any, old: Any, value: Any) -> Any:
    return builder.extract_value(builder.cmpxchg(pointer, old, value, _ORDER, _ORDER), 0)


@cuda_intrinsic
def cas(typingctx: Any, ary: Any, idx: Any, old: Any, val: Any) -> Any:
    """``atomic.cas(ary, idx, old, val)``: write ``val`` where the element equals ``old``; returns the old value."""
    _check_array("cas", ary, _INTEGERS)
    index_type = _index_type(ary, idx)

    def emit(context: Any, builder: Any, array: Any, index: Any, expected: Any, value: Any) -> Any:
        return _swap(builder, element_pointer(context, builder, ary, array, index_type, index), expected, value)

    return signature(ary.dtype, ary, index_type, ary.dtype, ary.dtype), emit


@cuda_intrinsic
def compare_and_swap(typingctx: Any, ary: Any, old: Any, val: Any) -> Any:
    """``atomic.compare_and_swap(ary, old, val)``: the same for the first element."""
    _check_array("compare_and_swap", ary, _INTEGERS)
    if ary.ndim != 1:
        return None

    def emit(context: Any, builder: Any, array: Any, expected: Any, value: Any) -> Any:
        first = context.get_constant(types.intp, 0)
        return _swap(builder, element_pointer(context, builder, ary, array, types.intp, first), expected, value)

    return signature(ary.dtype, ary, ary.dtype, ary.dtype), emit
