"""Cost figures as sentences that teach."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from grader.cuda_cpu.tracing.costs import LaunchCosts, PlaceCosts

_NOUNS: Final = {"load": "loads", "store": "stores", "atomic": "atomic operations"}
_MANY: Final = 100


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= _MANY or math.isclose(value, round(value), abs_tol=0.05) else f"{value:.1f}"


def _plural(value: float, word: str) -> str:
    number = _number(value)
    return f"{number} {word}" if number == "1" else f"{number} {word}{'es' if word.endswith('s') else 's'}"


def _subject(place: PlaceCosts, is_uniform: bool) -> str:
    preposition = {"load": "of", "store": "to", "atomic": "on"}[place.kind]
    whose = "Every warp's" if is_uniform else "A warp's"
    return f"{whose} {_NOUNS[place.kind]} {preposition} {place.array} (line {place.line})"


def _explain_global(place: PlaceCosts) -> str:
    lines, least = place.lines / place.requests, place.least_lines / place.requests
    wasteful = place.sectors > place.least_sectors
    subject = _subject(place, is_uniform=place.lines == place.worst * place.requests)
    touch = f"{subject} touch {_plural(lines, 'line')} of 128 bytes"
    if not wasteful:
        return f"{touch}, the least possible"
    sectors, best = place.sectors / place.requests, place.least_sectors / place.requests
    if _number(lines) != _number(least):
        touch = f"{touch} where {_number(least)} would do"
    return (
        f"{touch}, and fetch {_plural(sectors, 'sector')} of 32 bytes where {_number(best)} would do: let "
        "neighbouring threads touch neighbouring elements"
    )


def _explain_shared(place: PlaceCosts) -> str:
    subject = _subject(place, is_uniform=place.passes == place.worst * place.requests)
    passes, least = place.passes / place.requests, place.least_passes / place.requests
    if not place.conflicts:
        return f"{subject} take {_plural(passes, 'pass')} of shared memory, without bank conflicts"
    return (
        f"{subject} take {_plural(passes, 'pass')} of shared memory where {_number(least)} would do: several lanes "
        "want different words of one bank; rows that are one element longer often help"
    )


def _explain_crowding(place: PlaceCosts) -> str:
    subject = _subject(place, is_uniform=place.passes == place.least_passes)
    if place.passes == place.least_passes:
        return f"{subject} go to different elements"
    return (
        f"{subject} happen in {_plural(place.passes / place.requests, 'step')}, one after the other, because lanes "
        "want the same element: add up inside the warp or block first"
    )


def _explain_memory(place: PlaceCosts) -> Iterable[str]:
    if not place.requests:
        return
    if place.space == "shared":
        yield _explain_shared(place)
        return
    yield _explain_global(place)
    if place.kind == "atomic":
        yield _explain_crowding(place)


def _explain_branches(costs: LaunchCosts) -> Iterable[str]:
    branches = [place for place in costs.places if place.kind == "branch" and place.requests]
    if branches and not costs.divergent_branches:
        yield "No warp splits at a branch: all its threads always take the same direction"
    for place in branches:
        if place.divergent:
            yield (
                f"At line {place.line} a warp splits in {_number(place.divergent)} of {_number(place.requests)} cases: "
                "its threads take different directions, one after the other"
            )


def describe_costs(costs: LaunchCosts) -> list[str]:
    """Return the cost figures of one launch as plain sentences, each without a full stop.

    Args:
        costs: one entry of what ``counting()`` yields.
    """
    blocks = math.prod(costs.grid)
    size = f"{_plural(blocks, 'block')} of {_plural(costs.threads // blocks, 'thread')}"
    sentences = [f"Counted, not timed: kernel {costs.kernel} ran {size}, {_plural(costs.warps, 'warp')} in all"]
    if costs.active_threads < costs.threads:
        sentences.append(f"{_number(costs.active_threads)} of {_number(costs.threads)} threads touched any array")
    if costs.barriers:
        sentences.append(f"Each block passed {_plural(costs.barriers / blocks, 'barrier')}")
    for place in costs.places:
        if place.kind != "branch":
            sentences.extend(_explain_memory(place))
    sentences.extend(_explain_branches(costs))
    if left_out := costs.total("left_out"):
        sentences.append(f"{_number(left_out)} accesses in long stretches without a barrier are not in these figures")
    return sentences
