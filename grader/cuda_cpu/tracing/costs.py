"""Cost figures: what a launch asks of a GPU's memory and warps. Counted, not timed.

The words and formulas are those of the CUDA C++ Best Practices Guide ("Coalesced Access to Global Memory", "Shared
Memory and Memory Banks", "Branching and Divergence") and of the CUDA C++ Programming Guide (compute capability 5.x and
later):

- A *request* is one load or store instruction of one warp. Global memory serves it in *sectors* of 32 bytes, which lie
  in *lines* of 128 bytes. The least possible number is ``ceil(distinct elements x bytes / 32)`` sectors and
  ``ceil(... / 128)`` lines; a request that needs no more sectors than that is *coalesced*.
- Shared memory has 32 *banks*; successive words of 4 bytes lie in successive banks. A request takes as many *passes* as
  the most different words that one bank has to deliver; lanes that ask for the same word share it. Elements of 8 bytes
  are served to half a warp at a time, those of 16 bytes to a quarter.
- Atomic operations on one element happen one after the other; their passes are the most lanes of a warp that want the
  same element (in shared memory, elements of the same bank).
- A branch is *divergent* where lanes of one warp take different directions. Branches are counted in the source; the
  compiler of a GPU turns short ones into predicated instructions.

Addresses are counted from the beginning of an allocation, which a GPU aligns to 256 bytes.
"""

import math
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Final

from grader.cuda_cpu.faults import find_site
from grader.cuda_cpu.launches import Triple
from grader.cuda_cpu.tracing import layout
from grader.cuda_cpu.tracing.session import Watcher, watch
from grader.cuda_cpu.tracing.trace import Trace

_WARP: Final = 32
_KINDS: Final = {layout.READ: "load", layout.WRITE: "store", layout.ATOMIC: "atomic", layout.BRANCH: "branch"}
_SPACES: Final = {layout.GLOBAL: "global", layout.SHARED: "shared"}
MAX_LAUNCHES: Final = 1000


@dataclass(frozen=True)
class PlaceCosts:
    """What one place in the source costs in one launch."""

    kind: str  # load, store, atomic or branch
    space: str  # global or shared; empty for branches
    array: str  # the variable's name on that line; empty for branches
    filename: str  # of the source
    line: int  # in the source
    element_bytes: int  # of the array
    accesses: int  # by single threads
    requests: int  # by warps
    lanes: int  # that took part, summed over the requests
    coalesced: int = 0  # requests that need the least possible number of sectors
    sectors: int = 0  # of 32 bytes of global memory that the requests touch
    least_sectors: int = 0  # that are enough for these elements
    lines: int = 0  # of 128 bytes of global memory that the requests touch
    least_lines: int = 0  # that are enough for these elements
    passes: int = 0  # of shared memory, or of atomic operations
    least_passes: int = 0  # without bank conflicts, and without atomic operations on the same element
    worst: int = 0  # the most lines (global memory) or passes (shared memory) of one request
    conflicts: int = 0  # requests with bank conflicts
    divergent: int = 0  # requests of a branch in which the lanes take different directions
    left_out: int = 0  # accesses that are not in these figures except in `accesses`: their segment was too long


@dataclass(frozen=True)
class LaunchCosts:
    """The cost figures of one launch; `dataclasses.asdict` gives plain values for JSON."""

    kernel: str  # its name
    grid: Triple  # blocks along x, y, z
    block: Triple  # threads along x, y, z
    threads: int  # that were launched
    active_threads: int  # that touched global or shared memory at all
    warps: int  # that were launched
    barriers: int  # of a block that were passed, summed over the blocks
    exchanges: int  # shuffles, votes and matches of single threads
    places: tuple[PlaceCosts, ...]  # one for each place in the source, in the order of the lines

    def total(self, figure: str, kind: str = "", space: str = "") -> int:
        """Return the sum of a figure over the places of a kind and a space; an empty text stands for all."""
        chosen = (place for place in self.places if kind in ("", place.kind) and space in ("", place.space))
        return sum(getattr(place, figure) for place in chosen)

    @property
    def divergent_branches(self) -> int:
        """How often a warp's lanes take different directions at a branch."""
        return self.total("divergent", "branch")


@dataclass(eq=False, kw_only=True)
class CostRecord(Watcher):
    """The costs of the launches so far, at most `MAX_LAUNCHES`; `notes` say what was not followed, and why."""

    mode = layout.COUNT
    launches: list[LaunchCosts] = field(default_factory=list)

    def receive(self, trace: Trace) -> None:
        """Record a launch that has ended, normally or with a fault."""
        if len(self.launches) < MAX_LAUNCHES:
            self.launches.append(read_costs(trace))
        else:
            self.miss(trace.kernel, f"only the first {MAX_LAUNCHES} launches were counted")

    def summary(self) -> list[str]:
        """Return the figures of the first launch of each kernel and geometry, as lines of text."""
        kinds: dict[tuple[str, Triple, Triple], LaunchCosts] = {}
        for costs in self.launches:
            kinds.setdefault((costs.kernel, costs.grid, costs.block), costs)
        lines = []
        for costs in kinds.values():
            lines += [*(f"{line}." for line in describe_costs(costs)), ""]
        return [*lines, *self.notes]


# Figures with the same name in `SiteCounters`; the other figures of a place follow from its kind.
_SUMMED: Final = (
    *("accesses", "requests", "lanes", "coalesced", "sectors", "least_sectors", "lines", "least_lines"),
    *("passes", "least_passes", "conflicts", "left_out"),
)


def _read_place(identity: tuple[str, int, str, str, str], rows: Any) -> PlaceCosts:
    """Return the costs of a place; compiled code may have several counters for it."""
    filename, line, kind, space, array = identity
    sums = {name: int(rows[name].sum()) for name in _SUMMED}
    split = sums.pop("conflicts")
    return PlaceCosts(
        kind=kind,
        space=space,
        array=array,
        filename=filename,
        line=line,
        element_bytes=int(rows["element_bytes"][0]),
        worst=int(rows["worst"].max()),
        conflicts=0 if kind == "branch" else split,
        divergent=split if kind == "branch" else 0,
        **sums,
    )


def read_costs(trace: Trace) -> LaunchCosts:
    """Return the costs of a launch that has ended."""
    counters: dict[tuple[str, int, str, str, str], list[int]] = {}
    for number in trace.sites["accesses"].nonzero()[0].tolist():
        site, kind = find_site(number // 2), _KINDS[int(trace.sites[number]["kind"])]
        space = "" if kind == "branch" else _SPACES[number % 2]
        counters.setdefault((site.filename, site.line, kind, space, site.name), []).append(number)
    threads, blocks = math.prod(trace.block), math.prod(trace.grid)
    return LaunchCosts(
        kernel=trace.kernel,
        grid=trace.grid,
        block=trace.block,
        threads=threads * blocks,
        active_threads=int(trace.words["active"]),
        warps=-(-threads // _WARP) * blocks,
        barriers=int(trace.words["barriers"]),
        exchanges=int(trace.words["exchanges"]),
        places=tuple(_read_place(key, trace.sites[counters[key]]) for key in sorted(counters)),
    )


def counting() -> AbstractContextManager[CostRecord]:
    """Return a context manager in which every launch is counted; it yields the record."""
    return watch(CostRecord())


_NOUNS: Final = {"load": "loads", "store": "stores", "atomic": "atomic operations"}
_MANY: Final = 100
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
    """Return why requests fetch more sectors than their elements fill."""
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
    """Return the cost figures of a launch from ``counting()``'s record, as sentences without a full stop."""
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
