"""Check mode: from the words of a trace to data races and reads of unwritten shared memory."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from grader.cuda_cpu.faults import find_site
from grader.cuda_cpu.launches import Triple
from grader.cuda_cpu.tracing import layout
from grader.cuda_cpu.tracing.session import Watcher, watch
from grader.cuda_cpu.tracing.trace import Trace

_VERBS: Final = {"read": "reads", "write": "writes", "atomic": "atomically updates"}


@dataclass(frozen=True)
class Access:
    """What one thread did to an element: ``read``, ``write`` or ``atomic``, on which line."""

    action: str
    filename: str
    line: int
    block: Triple
    thread: Triple

    def __str__(self) -> str:
        return (
            f"thread {self.thread} of block {self.block} {_VERBS[self.action]} it at "
            f"{Path(self.filename).name}:{self.line}"
        )


@dataclass(frozen=True)
class Race:
    """Two accesses to one element that nothing orders, at least one of which writes."""

    kernel: str  # its name
    array: str  # the parameter's name for global memory, the variable's for shared memory
    index: tuple[int, ...]  # of the element in the first such pair
    space: str  # global or shared
    kind: str  # write-write, read-write, atomic-read or atomic-write
    first: Access  # the access that came first here; on a GPU either may come first
    second: Access  # the other one
    count: int  # how many such pairs of accesses on these two lines were seen
    same_value: bool = False  # whether both wrote the same value, so that the order does not matter
    across_blocks: bool = False  # whether some of these pairs were of different blocks

    @property
    def identity(self) -> tuple[Any, ...]:
        """What races that count as one have in common: the array and the two lines, in no order."""
        lines = frozenset((access.action, access.filename, access.line) for access in (self.first, self.second))
        return self.kernel, self.array, self.space, self.same_value, lines

    def joined(self, other: Race) -> Race:
        """Return the first such pair of accesses, counted together with those of another finding."""
        return replace(self, count=self.count + other.count, across_blocks=self.across_blocks or other.across_blocks)

    def describe(self) -> str:
        """Return what happened and what to do about it, in some sentences."""
        element = f"{self.array}[{', '.join(map(str, self.index))}]"
        if self.same_value:
            return (
                f"kernel {self.kernel}: several threads write the same value to {element} ({self.space} memory): "
                f"{self.first}, {self.second} ({self.count} times). That is harmless, but one thread would do"
            )
        return (
            f"kernel {self.kernel}: {self.kind} race on {element} ({self.space} memory): {self.first}, "
            f"{self.second}, and nothing orders the two ({self.count} times). {self._advise()}"
        )

    def _advise(self) -> str:
        if "atomic" in self.kind:
            return f"Use an atomic operation on both lines, or {_SEPARATE[self.across_blocks]}"
        if self.first.line == self.second.line:
            return _ACCUMULATE
        if self.kind == "write-write":
            return f"Let one thread own the element, or {_SEPARATE[self.across_blocks]}"
        if self.across_blocks:
            return "Blocks run in any order, and cuda.syncthreads() holds for one block only: use a second launch"
        earlier, later = sorted((self.first.line, self.second.line))
        if "syncthreads" in "".join(linecache.getlines(self.first.filename)[earlier : later - 1]):
            return (
                f"A barrier stands between the two lines, and none on the way from line {later} round the loop to line "
                f"{earlier}: put another cuda.syncthreads() behind line {later}"
            )
        return "Put cuda.syncthreads() between the two lines"


_ACCUMULATE: Final = (
    "To accumulate, use cuda.atomic (such as cuda.atomic.add); else let one thread own the element, or read everything "
    "before anything is written: into another array, or behind cuda.syncthreads()"
)
_SEPARATE: Final = {
    False: "put cuda.syncthreads() between the two accesses",
    True: "use a second launch: cuda.syncthreads() holds for one block only",
}


@dataclass(frozen=True)
class Unwritten:
    """A read of shared memory that no thread of the block has written; the value is left from an earlier block."""

    kernel: str  # its name
    array: str  # the variable's name
    index: tuple[int, ...]  # of the element in the first such read
    access: Access  # the first such read
    count: int  # how many there were on this line

    @property
    def identity(self) -> tuple[Any, ...]:
        """What reads that count as one have in common: the line."""
        return self.kernel, self.access.filename, self.access.line

    def joined(self, other: Unwritten) -> Unwritten:
        """Return the first such read, counted together with those of another finding."""
        return replace(self, count=self.count + other.count)

    def describe(self) -> str:
        """Return what happened and why it matters, in some sentences."""
        element = f"{self.array}[{', '.join(map(str, self.index))}]"
        return (
            f"kernel {self.kernel}: {element} (shared memory) has not been written by any thread of the block when "
            f"{self.access} ({self.count} times). A GPU does not clear shared memory: the value must not matter"
        )


@dataclass(eq=False, kw_only=True)
class CheckRecord(Watcher):
    """What check mode has found so far."""

    mode = layout.CHECK
    launches: int = 0  # how many were followed
    races: list[Race] = field(default_factory=list)  # the first ten, by pairs of lines
    remarks: list[Race] = field(default_factory=list)  # the first ten where threads write one value to one element
    unwritten: list[Unwritten] = field(default_factory=list)  # the first ten lines that read unwritten shared memory
    dropped: int = 0  # how many conflicting accesses lie at further places

    def describe(self) -> list[str]:
        """Return the findings as sentences, races first."""
        sentences = [race.describe() for race in self.races]
        sentences += [read.describe() for read in self.unwritten]
        sentences += [remark.describe() for remark in self.remarks]
        if self.dropped:
            sentences.append(f"{self.dropped} more conflicting accesses lie at further places")
        return [*sentences, *self.notes]

    def summary(self) -> list[str]:
        """Return the number of launches, and the findings, as lines of text."""
        findings = self.describe() or ["no data race found"]
        return [f"checked {self.launches} kernel launches", *(f"- {line}" for line in findings)]

    @property
    def has_failed(self) -> bool:
        """Whether there are data races."""
        return bool(self.races)

    def receive(self, trace: Trace) -> None:
        """Record a launch that has ended, normally or with a fault."""
        self.launches += 1
        for finding in read_findings(trace):
            self._add(finding)
        self.dropped += int(trace.words["races_lost"])
        for name in trace.unchecked:
            self.miss(trace.kernel, f"the array {name} has too many elements and was not checked")
        if trace.words["left_out"]:
            self.miss(trace.kernel, f"only the first {self.most} accesses of each thread were checked")
        if trace.words["overflowed"]:
            self.miss(trace.kernel, "only the first part was checked: the launch has too many blocks and barriers")

    def _add(self, finding: Race | Unwritten) -> None:
        """Add a finding, or its count to an equal one; drop it if there are too many others of its kind."""
        found: list[Any] = self.unwritten
        if isinstance(finding, Race):
            found = self.remarks if finding.same_value else self.races
        for position, known in enumerate(found):
            if known.identity == finding.identity:
                found[position] = known.joined(finding)
                return
        if len(found) < MAX_SHOWN:
            found.append(finding)
        elif found is not self.unwritten:
            self.dropped += finding.count


MAX_SHOWN: Final = 10
_ACTIONS: Final = {layout.READ: "read", layout.WRITE: "write", layout.ATOMIC: "atomic"}


def _read_access(trace: Trace, word: int, block: int, kind: int) -> Access:
    site = find_site(word & layout.SITE_MASK)
    return Access(_ACTIONS[kind], site.filename, site.line, trace.block_at(block), trace.thread_of(word))


def _locate(trace: Trace, entry: Any) -> tuple[str, tuple[int, ...]]:
    """Return the array's name (as a parameter, else as the line names it) and the element's index."""
    region, size_bytes = int(entry["region"]), int(entry["size_bytes"])
    array, index = trace.locate(region, int(entry["address"]), size_bytes)
    return array or find_site(int(entry["now"]) & layout.SITE_MASK).name, index


def _name_kind(first: str, second: str) -> str:
    if "atomic" in (first, second):
        return "atomic-read" if "read" in (first, second) else "atomic-write"
    return "read-write" if "read" in (first, second) else "write-write"


def read_findings(trace: Trace) -> Iterator[Race | Unwritten]:
    """Yield the findings in a launch, in the order in which they were made; several may be of the same lines."""
    for entry in trace.races[: int(trace.words["race_count"])]:
        what = int(entry["key"]) >> 2 * layout.SITE_BITS
        array, index = _locate(trace, entry)
        second = _read_access(trace, int(entry["now"]), int(entry["block_now"]), what >> layout.KIND_BITS & 3)
        if what & 3 == layout.UNWRITTEN:
            yield Unwritten(trace.kernel, array, index, second, int(entry["hits"]))
            continue
        first = _read_access(trace, int(entry["before"]), int(entry["block_before"]), what & 3)
        yield Race(
            kernel=trace.kernel,
            array=array,
            index=index,
            space="shared" if trace.regions[int(entry["region"])].space == layout.SHARED else "global",
            kind=_name_kind(first.action, second.action),
            first=first,
            second=second,
            count=int(entry["hits"]),
            same_value=bool(what >> layout.SAME_SHIFT & 1),
            across_blocks=bool(what >> layout.ACROSS_SHIFT & 1),
        )


def checking(most: int = 0) -> AbstractContextManager[CheckRecord]:
    """Return a context manager in which every launch is checked for data races; it yields the record.

    A checked launch takes about fifty times as long as another. Only the first `most` accesses of each thread are
    checked; 0 means all.
    """
    return watch(CheckRecord(most=most))
