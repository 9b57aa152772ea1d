"""Counting what warps do, from threads that run one after the other; compiled by `routines`.

A GPU executes one instruction for the 32 threads of a warp together. Here its lanes run one by one, so the warp's
instructions are put together afterwards: what the lanes do when each comes to a place in the source for the k-th time,
within one *segment* (from one wait of the warp to its next), is one *request* of the warp. That is exact where the
lanes of a warp come to that place equally often, and where they do not it is the order in which they would reconverge.

The requests of a segment are kept until the warp's next segment begins, then evaluated and forgotten; so memory is
bounded by `MAX_GROUPS` requests, and what a longer segment does beyond them is counted in `left_out`.
"""

from __future__ import annotations

from grader.cuda_cpu.tracing import layout
from grader.cuda_cpu.tracing.layout import Group, RegionWords, SiteCounters, Slot, TraceWords
from grader.cuda_cpu.tracing.requests import evaluate_request

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
