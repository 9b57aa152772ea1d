"""Counting what warps do, from threads that run one after the other; compiled by Numba for the CPU.

A GPU executes one instruction for the 32 threads of a warp together. Here its lanes run one by one, so the warp's
instructions are put together afterwards: what the lanes do when each comes to a place in the source for the k-th time,
within one *segment* (from one wait of the warp to its next), is one *request* of the warp. That is exact where the
lanes of a warp come to that place equally often, and where they do not it is the order in which they would reconverge.

The requests of a segment are kept until the warp's next segment begins, then evaluated and forgotten; so memory is
bounded by `MAX_GROUPS` requests, and what a longer segment does beyond them is counted in `LOST`.
"""

from __future__ import annotations

from typing import Any

from grader.cuda_cpu.tracing.layout import (
    ACCESSES,
    ACTIVE,
    ATOMIC,
    BANKS,
    BRANCH,
    COALESCED,
    CONFLICTED,
    CURSOR,
    GROUP_LANES,
    GROUP_MASK,
    GROUP_NEXT,
    GROUP_SELF,
    GROUP_SITE,
    GROUP_WORDS,
    GROUPS,
    GROUPS_MAX,
    GROUPS_USED,
    HEAD,
    IDEAL_LINES,
    IDEAL_PASSES,
    IDEAL_SECTORS,
    KIND,
    LANE,
    LANE_NUMBER,
    LANES,
    LINES,
    LOST,
    ORIGIN,
    PASSES,
    REGION,
    REGION_WORDS,
    REGIONS,
    REQUESTS,
    SECTORS,
    SEGMENT,
    SEGMENT_KEY,
    SEGMENT_NUMBER,
    SHARED,
    SITE_LANE,
    SITE_SEGMENT,
    SITE_WORDS,
    SITES,
    SIZE_BYTES,
    SPACE,
    TAIL,
    THREAD,
    TOUCHED,
    WORD_BYTES,
    WORST,
)
from grader.cuda_cpu.tracing.memory import machine_code, words_at

_WARP = 32
_SECTOR_BYTES = 32
_LINE_BYTES = 128
_BANKS = 32
_BANK_BYTES = 4
_BANK_WORDS = 2


@machine_code
def _sort_lanes(addresses: Any, mask: int) -> int:
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


@machine_code
def _evaluate_global(site: Any, addresses: Any, mask: int) -> None:
    """Count the sectors and lines of one request to global memory, and the least that would do for its elements."""
    count = _sort_lanes(addresses, mask)
    size_bytes = site[SIZE_BYTES]
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
    wanted = elements * size_bytes
    site[SECTORS] += sectors
    site[LINES] += lines
    site[IDEAL_SECTORS] += (wanted + _SECTOR_BYTES - 1) // _SECTOR_BYTES
    site[IDEAL_LINES] += (wanted + _LINE_BYTES - 1) // _LINE_BYTES
    site[COALESCED] += sectors == (wanted + _SECTOR_BYTES - 1) // _SECTOR_BYTES
    site[WORST] = max(site[WORST], lines)
    if site[KIND] == ATOMIC:
        site[PASSES] += most
        site[IDEAL_PASSES] += 1


@machine_code
def _count_passes(banks: Any, addresses: Any, mask: int, first: int, lanes: int, words: int, kind: int) -> int:
    """Return in how many passes shared memory serves the lanes ``first <= lane < first + lanes``.

    That is the largest number of different words that one bank has to deliver; for atomic operations, of lanes.
    """
    for bank in range(_BANKS):
        banks[bank * _BANK_WORDS] = 0
    worst = 0
    for lane in range(first, first + lanes):
        if mask >> lane & 1 == 0:
            continue
        for part in range(words):
            word = addresses[lane] // _BANK_BYTES + part
            bank = word % _BANKS * _BANK_WORDS
            if banks[bank] != 0 and kind != ATOMIC and _is_repeated(addresses, mask, first, lane, part, word):
                continue
            banks[bank] += 1
            worst = max(worst, banks[bank])
    return int(worst)


@machine_code
def _is_repeated(addresses: Any, mask: int, first: int, lane: int, part: int, word: int) -> bool:
    """Return whether an earlier lane of the pass asks for the same word."""
    for earlier in range(first, lane):
        if mask >> earlier & 1 and addresses[earlier] // _BANK_BYTES + part == word:
            return True
    return False


