"""What one request of a warp costs: sectors and lines, passes and conflicts; compiled by `routines`.

The formulas and their sources stand in `costs`.
"""

from __future__ import annotations

from grader.cuda_cpu.records import Words
from grader.cuda_cpu.tracing import layout
from grader.cuda_cpu.tracing.layout import Group, SiteCounters, TraceWords

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
    """Count the sectors and lines of one request to global memory, and the least that would do for its elements."""
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

    That is the largest number of different words that one bank has to deliver; for atomic operations, of lanes.
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
