"""Counting what warps do, from threads that run one after the other; compiled by `memory` for the CPU.

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
    BRANCH,
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
    KIND,
    LANE,
    LANE_NUMBER,
    LOST,
    ORIGIN,
    REGION,
    REGION_WORDS,
    REGIONS,
    SEGMENT,
    SEGMENT_KEY,
    SEGMENT_NUMBER,
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
)
from grader.cuda_cpu.tracing.memory import machine_code, words_at
from grader.cuda_cpu.tracing.requests import evaluate_request

_WARP = 32


@machine_code
def flush_segment(trace: Any) -> None:
    """Evaluate the requests of the segment that ends here."""
    for number in range(1, trace[GROUPS_USED] + 1):
        group = words_at(trace[GROUPS] + number * GROUP_WORDS * WORD_BYTES)
        evaluate_request(trace, group)
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
