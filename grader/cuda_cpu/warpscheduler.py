"""How a block completes its warps' operations; what a lane does to take part stands in `warps`.

When all living lanes of a mask have arrived with the same mask, the payloads are copied into the warp's snapshot, and
every lane is answered with 64 bits: in the lower half the lanes whose payload is not zero, in the upper half the lanes
that took part.
"""

from __future__ import annotations

from typing import Any, Final

from grader.cuda_cpu.barriers import AT_WARP, DONE
from grader.cuda_cpu.geometry import WARP_SIZE
from grader.cuda_cpu.numba_internals import cgutils, ir
from grader.cuda_cpu.threadstate import I32, I64, get, put

_BIT: Final = ir.IntType(1)


class _Warp:
    """The code that completes the operations of one warp: LLVM values that its parts share."""

    def __init__(self, block: Any, number: Any) -> None:
        builder = block.builder
        self.block = block
        self.builder = builder
        self.base = builder.mul(number, I64(WARP_SIZE))
        rest = builder.sub(block.threads, self.base)
        self.lanes = builder.select(builder.icmp_signed("<", rest, I64(WARP_SIZE)), rest, I64(WARP_SIZE))
        self.mask = cgutils.alloca_once(builder, I32, name="mask")
        self.found = cgutils.alloca_once(builder, _BIT, name="found")

    def each_lane(self) -> Any:
        """Return a loop over the warp's lanes."""
        return cgutils.for_range(self.builder, self.lanes)

    def state(self, lane: Any) -> Any:
        """Emit the address of a lane's record."""
        return self.block.state(self.builder.add(self.base, lane))

    def holds(self, mask: Any, lane: Any) -> Any:
        """Emit whether a lane belongs to a mask."""
        shifted = self.builder.lshr(mask, self.builder.trunc(lane, I32))
        return self.builder.trunc(shifted, _BIT)


def _group_is_complete(warp: _Warp, mask: Any) -> Any:
    builder = warp.builder
    complete = cgutils.alloca_once(builder, _BIT, name="complete")
    builder.store(_BIT(1), complete)
    with warp.each_lane() as loop:
        other = warp.state(loop.index)
        wait = get(builder, other, "wait")
        same = builder.icmp_signed("==", get(builder, other, "mask"), mask)
        here = builder.and_(builder.icmp_signed("==", wait, I32(AT_WARP)), same)
        fine = builder.or_(here, builder.icmp_signed("==", wait, I32(DONE)))
        fine = builder.or_(fine, builder.not_(warp.holds(mask, loop.index)))
        builder.store(builder.and_(builder.load(complete), fine), complete)
    return builder.load(complete)


def _find_complete_group(warp: _Warp) -> Any:
    builder = warp.builder
    builder.store(_BIT(0), warp.found)
    with warp.each_lane() as loop:
        state = warp.state(loop.index)
        waits = builder.icmp_signed("==", get(builder, state, "wait"), I32(AT_WARP))
        with builder.if_then(builder.and_(waits, builder.not_(builder.load(warp.found)))):
            mask = get(builder, state, "mask")
            with builder.if_then(_group_is_complete(warp, mask)):
                builder.store(_BIT(1), warp.found)
                builder.store(mask, warp.mask)
    return builder.load(warp.found)


def _collect(warp: _Warp) -> Any:
    """Emit the snapshot of the group's payloads; return the 64-bit answer."""
    builder = warp.builder
    answer = cgutils.alloca_once(builder, I64, name="answer")
    builder.store(I64(0), answer)
    mask = builder.load(warp.mask)
    with warp.each_lane() as loop:
        state = warp.state(loop.index)
        waits = builder.icmp_signed("==", get(builder, state, "wait"), I32(AT_WARP))
        with builder.if_then(builder.and_(waits, warp.holds(mask, loop.index))):
            payload = get(builder, state, "payload")
            builder.store(payload, builder.gep(get(builder, state, "warp"), [loop.index]))
            set_bit = builder.zext(builder.icmp_signed("!=", payload, I64(0)), I64)
            both = builder.or_(builder.shl(I64(1 << WARP_SIZE), loop.index), builder.shl(set_bit, loop.index))
            builder.store(builder.or_(builder.load(answer), both), answer)
    return builder.load(answer)


def _complete_group(warp: _Warp) -> None:
    builder = warp.builder
    answer = _collect(warp)
    present = builder.trunc(builder.lshr(answer, I64(WARP_SIZE)), I32)
    with warp.each_lane() as loop, builder.if_then(warp.holds(present, loop.index)):
        put(builder, warp.state(loop.index), "reply", answer)
        warp.block.continue_thread(builder.add(warp.base, loop.index))


def complete_warps(block: Any) -> Any:
    """Emit the completion of all warp operations that can be completed; return whether there was one."""
    builder = block.builder
    progress = cgutils.alloca_once(builder, _BIT, name="progress")
    builder.store(_BIT(0), progress)
    count = builder.udiv(builder.add(block.threads, I64(WARP_SIZE - 1)), I64(WARP_SIZE))
    with cgutils.for_range(builder, count) as loop:
        warp = _Warp(block, loop.index)
        top, after = (builder.append_basic_block(name) for name in ("warp", "warp.done"))
        builder.branch(top)
        builder.position_at_end(top)
        with builder.if_then(_find_complete_group(warp)):
            builder.store(_BIT(1), progress)
            _complete_group(warp)
            builder.branch(top)
        builder.branch(after)
        builder.position_at_end(after)
    return builder.load(progress)
