"""What one request of a warp costs: sectors and lines, passes and conflicts; compiled by `memory` for the CPU.

The formulas and their sources stand in `costs`.
"""

from __future__ import annotations

from typing import Any

from grader.cuda_cpu.tracing.layout import (
    ATOMIC,
    BANKS,
    BRANCH,
    COALESCED,
    CONFLICTED,
    GROUP_LANES,
    GROUP_MASK,
    GROUP_SELF,
    GROUP_SITE,
    GROUP_WORDS,
    GROUPS,
    IDEAL_LINES,
    IDEAL_PASSES,
    IDEAL_SECTORS,
    KIND,
    LANES,
    LINES,
    PASSES,
    REQUESTS,
    SECTORS,
    SHARED,
    SITE_WORDS,
    SITES,
    SIZE_BYTES,
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
def evaluate_request(trace: Any, group: Any) -> None:
    """Add the figures of one request (a group of lanes at one place) to the counters of its place."""
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
