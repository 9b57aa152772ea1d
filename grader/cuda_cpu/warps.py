"""Warp operations: ``syncwarp``, votes, shuffles, matches; the code that a lane runs.

A lane brings a payload and a mask, and waits until `scheduler` answers with 64 bits: the lower half has the lanes of
the mask whose payload is not zero, the upper half the lanes that took part.
"""

import warnings
from typing import Any, Final

from grader.cuda_cpu.barriers import AT_WARP, emit_wait
from grader.cuda_cpu.intrinsics import cuda_intrinsic, lane_number, named_intrinsic, thread_number
from grader.cuda_cpu.launches import WARP_SIZE
from grader.cuda_cpu.numba_internals import NumbaWarning, TypingError, cgutils, ir, signature, types
from grader.cuda_cpu.records import I32, I64, load_field, load_fields

_ACTIVEMASK: Final = (
    "cuda.activemask() names all lanes that exist here, also inside a branch, where a GPU names those that took it: "
    "pass the mask that you mean to the warp's operations, or vote with cuda.ballot_sync"
)
IDX, UP, DOWN, XOR = range(4)
NAMES: Final = (
    *("syncwarp", "all_sync", "any_sync", "eq_sync", "ballot_sync", "vote_sync_intrinsic"),
    *("shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync", "shfl_sync_intrinsic"),
    *("match_any_sync", "match_all_sync", "activemask", "lanemask_lt"),
)
_FULL_CLAMP: Final = 0x1F
_BIT: Final = ir.IntType(1)


def _exchange(context: Any, builder: Any, name: str, mask: Any, payload: Any) -> tuple[Any, Any]:
    """Emit a warp operation; return (lanes with a payload that is not zero, lanes that took part), as ``i32``."""
    answer = emit_wait(context, builder, AT_WARP, name, payload=payload, mask=mask)
    return builder.trunc(answer, I32), builder.trunc(builder.lshr(answer, I64(WARP_SIZE)), I32)


def _to_payload(builder: Any, value: Any) -> Any:
    if isinstance(value.type, (ir.FloatType, ir.DoubleType)):
        value = builder.bitcast(value, I32 if isinstance(value.type, ir.FloatType) else I64)
    return value if value.type == I64 else builder.zext(value, I64)


def _from_payload(builder: Any, payload: Any, kind: Any) -> Any:
    if kind == I64:
        return payload
    if isinstance(kind, ir.DoubleType):
        return builder.bitcast(payload, kind)
    narrow = builder.trunc(payload, I32)
    return builder.bitcast(narrow, kind) if isinstance(kind, ir.FloatType) else narrow


def _source_lane(builder: Any, mode: Any, offset: Any, clamp: Any) -> tuple[Any, Any]:
    """Emit the lane that a shuffle reads and whether it lies in the segment, as PTX defines ``shfl.sync``."""
    lane = lane_number(builder)
    segment = builder.and_(builder.lshr(clamp, I32(8)), I32(31))
    outside = builder.xor(segment, I32(31))
    offset = builder.and_(offset, I32(31))
    lowest = builder.and_(lane, segment)
    highest = builder.or_(lowest, builder.and_(builder.and_(clamp, I32(31)), outside))
    candidates = {
        IDX: builder.or_(lowest, builder.and_(offset, outside)),
        UP: builder.sub(lane, offset),
        DOWN: builder.add(lane, offset),
        XOR: builder.xor(lane, offset),
    }
    source = candidates[IDX]
    for number in (UP, DOWN, XOR):
        source = builder.select(builder.icmp_signed("==", mode, I32(number)), candidates[number], source)
    is_up, compare = builder.icmp_signed("==", mode, I32(UP)), builder.icmp_signed
    inside = builder.select(is_up, compare(">=", source, highest), compare("<=", source, highest))
    return builder.select(inside, source, lane), inside


def emit_shuffle(
    context: Any, builder: Any, name: str, mask: Any, mode: Any, value: Any, offset: Any, clamp: Any
) -> Any:
    """Emit a shuffle; return (the value of the source lane, whether that lane lies in the segment)."""
    _, present = _exchange(context, builder, name, mask, _to_payload(builder, value))
    source, inside = _source_lane(builder, mode, offset, clamp)
    takes_part = builder.trunc(builder.lshr(present, source), _BIT)
    lane = builder.select(takes_part, source, lane_number(builder))
    payload = builder.load(builder.gep(load_field(builder, "warp"), [builder.zext(lane, I64)]))
    return _from_payload(builder, payload, value.type), inside


