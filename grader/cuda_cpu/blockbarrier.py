"""Completing a barrier of a whole block, and telling when it can never be completed."""

from __future__ import annotations

from typing import Any

from grader.cuda_cpu import faults
from grader.cuda_cpu.barriers import AT_BARRIER, AT_GRID, DONE, EARLY_RETURN
from grader.cuda_cpu.launcher import record_position
from grader.cuda_cpu.numba_internals import cgutils
from grader.cuda_cpu.threadstate import I32, I64, get, put
from grader.cuda_cpu.warpscheduler import complete_warps


class _Tally:
    """Counters over the threads of a block, in stack slots."""

    _SLOTS = ("waiting", "done", "missing", "stuck", "sum", "site", "first", "other", "other_site", "stuck_at")

    def __init__(self, builder: Any) -> None:
        self._builder = builder
        self._slots = {name: cgutils.alloca_once(builder, I64, name=name) for name in self._SLOTS}
        for slot in self._slots.values():
            builder.store(I64(0), slot)

    def get(self, name: str) -> Any:
        """Emit a read of a counter."""
        return self._builder.load(self._slots[name])

    def put(self, name: str, value: Any) -> None:
        """Emit a write of a counter."""
        self._builder.store(value, self._slots[name])

    def add(self, name: str, value: Any) -> None:
        """Emit an addition to a counter."""
        self.put(name, self._builder.add(self.get(name), value))


def _count_waiting(builder: Any, tally: _Tally, state: Any, thread: Any) -> None:
    site = builder.sext(get(builder, state, "site"), I64)
    with builder.if_then(builder.icmp_signed("==", tally.get("waiting"), I64(0))):
        tally.put("site", site)
        tally.put("first", thread)
    with builder.if_else(builder.icmp_signed("==", site, tally.get("site"))) as (same, elsewhere):
        with same:
            tally.add("waiting", I64(1))
            tally.add("sum", get(builder, state, "payload"))
        with elsewhere:
            tally.add("missing", I64(1))
            tally.put("other", thread)
            tally.put("other_site", site)


def _count_done(builder: Any, tally: _Tally, state: Any, thread: Any) -> None:
    """Count an ended thread; one that fell off the kernel's end missed the barriers that others still reach."""
    tally.add("done", I64(1))
    fell_off = builder.icmp_signed("!=", get(builder, state, "exit_site"), I32(EARLY_RETURN))
    with builder.if_then(fell_off):
        tally.add("missing", I64(1))
        tally.put("other", thread)
        tally.put("other_site", I64(-1))


def _count_other(builder: Any, tally: _Tally, state: Any, thread: Any) -> None:
    """Count a thread that waits for lanes of its warp, or for other blocks."""
    for_blocks = builder.icmp_signed("==", get(builder, state, "wait"), I32(AT_GRID))
    with builder.if_else(for_blocks) as (grid, warp):
        with grid:
            tally.add("missing", I64(1))
            tally.put("other", thread)
            tally.put("other_site", builder.sext(get(builder, state, "site"), I64))
        with warp:
            tally.add("stuck", I64(1))
            tally.put("stuck_at", thread)


def _take_tally(block: Any) -> _Tally:
    builder = block.builder
    tally = _Tally(builder)
    with block.each_thread() as loop:
        state = block.state(loop.index)
        wait = get(builder, state, "wait")
        with builder.if_else(builder.icmp_signed("==", wait, I32(AT_BARRIER))) as (waits, other):
            with waits:
                _count_waiting(builder, tally, state, loop.index)
            with other, builder.if_else(builder.icmp_signed("==", wait, I32(DONE))) as (done, stuck):
                with done:
                    _count_done(builder, tally, state, loop.index)
                with stuck:
                    _count_other(builder, tally, state, loop.index)
    return tally


def write_divergence(block: Any, tally: Any, status: int) -> None:
    """Emit the end of the launch: some threads wait at a barrier that others never reach."""
    builder = block.builder
    fault = block.plan.pointer("fault", I64.as_pointer())
    first = block.state(tally.get("first"))
    record_position(builder, fault, first)
    words = {
        faults.STATUS: I64(status),
        faults.SITE: builder.sext(get(builder, first, "site"), I64),
        faults.OTHER_SITE: tally.get("other_site"),
        faults.WAITING: tally.get("waiting"),
        faults.MISSING: tally.get("missing"),
    }
    other = block.state(tally.get("other"))
    for offset, axis in enumerate("xyz"):
        words[faults.OTHER_THREAD + offset] = builder.sext(get(builder, other, f"tid_{axis}"), I64)
    for position, value in words.items():
        builder.store(value, builder.gep(fault, [I64(position)]))
    builder.ret(I32(status))


def complete_barrier(block: Any) -> Any:
    """Emit the completion of what the block waits for: warp operations first, then its barrier.

    Returns:
        Whether there was something to complete, an ``i1``; false when all threads have ended. A barrier that can never
        be completed ends the launch with a fault.
    """
    builder = block.builder
    tally = _take_tally(block)
    nobody = I64(0)
    in_warps = builder.icmp_signed("!=", tally.get("stuck"), nobody)
    with builder.if_then(in_warps, likely=False):
        progress = complete_warps(block) if block.has_warp_operations else cgutils.false_bit
        with builder.if_then(builder.not_(progress), likely=False):
            tally.put("first", tally.get("stuck_at"))
            write_divergence(block, tally, faults.WARP_DIVERGED)
    some = builder.icmp_signed("!=", tally.get("waiting"), nobody)
    with builder.if_then(builder.and_(some, builder.not_(in_warps))):
        with builder.if_then(builder.icmp_signed("!=", tally.get("missing"), nobody), likely=False):
            write_divergence(block, tally, faults.BARRIER_DIVERGED)
        early = builder.gep(block.plan.pointer("fault", I64.as_pointer()), [I64(faults.EXITED_EARLY)])
        with builder.if_then(builder.icmp_signed("!=", tally.get("done"), nobody), likely=False):
            builder.store(builder.add(tally.get("site"), I64(1)), early)
        with block.each_thread() as loop:
            state = block.state(loop.index)
            waits = builder.icmp_signed("==", get(builder, state, "wait"), I32(AT_BARRIER))
            with builder.if_then(waits):
                put(builder, state, "reply", tally.get("sum"))
                block.continue_thread(loop.index)
    return builder.or_(some, in_warps)
