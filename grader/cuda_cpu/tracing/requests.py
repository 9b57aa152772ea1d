"""What one request of a warp costs: sectors and lines, passes and conflicts; compiled by `routines`.

The threads run one by one; their accesses are put together to requests. For formulas and their sources, see `costs`.
"""

from grader.cuda_cpu.records import Words
from grader.cuda_cpu.tracing import layout
from grader.cuda_cpu.tracing.layout import Group, RegionWords, SiteCounters, Slot, TraceWords

_WARP = 32
_SECTOR_BYTES = 32
_LINE_BYTES = 128
_BANK_BYTES = 4


def _sort_lanes(addresses: Words, mask: int) -> int:
    """Move the addresses of the lanes in ``mask`` to the front, in rising order; return how many there are."""
    count = 0
    for lane in range(_WARP):
        if mask >> lane & 1:
            address = addresses[lane]
            place = count
            while place > 0 and addresses[place - 1] > address:
                addresses[place] = addresses[place - 1]
                place -= 1
            addresses[place] = address
            count += 1
    return count


def _evaluate_global(site: SiteCounters, addresses: Words, mask: int) -> None:
    """Count the sectors and lines of one request to global memory, and the least that is enough for its elements."""
    count = _sort_lanes(addresses, mask)
    size_bytes = site.element_bytes
    sectors = lines = elements = repeats = most = 0
    sector = line = previous = -1
    for place in range(count):
        address = addresses[place]
        end = address + size_bytes - 1
        sectors += max(0, end // _SECTOR_BYTES - max(sector, address // _SECTOR_BYTES - 1))
        lines += max(0, end // _LINE_BYTES - max(line, address // _LINE_BYTES - 1))
        sector, line = end // _SECTOR_BYTES, end // _LINE_BYTES
        repeats = repeats + 1 if address == previous else 1
        elements += repeats == 1
        most = max(most, repeats)
        previous = address
    least = (elements * size_bytes + _SECTOR_BYTES - 1) // _SECTOR_BYTES
    site.sectors += sectors
    site.lines += lines
    site.least_sectors += least
    site.least_lines += (elements * size_bytes + _LINE_BYTES - 1) // _LINE_BYTES
    site.coalesced += sectors == least
    site.worst = max(site.worst, lines)
    if site.kind == layout.ATOMIC:
        site.passes += most
        site.least_passes += 1


def _count_passes(banks: Words, addresses: Words, mask: int, first: int, lanes: int, words: int, kind: int) -> int:
    """Return in how many passes shared memory serves the lanes ``first <= lane < first + lanes``.

    It is the largest number of different words that one bank has to deliver; for atomic operations, of lanes.
    """
    for bank in range(layout.BANKS):
        banks[bank] = 0
    worst = 0
    for lane in range(first, first + lanes):
        if mask >> lane & 1 == 0:
            continue
        for part in range(words):
            word = addresses[lane] // _BANK_BYTES + part
            bank = word % layout.BANKS
            if banks[bank] != 0 and kind != layout.ATOMIC and _is_repeated(addresses, mask, first, lane, part, word):
                continue
            banks[bank] += 1
            worst = max(worst, banks[bank])
    return worst


def _is_repeated(addresses: Words, mask: int, first: int, lane: int, part: int, word: int) -> bool:
    """Return whether an earlier lane of the pass asks for the same word."""
    for earlier in range(first, lane):
        if mask >> earlier & 1 and addresses[earlier] // _BANK_BYTES + part == word:
            return True
    return False


def _evaluate_shared(trace: TraceWords, site: SiteCounters, addresses: Words, mask: int) -> None:
    """Count the passes of one request to shared memory, and the passes that it would need without conflicts."""
    words = max(1, (site.element_bytes + _BANK_BYTES - 1) // _BANK_BYTES)
    lanes = max(1, _WARP // words)
    passes = ideal = 0
    for first in range(0, _WARP, lanes):
        needed = _count_passes(trace.banks, addresses, mask, first, lanes, words, site.kind)
        passes += needed
        ideal += needed > 0
    site.passes += passes
    site.least_passes += ideal
    site.conflicts += passes > ideal
    site.worst = max(site.worst, passes)


def _evaluate_branch(site: SiteCounters, directions: Words, mask: int) -> None:
    taken = count = 0
    for lane in range(_WARP):
        if mask >> lane & 1:
            count += 1
            taken += directions[lane]
    site.conflicts += 0 < taken < count


def evaluate_request(trace: TraceWords, group: Group) -> None:
    """Add the figures of one request (a group of lanes at one place) to the counters of its place."""
    site = SiteCounters.at(trace.sites, group.site)
    mask = group.mask
    lanes = 0
    for lane in range(_WARP):
        lanes += mask >> lane & 1
    site.requests += 1
    site.lanes += lanes
    if site.kind == layout.BRANCH:
        _evaluate_branch(site, group.lanes, mask)
    elif group.site & 1 == layout.SHARED:
        _evaluate_shared(trace, site, group.lanes, mask)
    else:
        _evaluate_global(site, group.lanes, mask)


def flush_segment(trace: TraceWords) -> None:
    """Evaluate the requests of a segment (a warp's accesses between two waits) that ends here."""
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
    """Return the group to which the running lane's present visit of a site belongs; 0 if it does not exist yet."""
    if site.segment != trace.segment_number:
        site.segment = trace.segment_number
        site.head = site.tail = site.cursor = site.lane = 0
    if site.lane != trace.lane_number:
        site.lane = trace.lane_number
        return site.head
    return Group.at(trace.groups, site.cursor).next if site.cursor else 0


def _make_group(trace: TraceWords, site: SiteCounters, number: int) -> int:
    """Append a group to the groups of a site; return its number, or 0 if there is no room."""
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
    """Count an access to memory; `number` is the region's, for the other arguments see `runtime.access`."""
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