def _value_type(kind: Any) -> Any:
    """Return the type with which CUDA shuffles a value of this type."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.Float):
        return kind if kind.bitwidth >= 32 else types.float32  # noqa: PLR2004  # the narrowest type that is shuffled
    if isinstance(kind, types.Boolean):
        return types.int32
    if isinstance(kind, types.Integer):
        if kind == types.uint64:
            return kind
        return types.int64 if kind.bitwidth == 64 or kind == types.uint32 else types.int32  # noqa: PLR2004  # bits
    return None


@cuda_intrinsic
def shfl_sync_intrinsic(typingctx: Any, mask: Any, mode: Any, value: Any, mode_offset: Any, clamp: Any) -> Any:
    """The shuffle instruction itself; returns (value, whether the source lane lies in the segment)."""
    kind = _value_type(value)
    if kind is None:
        return None
    result = types.Tuple((kind, types.boolean))

    def emit(context: Any, builder: Any, *values: Any) -> Any:
        return context.make_tuple(builder, result, emit_shuffle(context, builder, "shfl_sync_intrinsic", *values))

    return signature(result, types.int32, types.int32, kind, types.int32, types.int32), emit


def _make_shuffle(name: str, mode: int, clamp: int, operand: str) -> Any:
    @named_intrinsic(name, f"``{name}(mask, value, {operand})``: return the value of another lane of the warp.")
    def resolve(typingctx: Any, mask: Any, value: Any, offset: Any) -> Any:
        kind = _value_type(value)
        if kind is None:
            return None

        def emit(context: Any, builder: Any, lanes: Any, own: Any, other: Any) -> Any:
            return emit_shuffle(context, builder, name, lanes, I32(mode), own, other, I32(clamp))[0]

        return signature(kind, types.int32, kind, types.int32), emit

    return resolve


shfl_sync = _make_shuffle("shfl_sync", IDX, _FULL_CLAMP, "src_lane")
shfl_up_sync = _make_shuffle("shfl_up_sync", UP, 0, "delta")
shfl_down_sync = _make_shuffle("shfl_down_sync", DOWN, _FULL_CLAMP, "delta")
shfl_xor_sync = _make_shuffle("shfl_xor_sync", XOR, _FULL_CLAMP, "lane_mask")


def _vote_results(builder: Any, ballot: Any, present: Any) -> tuple[Any, Any, Any, Any]:
    everyone = builder.icmp_signed("==", ballot, present)
    anyone = builder.icmp_signed("!=", ballot, I32(0))
    return everyone, anyone, builder.or_(everyone, builder.not_(anyone)), ballot


@cuda_intrinsic
def vote_sync_intrinsic(typingctx: Any, mask: Any, mode: Any, predicate: Any) -> Any:
    """The vote instruction itself: modes 0 all, 1 any, 2 equal, 3 ballot; returns (ballot, verdict)."""
    result = types.Tuple((types.int32, types.boolean))

    def emit(context: Any, builder: Any, lanes: Any, which: Any, holds: Any) -> Any:
        votes = _exchange(context, builder, "vote_sync_intrinsic", lanes, builder.zext(holds, I64))
        everyone, anyone, equal, ballot = _vote_results(builder, *votes)
        verdict = builder.select(builder.icmp_signed("==", which, I32(0)), everyone, anyone)
        verdict = builder.select(builder.icmp_signed("==", which, I32(2)), equal, verdict)
        return context.make_tuple(builder, result, (ballot, verdict))

    return signature(result, types.int32, types.int32, types.boolean), emit


def _make_vote(name: str, position: int) -> Any:
    @named_intrinsic(name, f"``{name}(mask, predicate)``: return what the predicates of the mask's lanes come to.")
    def resolve(typingctx: Any, mask: Any, predicate: Any) -> Any:
        if not isinstance(mask, types.Integer):
            raise TypingError(f"Mask type must be an integer. Got {mask}")
        if not isinstance(predicate, (types.Integer, types.Boolean)):
            raise TypingError(f"Predicate must be an integer or boolean. Got {predicate}")

        def emit(context: Any, builder: Any, lanes: Any, holds: Any) -> Any:
            return _vote_results(builder, *_exchange(context, builder, name, lanes, builder.zext(holds, I64)))[position]

        result = types.int32 if position == 3 else types.boolean  # noqa: PLR2004  # the ballot
        return signature(result, types.int32, types.boolean), emit

    return resolve


all_sync = _make_vote("all_sync", 0)
any_sync = _make_vote("any_sync", 1)
eq_sync = _make_vote("eq_sync", 2)
ballot_sync = _make_vote("ballot_sync", 3)


@cuda_intrinsic
def syncwarp(typingctx: Any, mask: Any = None) -> Any:
    """Wait until the lanes of the mask (without a mask: all lanes) are here."""
    is_full = mask is None or isinstance(mask, (types.Omitted, types.NoneType))

    def emit(context: Any, builder: Any, lanes: Any) -> None:
        _exchange(context, builder, "syncwarp", I32(-1) if is_full else lanes, I64(0))

    return signature(types.none, types.Omitted(None) if is_full else types.int32), emit


def _matching_lanes(context: Any, builder: Any, name: str, mask: Any, value: Any) -> tuple[Any, Any]:
    payload = _to_payload(builder, value)
    _, present = _exchange(context, builder, name, mask, payload)
    snapshot = load_field(builder, "warp")
    equal = cgutils.alloca_once(builder, I32, name="equal")
    builder.store(I32(0), equal)
    with cgutils.for_range(builder, I64(WARP_SIZE)) as loop:
        lane = builder.trunc(loop.index, I32)
        takes_part = builder.trunc(builder.lshr(present, lane), _BIT)
        with builder.if_then(takes_part):
            other = builder.load(builder.gep(snapshot, [loop.index]))
            bit = builder.shl(builder.zext(builder.icmp_signed("==", other, payload), I32), lane)
            builder.store(builder.or_(builder.load(equal), bit), equal)
    return builder.load(equal), present


@cuda_intrinsic
def match_any_sync(typingctx: Any, mask: Any, value: Any) -> Any:
    """Return the lanes of the mask that have the same value as this one."""
    kind = _value_type(value)

    def emit(context: Any, builder: Any, *values: Any) -> Any:
        return _matching_lanes(context, builder, "match_any_sync", *values)[0]

    return None if kind is None else (signature(types.int32, types.int32, kind), emit)


@cuda_intrinsic
def match_all_sync(typingctx: Any, mask: Any, value: Any) -> Any:
    """Return (the mask, True) where all its lanes have the same value, else (0, False)."""
    kind = _value_type(value)
    result = types.Tuple((types.int32, types.boolean))

    def emit(context: Any, builder: Any, *values: Any) -> Any:
        equal, present = _matching_lanes(context, builder, "match_all_sync", *values)
        everyone = builder.icmp_signed("==", equal, present)
        return context.make_tuple(builder, result, (builder.select(everyone, equal, I32(0)), everyone))

    return None if kind is None else (signature(result, types.int32, kind), emit)


@cuda_intrinsic
def activemask(typingctx: Any) -> Any:
    """Return the lanes of the warp that exist: lanes run one by one here, so that none counts as inactive."""

    def emit(context: Any, builder: Any) -> Any:
        warnings.warn(_ACTIVEMASK, NumbaWarning, stacklevel=2)
        width, height, depth = load_fields(builder, "ntid")
        threads = builder.mul(width, builder.mul(height, depth))
        left = builder.sub(threads, builder.and_(thread_number(builder), I32(-WARP_SIZE)))
        partial = builder.sub(builder.shl(I32(1), builder.and_(left, I32(31))), I32(1))
        return builder.select(builder.icmp_signed(">=", left, I32(WARP_SIZE)), I32(-1), partial)

    return signature(types.uint32), emit


@cuda_intrinsic
def lanemask_lt(typingctx: Any) -> Any:
    """Return the lanes below this one."""
    return signature(types.uint32), lambda context, builder: builder.sub(
        builder.shl(I32(1), lane_number(builder)), I32(1)
    )
