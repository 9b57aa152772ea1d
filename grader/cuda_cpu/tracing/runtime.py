"""The routines that traced machine code calls, compiled by `routines`; each is given the slot of its thread first.

The race detector stores for each element which threads touched it last.

Two accesses race if they touch one element, at least one writes, not both are atomic, and nothing orders them. They are
ordered if one thread makes both; by a barrier between them (same block, other interval); by a ``syncwarp`` between them
(same warp, other count); or by a fence and an atomic operation (see `_ordered_by_fence`).

Each element has one word for the last plain write, and three words each for plain reads and for atomic operations: the
latest, another of the same interval by another thread, and one of another block. Because blocks run one after the
other, these words are enough to find each race with a write, in whatever order the threads run: of two readers of the
present interval, at least one is not the thread that writes now; and of all readers in other blocks, one is enough.
"""

from typing import Final

from grader.cuda_cpu.records import Bytes, Words
from grader.cuda_cpu.tracing import layout
from grader.cuda_cpu.tracing.layout import RaceEntry, RegionWords, Slot, StepEntry, TraceWords
from grader.cuda_cpu.tracing.requests import count_access, count_branch

_WARP_SHIFT = 5


def thread_of(word: int) -> int:
    """Return the number of an access word's thread in its block."""
    return (word >> layout.THREAD_SHIFT) & layout.THREAD_MASK


def _interval_of(word: int) -> int:
    return word >> layout.INTERVAL_SHIFT


def _epoch_of(word: int) -> int:
    return (word >> layout.EPOCH_SHIFT) & layout.EPOCH_MASK


def _ordered_by_fence(slot: Slot, before: int) -> bool:
    """Return whether fences and atomic operations order an earlier access before the present one.

    A thread that writes, executes ``threadfence`` and then an atomic operation releases what it wrote; a thread that
    executes an atomic operation afterwards, and the rest of its block, may read it ("last block" reductions, locks).
    It is not followed which atomic operation saw which other one: races may be missed in a kernel that uses fences.
    """
    trace, interval = slot.trace, _interval_of(before)
    if interval < trace.base:
        return bool(trace.acquired == trace.base and interval <= trace.released)
    other = Slot.at(trace.slots + trace.block * trace.slot_step, thread_of(before))
    return bool(other.fenced == slot.interval and slot.acquirer == slot.interval)


def is_concurrent(slot: Slot, before: int, space: int) -> bool:
    """Return whether nothing orders the access ``before`` (0 for none) before the present one."""
    if before == 0:
        return False
    trace, interval = slot.trace, _interval_of(before)
    if interval < trace.phase_base:
        return False
    if interval < trace.base:
        return space != layout.SHARED and not _ordered_by_fence(slot, before)
    now = slot.prefix
    if interval != _interval_of(now):
        return False
    first, second = thread_of(before), thread_of(now)
    if first == second:
        return False
    same_warp = first >> _WARP_SHIFT == second >> _WARP_SHIFT
    if same_warp and _epoch_of(before) != _epoch_of(now):
        return False
    return not _ordered_by_fence(slot, before)


def _block_of(trace: TraceWords, word: int) -> int:
    """Return the number of an access word's block, for accesses since the latest barrier of the grid."""
    block = trace.block
    while block > 0 and trace.starts[block] > _interval_of(word):
        block -= 1
    return block


def _note(
    trace: TraceWords, region: int, address: int, before: int, now: int, about: int, kind_before: int, same: int
) -> None:
    across = _interval_of(before) < trace.base
    what = kind_before | (about & 3) << layout.KIND_BITS | same << layout.SAME_SHIFT | across << layout.ACROSS_SHIFT
    places = (before & layout.SITE_MASK) | (now & layout.SITE_MASK) << layout.SITE_BITS
    key = places | (what | region << layout.REGION_SHIFT) << 2 * layout.SITE_BITS
    count = trace.race_count
    for number in range(count):
        entry = RaceEntry.at(trace.races, number)
        if entry.key == key:
            entry.hits += 1
            return
    if count == layout.MAX_RACES:
        trace.races_lost += 1
        return
    entry = RaceEntry.at(trace.races, count)
    entry.key = key
    entry.hits = 1
    entry.address = address
    entry.region = region
    entry.before = before
    entry.now = now
    entry.size_bytes = about >> 2
    entry.block_before = _block_of(trace, before)
    entry.block_now = trace.block
    trace.race_count = count + 1


