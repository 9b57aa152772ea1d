"""The race detector: for every element, who touched it last; compiled by `memory` for the CPU.

Two accesses race when they touch one element, at least one writes, not both are atomic, and nothing orders them. What
orders is: being the same thread; a barrier between them (same block, other interval); a ``syncwarp`` between them (same
warp, other count); or a fence and an atomic operation (see `_ordered_by_fence`).

Per element there is one word for the last plain write and three words each for plain reads and for atomic operations:
the latest, another of the same interval by another thread, and one of another block. With blocks that run one after the
other that is enough to find every pair with a write, whichever thread happened to come first: of the readers that a
later write can race with, one of the present interval by another thread than the writer's is among two, and all those
of other blocks are as good as one.
"""

from __future__ import annotations

from typing import Any

from grader.cuda_cpu.tracing.layout import (
    ACQUIRED,
    ACQUIRER,
    ACROSS_SHIFT,
    ATOMICS,
    BASE,
    BLOCK,
    BLOCK_BEFORE,
    BLOCK_NOW,
    CELLS,
    ELSEWHERE,
    EPOCH_MASK,
    EPOCH_SHIFT,
    FENCED,
    INTERVAL,
    INTERVAL_SHIFT,
    KIND_BITS,
    LATEST,
    LOW,
    MAX_RACES,
    NOBODY,
    PHASE_BASE,
    PLANES,
    PREFIX,
    RACE_ADDRESS,
    RACE_BEFORE,
    RACE_COUNT,
    RACE_HITS,
    RACE_KEY,
    RACE_NOW,
    RACE_REGION,
    RACE_SIZE,
    RACE_WORDS,
    RACES,
    RACES_LOST,
    READ,
    READERS,
    REGION_SHIFT,
    REGION_WORDS,
    REGIONS,
    RELEASED,
    SAME_SHIFT,
    SECOND,
    SHARED,
    SHIFT,
    SITE_BITS,
    SITE_MASK,
    SLOT_STEP,
    SLOT_WORDS,
    SLOTS,
    SPACE,
    STARTS,
    THREAD_MASK,
    THREAD_SHIFT,
    WORD_BYTES,
    WRITE,
    WRITER,
)
from grader.cuda_cpu.tracing.memory import bytes_at, machine_code, words_at

_WARP_SHIFT = 5


@machine_code
def thread_of(word: int) -> int:
    """Return the number of an access word's thread in its block."""
    return (word >> THREAD_SHIFT) & THREAD_MASK


@machine_code
def _ordered_by_fence(trace: Any, slot: Any, before: int) -> bool:
    """Return whether fences and atomic operations order an earlier access before the present one.

    A thread that writes, executes ``threadfence`` and then an atomic operation releases what it wrote; a thread that
    executes an atomic operation afterwards, and the rest of its block, may read it ("last block" reductions, locks).
    Which atomic operation saw which is not followed: a kernel that uses fences is judged leniently.
    """
    interval = before >> INTERVAL_SHIFT
    if interval < trace[BASE]:
        return bool(trace[ACQUIRED] == trace[BASE] and interval <= trace[RELEASED])
    other = words_at(trace[SLOTS] + trace[BLOCK] * trace[SLOT_STEP] + thread_of(before) * SLOT_WORDS * WORD_BYTES)
    return bool(other[FENCED] == slot[INTERVAL] and slot[ACQUIRER] == slot[INTERVAL])


@machine_code
def is_concurrent(trace: Any, slot: Any, before: int, space: int) -> bool:
    """Return whether nothing orders the access ``before`` (0 for none) before the present one."""
    if before == 0:
        return False
    interval = before >> INTERVAL_SHIFT
    if interval < trace[PHASE_BASE]:
        return False
    if interval < trace[BASE]:
        return space != SHARED and not _ordered_by_fence(trace, slot, before)
    now = slot[PREFIX]
    if interval != now >> INTERVAL_SHIFT:
        return False
    first, second = thread_of(before), thread_of(now)
    if first == second:
        return False
    same_warp = first >> _WARP_SHIFT == second >> _WARP_SHIFT
    if same_warp and (before >> EPOCH_SHIFT) & EPOCH_MASK != (now >> EPOCH_SHIFT) & EPOCH_MASK:
        return False
    return not _ordered_by_fence(trace, slot, before)


@machine_code
def _block_of(trace: Any, word: int) -> int:
    """Return the number of an access word's block, for accesses since the latest barrier of the grid."""
    starts = words_at(trace[STARTS])
    block = trace[BLOCK]
    while block > 0 and starts[block] > word >> INTERVAL_SHIFT:
        block -= 1
    return int(block)


