"""Following one thread of a launch: what it reads and writes, in its own order, with the line of the source."""

import linecache
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from grader.cuda_cpu.faults import find_site
from grader.cuda_cpu.launches import two_threads
from grader.cuda_cpu.tracing import layout
from grader.cuda_cpu.tracing.session import Watcher, stop_watching, watch
from grader.cuda_cpu.tracing.trace import Trace

MAX_LAUNCHES = 20
_WORDS = {layout.READ: "reads ", layout.WRITE: "writes", layout.ATOMIC: "atomic"}
_WORD_BYTES = 8


@dataclass(frozen=True)
class Step:
    """One access: `kind` is `reads`, `writes` or `atomic`; `value` is the value read or written (atomic: before)."""

    filename: str
    line: int
    kind: str
    array: str
    index: tuple[int, ...]
    value: str
    waits: int  # how often the thread has waited before, at barriers and in warp operations

    def __str__(self) -> str:
        where = f"{self.array or 'memory'}[{', '.join(map(str, self.index))}]"
        return f"{self.kind} {where}" + (f" = {self.value}" if self.value else "")


@dataclass(frozen=True)
class Walk:
    """What the followed thread did in one launch."""

    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    steps: tuple[Step, ...]
    left_out: int = 0


@dataclass(eq=False, kw_only=True)
class FollowRecord(Watcher):
    """The walks of the followed thread, one per launch, and what could not be followed."""

    mode = layout.FOLLOW
    thread: tuple[int, int]
    """Number of the block in the grid and of the thread in the block, counted along x, then y, then z."""
    only_writes: bool = False  # whether all other accesses are counted, and left out
    walks: list[Walk] = field(default_factory=list)

    def receive(self, trace: Trace) -> None:
        """Record a launch that has ended."""
        self.walks.append(read_walk(trace, only_writes=self.only_writes))
        if len(self.walks) == MAX_LAUNCHES:
            self.notes.append(f"(only the first {MAX_LAUNCHES} launches are followed)")
            stop_watching(self)

    def summary(self) -> list[str]:
        """Return the walks as lines of text: each line of the source, and below it what the thread did there."""
        lines, (block, thread) = [], self.thread
        for walk, alike in groupby(self.walks):
            where = f"kernel {walk.kernel}, grid {walk.grid}, block {walk.block}: block {block}, thread {thread}"
            count = f"{len(walk.steps)} accesses" if walk.steps else "no access to an array, or no such thread"
            lines += [f"{where}: {count}", *_describe_steps(walk.steps)]
            if again := len(list(alike)) - 1:
                lines.append(f"  (the same in the next {again} launches)" if again > 1 else "  (the same once more)")
            if walk.left_out:
                lines.append(f"  {walk.left_out} more accesses are left out: follow a smaller launch")
        return [*lines, *self.notes] or ["no kernel was launched"]


def _describe_steps(steps: tuple[Step, ...]) -> Iterator[str]:
    waits = 0
    for (filename, line, now), group in groupby(steps, key=lambda step: (step.filename, step.line, step.waits)):
        if now != waits:
            yield f"  (waits for the others {now - waits} times)" if now - waits > 1 else "  (waits for the others)"
            waits = now
        yield f"  {Path(filename).name}:{line}: {linecache.getline(filename, line).strip()}"
        yield from (f"      {step}" for step in group)


def read_walk(trace: Trace, *, only_writes: bool = False) -> Walk:
    """Return what the followed thread did in a launch that has ended."""
    count = int(trace.words["step_count"])
    rows = trace.steps[: min(count, layout.MAX_STEPS)]
    rows = rows[rows["about"] != 0]
    kept = rows[rows["about"] & 3 == layout.WRITE] if only_writes else rows
    left_out = max(0, count - layout.MAX_STEPS) + len(rows) - len(kept)
    return Walk(trace.kernel, trace.grid, trace.block, tuple(_read_step(trace, row) for row in kept), left_out)


def _read_step(trace: Trace, row: Any) -> Step:
    site = find_site(int(row["site"]))
    about, number, address = (int(row[at]) for at in ("about", "region", "address"))
    size_bytes = about >> 2
    name, index = trace.locate(number, address, size_bytes)
    value = _show(row["value"], _find_dtype(trace, number, address, site.element), size_bytes)
    return Step(site.filename, site.line, _WORDS[about & 3], name or site.name, index, value, int(row["waits"]))


def _find_dtype(trace: Trace, number: int, address: int, element: str) -> np.dtype[Any] | None:
    """Return the type of the element at an address: the one that the compiler knew, else the type of the array."""
    if element:
        return np.dtype(element)
    inside = (array for array in trace.regions[number].arrays if array.bounds[0] <= address < array.bounds[1])
    dtype: np.dtype[Any] | None = next((array.memory.dtype for array in inside), None)
    return dtype


def _show(word: Any, dtype: np.dtype[Any] | None, size_bytes: int) -> str:
    """Return the value in the low bytes of a word as text; empty if it is no plain number of that size."""
    if dtype is None or dtype.itemsize != size_bytes or size_bytes > _WORD_BYTES or dtype.kind not in "biuf":
        return ""
    value = np.array([word], np.int64).view(np.uint8)[:size_bytes].view(dtype)[0]
    return f"{value:.7g}" if dtype.kind == "f" else str(value)


def following(block: int, thread: int) -> AbstractContextManager[FollowRecord]:
    """Return a context manager in which one thread of every launch is followed; it yields the record.

    The numbers of block and thread count from 0, along x, then y, then z.
    """
    return watch(FollowRecord(thread=(block, thread)))


class Work(NamedTuple):
    """What one thread did in all launches of a call."""

    accesses: int  # how often it touched arrays
    writes: dict[str, set[tuple[int, ...]]]  # array -> indices of the entries that it wrote


def work_of_two(call: Callable[[], object]) -> tuple[Work, Work]:
    """Follow two neighbouring threads of the launches of `call`, a call for each; return what each thread did."""
    first, second = (_work_of(call, 0, thread) for thread in (0, 1))
    return first, second if second.accesses else _work_of(call, 1, 0)  # blocks of one thread: take the next block's


def _work_of(call: Callable[[], object], block: int, thread: int) -> Work:
    with two_threads(), watch(FollowRecord(thread=(block, thread), only_writes=True)) as record:
        call()
    writes: dict[str, set[tuple[int, ...]]] = {}
    for step in (step for walk in record.walks for step in walk.steps):
        writes.setdefault(step.array, set()).add(step.index)
    return Work(sum(len(walk.steps) + walk.left_out for walk in record.walks), writes)