def _remember(trace: TraceWords, cell: Words, cells: int, kind: int, now: int) -> None:
    """Write an access word into the plane of writes, or into the three planes of its kind."""
    if kind == layout.WRITE:
        cell[layout.WRITER * cells] = now
        return
    first = layout.READERS if kind == layout.READ else layout.ATOMICS
    latest = cell[(first + layout.LATEST) * cells]
    if latest != 0:
        interval = _interval_of(latest)
        if interval < trace.base:
            cell[(first + layout.ELSEWHERE) * cells] = latest
        elif interval == _interval_of(now) and thread_of(latest) != thread_of(now):
            cell[(first + layout.SECOND) * cells] = latest
    cell[(first + layout.LATEST) * cells] = now


def _is_unwritten(trace: TraceWords, cell: Words, cells: int) -> bool:
    """Return whether no thread of the present block has written an element of its shared memory."""
    latest = max(cell[layout.WRITER * cells], cell[(layout.ATOMICS + layout.LATEST) * cells])
    return bool(latest == 0 or (trace.slot_step == 0 and _interval_of(latest) < trace.base))


def _find_clash(slot: Slot, cell: Words, cells: int, space: int, kind_before: int, kind: int) -> int:
    """Return the access word of an earlier access, of kind `kind_before`, that races with the present one; or 0.

    For `layout.UNWRITTEN`, return 1 if the access reads shared memory that no thread of the block has written.
    """
    if kind_before == layout.UNWRITTEN:
        return int(space == layout.SHARED and kind != layout.WRITE and _is_unwritten(slot.trace, cell, cells))
    if kind_before == kind and kind != layout.WRITE:
        return 0
    first, count = layout.WRITER, 1
    if kind_before != layout.WRITE:
        first, count = layout.READERS if kind_before == layout.READ else layout.ATOMICS, 3
    for plane in range(first, first + count):
        before = cell[plane * cells]
        if is_concurrent(slot, before, space):
            return before
    return 0


def _same_bytes(address: int, fresh: int, size_bytes: int) -> int:
    old, new = Bytes.at(address), Bytes.at(fresh)
    for position in range(size_bytes):
        if old[position] != new[position]:
            return 0
    return 1


def _check_access(slot: Slot, number: int, address: int, site: int, about: int, fresh: int) -> None:
    """Compare an access with earlier accesses to its element, and store it; `number` is the region's."""
    trace = slot.trace
    region = RegionWords.at(trace.regions, number)
    cells, space, kind = region.cells, region.space, about & 3
    if kind == layout.ATOMIC:
        _note_acquire(slot)
    if cells == 0 or trace.overflowed:
        return
    cell = Words.at(region.planes + ((address - region.low) >> region.shift) * 8)
    now = slot.prefix | site
    for kind_before in range(layout.UNWRITTEN + 1):
        before = _find_clash(slot, cell, cells, space, kind_before, kind)
        if before != 0:
            is_twice_written = kind_before == layout.WRITE and kind == layout.WRITE
            same = _same_bytes(address, fresh, about >> 2) if is_twice_written else 0
            _note(trace, number, address, before, now, about, kind_before, same)
    _remember(trace, cell, cells, kind, now)


def note_fence(slot: Slot) -> None:
    """Record that the running thread executed a fence."""
    slot.fenced = slot.trace.released = slot.interval


def _note_acquire(slot: Slot) -> None:
    """Record that the running thread executed an atomic operation after a fence of any thread."""
    trace = slot.trace
    if trace.released != 0:
        trace.acquired = trace.base
        slot.acquirer = slot.interval


_WAITS_SHIFT: Final = 24


def _stamp(trace: TraceWords, slot: Slot) -> None:
    """Update the words of a slot that depend on the thread's waits."""
    place = slot.interval << layout.INTERVAL_SHIFT | slot.thread << layout.THREAD_SHIFT
    slot.prefix = place | slot.epoch << layout.EPOCH_SHIFT
    warp = trace.block << _WARP_SHIFT | slot.thread >> _WARP_SHIFT
    slot.segment_key = (warp << _WAITS_SHIFT | slot.waits) + 1