@machine_code
def _evaluate_shared(trace: Any, site: Any, addresses: Any, mask: int) -> None:
    """Count the passes of one request to shared memory, and the passes that it would need without conflicts."""
    banks = words_at(trace[BANKS])
    words = max(1, (site[SIZE_BYTES] + _BANK_BYTES - 1) // _BANK_BYTES)
    lanes = max(1, _WARP // words)
    passes = ideal = 0
    for first in range(0, _WARP, lanes):
        needed = _count_passes(banks, addresses, mask, first, lanes, words, site[KIND])
        passes += needed
        ideal += needed > 0
    site[PASSES] += passes
    site[IDEAL_PASSES] += ideal
    site[CONFLICTED] += passes > ideal
    site[WORST] = max(site[WORST], passes)


@machine_code
def _evaluate_branch(site: Any, directions: Any, mask: int) -> None:
    taken = 0
    count = 0
    for lane in range(_WARP):
        if mask >> lane & 1:
            count += 1
            taken += directions[lane]
    site[CONFLICTED] += 0 < taken < count


@machine_code
def _evaluate(trace: Any, group: Any) -> None:
    site = words_at(trace[SITES] + group[GROUP_SITE] * SITE_WORDS * WORD_BYTES)
    mask = group[GROUP_MASK]
    lanes = 0
    for lane in range(_WARP):
        lanes += mask >> lane & 1
    site[REQUESTS] += 1
    site[LANES] += lanes
    values = words_at(trace[GROUPS] + (group[GROUP_SELF] * GROUP_WORDS + GROUP_LANES) * WORD_BYTES)
    if site[KIND] == BRANCH:
        _evaluate_branch(site, values, mask)
    elif group[GROUP_SITE] & 1 == SHARED:
        _evaluate_shared(trace, site, values, mask)
    else:
        _evaluate_global(site, values, mask)


@machine_code
def flush_segment(trace: Any) -> None:
    """Evaluate the requests of the segment that ends here."""
    for number in range(1, trace[GROUPS_USED] + 1):
        group = words_at(trace[GROUPS] + number * GROUP_WORDS * WORD_BYTES)
        _evaluate(trace, group)
    trace[GROUPS_USED] = 0
    trace[SEGMENT_NUMBER] += 1
    trace[LANE] = -1


@machine_code
def _enter_segment(trace: Any, slot: Any) -> None:
    if slot[SEGMENT_KEY] != trace[SEGMENT]:
        flush_segment(trace)
        trace[SEGMENT] = slot[SEGMENT_KEY]
    if slot[THREAD] != trace[LANE]:
        trace[LANE] = slot[THREAD]
        trace[LANE_NUMBER] += 1


@machine_code
def _next_group(trace: Any, site: Any) -> int:
    """Return the group that the running lane's visit of a site belongs to, 0 for a group not made yet."""
    if site[SITE_SEGMENT] != trace[SEGMENT_NUMBER]:
        site[SITE_SEGMENT] = trace[SEGMENT_NUMBER]
        site[HEAD] = site[TAIL] = site[CURSOR] = 0
        site[SITE_LANE] = 0
    if site[SITE_LANE] != trace[LANE_NUMBER]:
        site[SITE_LANE] = trace[LANE_NUMBER]
        return int(site[HEAD])
    if site[CURSOR] == 0:
        return 0
    return int(words_at(trace[GROUPS] + site[CURSOR] * GROUP_WORDS * WORD_BYTES)[GROUP_NEXT])


@machine_code
def _make_group(trace: Any, site: Any, number: int) -> int:
    """Append a group to those of a site; return its number, or 0 where there is no room."""
    if trace[GROUPS_USED] == trace[GROUPS_MAX]:
        site[LOST] += 1
        site[CURSOR] = site[TAIL]
        return 0
    trace[GROUPS_USED] += 1
    fresh = trace[GROUPS_USED]
    group = words_at(trace[GROUPS] + fresh * GROUP_WORDS * WORD_BYTES)
    group[GROUP_NEXT] = 0
    group[GROUP_SITE] = number
    group[GROUP_MASK] = 0
    group[GROUP_SELF] = fresh
    if site[TAIL] == 0:
        site[HEAD] = fresh
    else:
        words_at(trace[GROUPS] + site[TAIL] * GROUP_WORDS * WORD_BYTES)[GROUP_NEXT] = fresh
    site[TAIL] = fresh
    return int(fresh)


@machine_code
def _join_request(trace: Any, slot: Any, site: Any, number: int, value: int) -> None:
    _enter_segment(trace, slot)
    fresh = _next_group(trace, site)
    if fresh == 0:
        fresh = _make_group(trace, site, number)
        if fresh == 0:
            return
    site[CURSOR] = fresh
    group = words_at(trace[GROUPS] + fresh * GROUP_WORDS * WORD_BYTES)
    lane = slot[THREAD] % _WARP
    group[GROUP_MASK] |= 1 << lane
    group[GROUP_LANES + lane] = value


@machine_code
def count_access(trace: Any, slot: Any, number: int, address: int, site_number: int, about: int) -> None:
    """Count an access to memory.

    Args:
        trace: the trace's words.
        slot: the slot of the running thread.
        number: the region's number.
        address: of the element.
        site_number: the place in the source.
        about: size in bytes << 2 | kind of access.
    """
    region = words_at(trace[REGIONS] + number * REGION_WORDS * WORD_BYTES)
    index = site_number * 2 + region[SPACE]
    site = words_at(trace[SITES] + index * SITE_WORDS * WORD_BYTES)
    site[ACCESSES] += 1
    site[KIND] = about & 3
    site[SIZE_BYTES] = about >> 2
    site[REGION] = number
    if slot[TOUCHED] == 0:
        slot[TOUCHED] = 1
        trace[ACTIVE] += 1
    _join_request(trace, slot, site, index, address - region[ORIGIN])


@machine_code
def count_branch(trace: Any, slot: Any, site_number: int, taken: int) -> None:
    """Count the direction that the running thread takes at a branch."""
    index = site_number * 2
    site = words_at(trace[SITES] + index * SITE_WORDS * WORD_BYTES)
    site[ACCESSES] += 1
    site[KIND] = BRANCH
    _join_request(trace, slot, site, index, taken)
