"""Cost figures in plain sentences, with advice."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from grader.cuda_cpu.tracing.costs import LaunchCosts, PlaceCosts

_NOUNS: Final = {"load": "loads", "store": "stores", "atomic": "atomic operations"}
_MANY: Final = 100
_WARP: Final = 32
_SECTOR_BYTES: Final = 32
_NEARLY_ALL: Final = 31


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= _MANY or math.isclose(value, round(value), abs_tol=0.05) else f"{value:.1f}"


def _plural(value: float, word: str) -> str:
    number = _number(value)
    return f"{number} {word}" if number == "1" else f"{number} {word}{'es' if word.endswith('s') else 's'}"


def _subject(place: PlaceCosts, is_uniform: bool) -> str:
    preposition = {"load": "of", "store": "to", "atomic": "on"}[place.kind]
    whose = "Every warp's" if is_uniform else "A warp's"
    return f"{whose} {_NOUNS[place.kind]} {preposition} {place.array} (line {place.line})"


def _find_reason(place: PlaceCosts) -> str:
    """Return why requests fetch more sectors than the elements asked for would fill."""
    lanes, sectors = place.lanes / place.requests, place.sectors / place.requests
    if sectors > place.element_bytes * _WARP / _SECTOR_BYTES + 1:
        return "let neighbouring threads touch neighbouring elements"
    if lanes < _NEARLY_ALL:
        return f"only {_number(lanes)} of its {_WARP} threads come here"
    return f"its elements do not begin at a multiple of {_SECTOR_BYTES} bytes"


def _explain_global(place: PlaceCosts) -> str:
    lines, least = place.lines / place.requests, place.least_lines / place.requests
    sectors, best = place.sectors / place.requests, place.least_sectors / place.requests
    subject = _subject(place, is_uniform=place.lines == place.worst * place.requests)
    touch = f"{_plural(lines, 'line')} of 128 bytes"
    if place.sectors > place.least_sectors:
        limit = f" where {_number(least)} would do" if _number(lines) != _number(least) else ""
        return (
            f"{subject} touch {touch}{limit}, and fetch {_plural(sectors, 'sector')} of 32 bytes where "
            f"{_number(best)} would do: {_find_reason(place)}"
        )
    if place.lines > place.least_lines:
        return f"{subject} fetch {_plural(sectors, 'sector')} of 32 bytes, the least possible, from {touch}"
    return f"{subject} touch {touch}, the least possible"


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