def _use_interval(trace: TraceWords, interval: int) -> None:
    trace.last = interval
    if interval >= layout.MAX_INTERVALS - 1:
        trace.overflowed = 1


def _find_region(trace: TraceWords, address: int) -> int:
    """Return the number of the region that holds an address, -1 for none."""
    for number in range(trace.region_count):
        region = RegionWords.at(trace.regions, number)
        if region.low <= address < region.high:
            return number
    return -1


def _begin_turn(trace: TraceWords, block: int) -> None:
    """Begin a block, or its part after a grid barrier."""
    trace.block = block
    _use_interval(trace, trace.last + 1)
    trace.base = trace.last
    trace.starts[block] = trace.last


def _pass_grid_barrier(trace: TraceWords, slot: Slot) -> None:
    """Go on after a grid barrier: the first thread begins a phase, the first thread of each block that block's turn."""
    slot.phase += 1
    if slot.phase > trace.phase_number:
        trace.phase_number = slot.phase
        trace.phase_base = trace.last + 1
        trace.block = -1
    if trace.block != slot.home:
        _begin_turn(trace, slot.home)
    slot.interval = trace.base
    slot.epoch = 0


def begin(owner: Slot, thread: int, block: int) -> Slot:
    """Begin a thread; return its slot. ``owner`` is the trace or any slot."""
    trace = owner.trace
    if trace.block != block:
        _begin_turn(trace, block)
    slot = Slot.at(trace.slots + block * trace.slot_step, thread)
    slot.thread = thread
    slot.home = block
    slot.interval = trace.base
    slot.waits = slot.epoch = slot.touched = slot.accesses = 0
    _stamp(trace, slot)
    return slot


def _value_at(address: int, size_bytes: int) -> int:
    """Return up to 8 bytes of an element as one word."""
    word = 0
    for number in range(min(size_bytes, 8)):
        word |= Bytes.at(address)[number] << (8 * number)
    return word


def _follow_access(slot: Slot, region: int, address: int, site: int, about: int, fresh: int) -> None:
    """Record an access of the followed thread."""
    trace = slot.trace
    number = trace.step_count
    trace.step_count = number + 1
    if region < 0 or number >= layout.MAX_STEPS:
        return
    step = StepEntry.at(trace.steps, number)
    step.site = site
    step.about = about
    step.address = address
    step.region = region
    step.value = _value_at(fresh if about & 3 == layout.WRITE else address, about >> 2)
    step.waits = slot.waits


def access(slot: Slot, address: int, site: int, about: int, fresh: int) -> None:
    """Follow an access for all watchers of the launch.

    Args:
        slot: the slot of the running thread.
        address: of the element.
        site: the place in the source.
        about: size in bytes << 2 | kind of access.
        fresh: address of the value that a write is about to store.
    """
    trace, mode = slot.trace, slot.trace.mode
    slot.accesses += 1
    if slot.accesses > trace.most:
        trace.left_out = 1
        mode &= layout.COUNT | layout.FOLLOW
    if mode & layout.FOLLOW and (slot.home != trace.followed_block or slot.thread != trace.followed_thread):
        mode &= layout.CHECK | layout.COUNT
    if mode == 0:
        return
    region = _find_region(trace, address)
    if mode & layout.FOLLOW:
        _follow_access(slot, region, address, site, about, fresh)
    if region < 0:
        return
    if mode & layout.CHECK:
        _check_access(slot, region, address, site, about, fresh)
    if mode & layout.COUNT:
        count_access(slot, region, address, site, about)


def arrive(slot: Slot, what: int) -> None:
    """Follow the end of a wait."""
    trace = slot.trace
    slot.waits += 1
    if what == layout.BARRIER:
        slot.epoch = 0
        slot.interval += 1
        if slot.interval > trace.last:
            trace.barriers += 1
            _use_interval(trace, slot.interval)
    elif what == layout.GRID_BARRIER:
        _pass_grid_barrier(trace, slot)
    elif what == layout.SYNCWARP:
        slot.epoch = (slot.epoch + 1) & layout.EPOCH_MASK
    else:
        trace.exchanges += 1
    _stamp(trace, slot)


def branch(slot: Slot, site: int, taken: int) -> None:
    """Follow the direction that the running thread takes at a branch, for the cost figures."""
    if slot.trace.mode & layout.COUNT:
        count_branch(slot, site, taken)
