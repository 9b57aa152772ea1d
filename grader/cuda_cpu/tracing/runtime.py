"""The routines that traced machine code calls, compiled by `routines`; each is given the slot of its thread first."""

from __future__ import annotations

from typing import Final

from grader.cuda_cpu.records import Bytes
from grader.cuda_cpu.tracing import layout
from grader.cuda_cpu.tracing.layout import Group, RegionWords, SiteCounters, Slot, StepEntry, TraceWords
from grader.cuda_cpu.tracing.requests import evaluate_request
from grader.cuda_cpu.tracing.shadow import check_access, note_acquire

_WARP = 32


def flush_segment(trace: TraceWords) -> None:
    """Evaluate the requests of the segment that ends here."""
    for number in range(1, trace.groups_used + 1):
        evaluate_request(trace, Group.at(trace.groups, number))
    trace.groups_used = 0
    trace.segment_number += 1
    trace.lane = -1


def _enter_segment(trace: TraceWords, slot: Slot) -> None:
    if slot.segment_key != trace.segment:
        flush_segment(trace)
        trace.segment = slot.segment_key
    if slot.thread != trace.lane:
        trace.lane = slot.thread
        trace.lane_number += 1


def _next_group(trace: TraceWords, site: SiteCounters) -> int:
    """Return the group that the running lane's visit of a site belongs to, 0 for a group not made yet."""
    if site.segment != trace.segment_number:
        site.segment = trace.segment_number
        site.head = site.tail = site.cursor = site.lane = 0
    if site.lane != trace.lane_number:
        site.lane = trace.lane_number
        return site.head
    return Group.at(trace.groups, site.cursor).next if site.cursor else 0


def _make_group(trace: TraceWords, site: SiteCounters, number: int) -> int:
    """Append a group to those of a site; return its number, or 0 where there is no room."""
    if trace.groups_used == trace.groups_max:
        site.left_out += 1
        site.cursor = site.tail
        return 0
    trace.groups_used += 1
    fresh = trace.groups_used
    group = Group.at(trace.groups, fresh)
    group.site = number
    group.next = group.mask = 0
    if site.tail == 0:
        site.head = fresh
    else:
        Group.at(trace.groups, site.tail).next = fresh
    site.tail = fresh
    return fresh


def _join_request(slot: Slot, site: SiteCounters, number: int, value: int) -> None:
    trace = slot.trace
    _enter_segment(trace, slot)
    fresh = _next_group(trace, site)
    if fresh == 0:
        fresh = _make_group(trace, site, number)
    if fresh == 0:
        return
    site.cursor = fresh
    group = Group.at(trace.groups, fresh)
    lane = slot.thread % _WARP
    group.mask |= 1 << lane
    group.lanes[lane] = value


def count_access(slot: Slot, number: int, address: int, site_number: int, about: int) -> None:
    """Count an access to memory.

    Args:
        slot: the slot of the running thread.
        number: the region's number.
        address: of the element.
        site_number: the place in the source.
        about: size in bytes << 2 | kind of access.
    """
    trace = slot.trace
    region = RegionWords.at(trace.regions, number)
    index = site_number * 2 + region.space
    site = SiteCounters.at(trace.sites, index)
    site.accesses += 1
    site.kind = about & 3
    site.element_bytes = about >> 2
    if slot.touched == 0:
        slot.touched = 1
        trace.active += 1
    _join_request(slot, site, index, address - region.origin)


def count_branch(slot: Slot, site_number: int, taken: int) -> None:
    """Count the direction that the running thread takes at a branch."""
    index = site_number * 2
    site = SiteCounters.at(slot.trace.sites, index)
    site.accesses += 1
    site.kind = layout.BRANCH
    _join_request(slot, site, index, taken)


_WARPS_SHIFT: Final = 5
_WAITS_SHIFT: Final = 24


def _stamp(trace: TraceWords, slot: Slot) -> None:
    """Renew what depends on how often the thread has waited."""
    place = slot.interval << layout.INTERVAL_SHIFT | slot.thread << layout.THREAD_SHIFT
    slot.prefix = place | slot.epoch << layout.EPOCH_SHIFT
    warp = trace.block << _WARPS_SHIFT | slot.thread >> _WARPS_SHIFT
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
    """Begin a block, or its part behind a grid barrier."""
    trace.block = block
    _use_interval(trace, trace.last + 1)
    trace.base = trace.last
    trace.starts[block] = trace.last


def _pass_grid_barrier(trace: TraceWords, slot: Slot) -> None:
    """Go on behind a barrier of all blocks: the first thread there begins a phase, the first of each block its turn."""
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
    slot.waits = slot.epoch = slot.touched = slot.seen = 0
    _stamp(trace, slot)
    return slot


def check(slot: Slot, address: int, site: int, about: int, fresh: int) -> None:
    """Follow an access for check mode; ``about`` is the element's size in bytes << 2 | the kind."""
    trace = slot.trace
    slot.seen += 1
    if slot.seen > trace.most:
        trace.left_out = 1
        return
    region = _find_region(trace, address)
    if region < 0:
        return
    if about & 3 == layout.ATOMIC:
        note_acquire(slot)
    if trace.overflowed == 0:
        check_access(slot, region, address, site, about, fresh)


def count(slot: Slot, address: int, site: int, about: int, fresh: int) -> None:
    """Follow an access for the cost figures."""
    region = _find_region(slot.trace, address)
    if region >= 0:
        count_access(slot, region, address, site, about)


def _value_at(address: int, size_bytes: int) -> int:
    """Return up to 8 bytes of an element as one word."""
    word = 0
    for number in range(min(size_bytes, 8)):
        word |= Bytes.at(address)[number] << (8 * number)
    return word


def follow(slot: Slot, address: int, site: int, about: int, fresh: int) -> None:
    """Keep what the followed thread does; `fresh` is where a value lies that is about to be written."""
    trace = slot.trace
    if slot.home != trace.followed_block or slot.thread != trace.followed_thread:
        return
    region = _find_region(trace, address)
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


def check_and_count(slot: Slot, address: int, site: int, about: int, fresh: int) -> None:
    """Follow an access for both."""
    check(slot, address, site, about, fresh)
    count(slot, address, site, about, fresh)


def arrive(slot: Slot, what: int) -> None:
    """Follow the end of a wait."""
    trace = slot.trace
    slot.waits += 1
    if what == layout.BARRIER:
        slot.epoch = 0
        slot.interval += 1
        trace.arrivals += 1
        if slot.interval > trace.last:
            trace.barriers += 1
            _use_interval(trace, slot.interval)
    elif what == layout.GRID_BARRIER:
        _pass_grid_barrier(trace, slot)
    elif what == layout.SYNCWARP:
        slot.epoch = (slot.epoch + 1) & layout.EPOCH_MASK
    _stamp(trace, slot)


def ignore_branch(slot: Slot, site: int, taken: int) -> None:
    """Follow no branches."""
