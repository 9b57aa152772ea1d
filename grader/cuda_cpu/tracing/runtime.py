"""The routines that traced machine code calls: their addresses and what they do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from grader.cuda_cpu.tracing.layout import (
    ARRIVALS,
    ATOMIC,
    BARRIER,
    BARRIERS,
    BASE,
    BLOCK,
    EPOCH,
    EPOCH_MASK,
    EPOCH_SHIFT,
    FOLLOWED_BLOCK,
    FOLLOWED_THREAD,
    GRID_BARRIER,
    HIGH,
    HOME,
    INTERVAL,
    INTERVAL_SHIFT,
    LAST,
    LEFT_OUT,
    LOW,
    MAX_INTERVALS,
    MAX_STEPS,
    MOST,
    OVERFLOWED,
    PHASE,
    PHASE_BASE,
    PHASE_NUMBER,
    PREFIX,
    REGION_COUNT,
    REGION_WORDS,
    REGIONS,
    SEEN,
    SEGMENT_KEY,
    SELF,
    SLOT_STEP,
    SLOT_WORDS,
    SLOTS,
    STARTS,
    STEP_ABOUT,
    STEP_ADDRESS,
    STEP_COUNT,
    STEP_REGION,
    STEP_SITE,
    STEP_VALUE,
    STEP_WAITS,
    STEP_WORDS,
    STEPS,
    SYNCWARP,
    THREAD,
    THREAD_SHIFT,
    TOUCHED,
    WAITS,
    WORD_BYTES,
    WRITE,
)
from grader.cuda_cpu.tracing.memory import bytes_at, compile_routine, machine_code, words_at
from grader.cuda_cpu.tracing.shadow import check_access, note_acquire, note_fence
from grader.cuda_cpu.tracing.warplog import count_access, count_branch, flush_segment

_WARPS_SHIFT: Final = 5
_WAITS_SHIFT: Final = 24


@machine_code
def _stamp(trace: Any, slot: Any) -> None:
    """Renew what depends on how often the thread has waited."""
    slot[PREFIX] = slot[INTERVAL] << INTERVAL_SHIFT | slot[THREAD] << THREAD_SHIFT | slot[EPOCH] << EPOCH_SHIFT
    warp = trace[BLOCK] << _WARPS_SHIFT | slot[THREAD] >> _WARPS_SHIFT
    slot[SEGMENT_KEY] = (warp << _WAITS_SHIFT | slot[WAITS]) + 1


@machine_code
def _use_interval(trace: Any, interval: int) -> None:
    trace[LAST] = interval
    if interval >= MAX_INTERVALS - 1:
        trace[OVERFLOWED] = 1


@machine_code
def _find_region(trace: Any, address: int) -> int:
    """Return the number of the region that holds an address, -1 for none."""
    table = trace[REGIONS]
    for number in range(trace[REGION_COUNT]):
        region = words_at(table + number * REGION_WORDS * WORD_BYTES)
        if region[LOW] <= address < region[HIGH]:
            return number
    return -1


@machine_code
def _begin_turn(trace: Any, block: int) -> None:
    """Begin a block, or its part behind a grid barrier."""
    trace[BLOCK] = block
    _use_interval(trace, trace[LAST] + 1)
    trace[BASE] = trace[LAST]
    words_at(trace[STARTS])[block] = trace[LAST]


@machine_code
def _pass_grid_barrier(trace: Any, slot: Any) -> None:
    """Go on behind a barrier of all blocks: the first thread there begins a phase, the first of each block its turn."""
    slot[PHASE] += 1
    if slot[PHASE] > trace[PHASE_NUMBER]:
        trace[PHASE_NUMBER] = slot[PHASE]
        trace[PHASE_BASE] = trace[LAST] + 1
        trace[BLOCK] = -1
    if trace[BLOCK] != slot[HOME]:
        _begin_turn(trace, slot[HOME])
    slot[INTERVAL] = trace[BASE]
    slot[EPOCH] = 0


def _begin(owner: Any, thread: int, block: int) -> int:
    """Begin a thread; return the address of its slot. ``owner`` is the trace or any slot."""
    trace = words_at(owner[SELF])
    if trace[BLOCK] != block:
        _begin_turn(trace, block)
    address = trace[SLOTS] + block * trace[SLOT_STEP] + thread * SLOT_WORDS * WORD_BYTES
    slot = words_at(address)
    slot[THREAD] = thread
    slot[HOME] = block
    slot[INTERVAL] = trace[BASE]
    slot[WAITS] = slot[EPOCH] = slot[TOUCHED] = slot[SEEN] = 0
    _stamp(trace, slot)
    return int(address)


@machine_code
def _check(slot: Any, address: int, site: int, about: int, fresh: int) -> None:
    """Follow an access for check mode; ``about`` is the element's size in bytes << 2 | the kind."""
    trace = words_at(slot[SELF])
    slot[SEEN] += 1
    if slot[SEEN] > trace[MOST]:
        trace[LEFT_OUT] = 1
        return
    region = _find_region(trace, address)
    if region < 0:
        return
    if about & 3 == ATOMIC:
        note_acquire(trace, slot)
    if trace[OVERFLOWED] == 0:
        check_access(trace, slot, region, address, site, about, fresh)