@machine_code
def _note(
    trace: Any, region: int, address: int, before: int, now: int, about: int, kind_before: int, same: int
) -> None:
    across = before >> INTERVAL_SHIFT < trace[BASE]
    what = kind_before | (about & 3) << KIND_BITS | same << SAME_SHIFT | across << ACROSS_SHIFT
    places = (before & SITE_MASK) | (now & SITE_MASK) << SITE_BITS
    key = places | (what | region << REGION_SHIFT) << 2 * SITE_BITS
    count = trace[RACE_COUNT]
    for number in range(count):
        entry = words_at(trace[RACES] + number * RACE_WORDS * WORD_BYTES)
        if entry[RACE_KEY] == key:
            entry[RACE_HITS] += 1
            return
    if count == MAX_RACES:
        trace[RACES_LOST] += 1
        return
    entry = words_at(trace[RACES] + count * RACE_WORDS * WORD_BYTES)
    entry[RACE_KEY] = key
    entry[RACE_HITS] = 1
    entry[RACE_ADDRESS] = address
    entry[RACE_REGION] = region
    entry[RACE_BEFORE] = before
    entry[RACE_NOW] = now
    entry[RACE_SIZE] = about >> 2
    entry[BLOCK_BEFORE] = _block_of(trace, before)
    entry[BLOCK_NOW] = trace[BLOCK]
    trace[RACE_COUNT] = count + 1


@machine_code
def _remember(trace: Any, cell: Any, cells: int, kind: int, now: int) -> None:
    """Enter an access into the plane of writers, or into the three planes of its kind."""
    if kind == WRITE:
        cell[WRITER * cells] = now
        return
    first = READERS if kind == READ else ATOMICS
    latest = cell[(first + LATEST) * cells]
    if latest != 0:
        interval = latest >> INTERVAL_SHIFT
        if interval < trace[BASE]:
            cell[(first + ELSEWHERE) * cells] = latest
        elif interval == now >> INTERVAL_SHIFT and thread_of(latest) != thread_of(now):
            cell[(first + SECOND) * cells] = latest
    cell[(first + LATEST) * cells] = now


@machine_code
def _is_unwritten(trace: Any, cell: Any, cells: int) -> bool:
    """Return whether no thread of the present block has written an element of its shared memory."""
    latest = max(cell[WRITER * cells], cell[(ATOMICS + LATEST) * cells])
    return bool(latest == 0 or (trace[SLOT_STEP] == 0 and latest >> INTERVAL_SHIFT < trace[BASE]))


@machine_code
def _find_clash(trace: Any, slot: Any, cell: Any, cells: int, space: int, kind_before: int, kind: int) -> int:
    """Return the access word of something of a kind that clashes with an access of the running thread, or 0.

    For `NOBODY` that is a number other than 0 where the access reads shared memory that nobody has written.
    """
    if kind_before == NOBODY:
        return int(space == SHARED and kind != WRITE and _is_unwritten(trace, cell, cells))
    if kind_before == kind and kind != WRITE:
        return 0
    first = WRITER if kind_before == WRITE else READERS if kind_before == READ else ATOMICS
    last = first + (1 if kind_before == WRITE else 3)
    for plane in range(first, last):
        before = cell[plane * cells]
        if is_concurrent(trace, slot, before, space):
            return int(before)
    return 0


@machine_code
def _same_bytes(address: int, fresh: int, size_bytes: int) -> int:
    old, new = bytes_at(address), bytes_at(fresh)
    for position in range(size_bytes):
        if old[position] != new[position]:
            return 0
    return 1


@machine_code
def check_access(trace: Any, slot: Any, number: int, address: int, site: int, about: int, fresh: int) -> None:
    """Compare an access with what happened to its element before, and remember it.

    Args:
        trace: the trace's words.
        slot: the slot of the running thread.
        number: the region's number.
        address: of the element.
        site: the place in the source.
        about: size in bytes << 2 | kind of access.
        fresh: address of the value that a write is about to store.
    """
    region = words_at(trace[REGIONS] + number * REGION_WORDS * WORD_BYTES)
    cells, space, kind = region[CELLS], region[SPACE], about & 3
    if cells == 0:
        return
    cell = words_at(region[PLANES] + ((address - region[LOW]) >> region[SHIFT]) * WORD_BYTES)
    now = slot[PREFIX] | site
    for kind_before in range(NOBODY + 1):
        before = _find_clash(trace, slot, cell, cells, space, kind_before, kind)
        if before != 0:
            is_twice_written = kind_before == WRITE and kind == WRITE
            same = _same_bytes(address, fresh, about >> 2) if is_twice_written else 0
            _note(trace, number, address, before, now, about, kind_before, same)
    _remember(trace, cell, cells, kind, now)


@machine_code
def note_fence(trace: Any, slot: Any) -> None:
    """Remember that the running thread executed a fence."""
    slot[FENCED] = slot[INTERVAL]
    trace[RELEASED] = slot[INTERVAL]


@machine_code
def note_acquire(trace: Any, slot: Any) -> None:
    """Remember that the running thread executed an atomic operation after somebody's fence."""
    if trace[RELEASED] != 0:
        trace[ACQUIRED] = trace[BASE]
        slot[ACQUIRER] = slot[INTERVAL]