@machine_code
def _count(slot: Any, address: int, site: int, about: int, fresh: int) -> None:
    """Follow an access for the cost figures."""
    trace = words_at(slot[SELF])
    region = _find_region(trace, address)
    if region >= 0:
        count_access(trace, slot, region, address, site, about)


@machine_code
def _value_at(address: int, size_bytes: int) -> int:
    """Return up to 8 bytes of an element as one word."""
    word = 0
    for number in range(min(size_bytes, 8)):
        word |= int(bytes_at(address)[number]) << (8 * number)
    return word


def _follow(slot: Any, address: int, site: int, about: int, fresh: int) -> None:
    """Keep what the followed thread does; `fresh` is where a value lies that is about to be written."""
    trace = words_at(slot[SELF])
    if slot[HOME] != trace[FOLLOWED_BLOCK] or slot[THREAD] != trace[FOLLOWED_THREAD]:
        return
    region = _find_region(trace, address)
    number = trace[STEP_COUNT]
    trace[STEP_COUNT] = number + 1
    if region < 0 or number >= MAX_STEPS:
        return
    step = words_at(trace[STEPS] + number * STEP_WORDS * WORD_BYTES)
    step[STEP_SITE] = site
    step[STEP_ABOUT] = about
    step[STEP_ADDRESS] = address
    step[STEP_REGION] = region
    step[STEP_VALUE] = _value_at(fresh if about & 3 == WRITE else address, about >> 2)
    step[STEP_WAITS] = slot[WAITS]


def _check_and_count(slot: Any, address: int, site: int, about: int, fresh: int) -> None:
    """Follow an access for both."""
    _check(slot, address, site, about, fresh)
    _count(slot, address, site, about, fresh)


def _arrive(slot: Any, what: int) -> None:
    """Follow the end of a wait."""
    trace = words_at(slot[SELF])
    slot[WAITS] += 1
    if what == BARRIER:
        slot[EPOCH] = 0
        slot[INTERVAL] += 1
        trace[ARRIVALS] += 1
        if slot[INTERVAL] > trace[LAST]:
            trace[BARRIERS] += 1
            _use_interval(trace, slot[INTERVAL])
    elif what == GRID_BARRIER:
        _pass_grid_barrier(trace, slot)
    elif what == SYNCWARP:
        slot[EPOCH] = (slot[EPOCH] + 1) & EPOCH_MASK
    _stamp(trace, slot)


def _fence(slot: Any) -> None:
    """Follow a fence."""
    note_fence(words_at(slot[SELF]), slot)


def _count_branch(slot: Any, site: int, taken: int) -> None:
    """Follow a branch for the cost figures."""
    count_branch(words_at(slot[SELF]), slot, site, taken)


def _ignore_branch(slot: Any, site: int, taken: int) -> None:
    """Follow no branches."""


def _finish(trace: Any) -> None:
    """Evaluate what the last warp did."""
    flush_segment(trace)


_ROUTINES: Final[dict[str, Any]] = {
    "begin": _begin,
    "check": _check,
    "count": _count,
    "check_and_count": _check_and_count,
    "follow": _follow,
    "count_branch": _count_branch,
    "ignore_branch": _ignore_branch,
    "arrive": _arrive,
    "fence": _fence,
    "finish": _finish,
}


@dataclass(frozen=True)
class Routine:
    """A routine as machine code: `address` for compiled callers; `library` keeps it alive."""

    address: int
    library: Any


@cache
def load_routine(name: str) -> Routine:
    """Return a routine, compiled at its first use.

    Args:
        name: one of the table's names above.
    """
    library = compile_routine(f"cuda_cpu.routine.{name}", _ROUTINES[name])
    return Routine(library.get_pointer_to_function(library.name), library)
