"""Check mode: data races as plain records and as sentences."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from grader.cuda_cpu.tracing import layout
from grader.cuda_cpu.tracing.session import watch
from grader.cuda_cpu.tracing.sites import find_trace_site
from grader.cuda_cpu.tracing.trace import Trace, Triple, Words

MAX_SHOWN: Final = 10
_ACTIONS: Final = {layout.READ: "read", layout.WRITE: "write", layout.ATOMIC: "atomic"}
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
    """Two accesses to one element that nothing orders, at least one of which writes.

    Attributes:
        kernel: the kernel's name.
        array: the parameter's name for global memory, the variable's for shared memory.
        index: of the element in the first such pair.
        space: ``global`` or ``shared``.
        kind: ``write-write``, ``read-write``, ``atomic-read`` or ``atomic-write``.
        first: the access that happened to come first here; on a GPU either may.
        second: the other one.
        count: how many such pairs of accesses on these two lines were seen.
        same_value: whether both wrote the same value, so that no order shows.
        across_blocks: whether some of these pairs were of different blocks.
    """

    kernel: str
    array: str
    index: tuple[int, ...]
    space: str
    kind: str
    first: Access
    second: Access
    count: int
    same_value: bool = False
    across_blocks: bool = False

    @property
    def place(self) -> frozenset[tuple[str, str, int]]:
        """The two lines, each with what it does, in no order."""
        return frozenset((access.action, access.filename, access.line) for access in (self.first, self.second))

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
        return "Put cuda.syncthreads() between the two lines"


_ACCUMULATE: Final = (
    "To accumulate, use cuda.atomic (such as cuda.atomic.add); else let one thread own the element, or read everything "
    "before anything is written: into another array, or behind cuda.syncthreads()"
)
_SEPARATE: Final = {
    False: "put cuda.syncthreads() between the two accesses",
    True: "use a second launch: cuda.syncthreads() holds for one block only",
}


@dataclass
class CheckRecord:
    """What check mode has found so far.

    Attributes:
        launches: how many launches were followed.
        races: the first ten, by pairs of lines.
        remarks: the first ten places where threads write the same value to one element.
        dropped: how many conflicting accesses lie at further places.
        notes: what was not followed, and why.
    """

    launches: int = 0
    races: list[Race] = field(default_factory=list)
    remarks: list[Race] = field(default_factory=list)
    dropped: int = 0
    notes: list[str] = field(default_factory=list)

    def describe(self) -> list[str]:
        """Return the findings as sentences, races first."""
        sentences = [race.describe() for race in (*self.races, *self.remarks)]
        if self.dropped:
            sentences.append(f"{self.dropped} more conflicting accesses lie at further places")
        return [*sentences, *self.notes]


def _action_pair(trace: Trace, entry: Words, what: int) -> tuple[Access, Access]:
    accesses = []
    for word, block, kind in (
        (layout.RACE_BEFORE, layout.BLOCK_BEFORE, what & 3),
        (layout.RACE_NOW, layout.BLOCK_NOW, what >> layout.KIND_BITS & 3),
    ):
        site = find_trace_site(int(entry[word]) & layout.SITE_MASK)
        position = trace.block_at(int(entry[block])), trace.thread_of(int(entry[word]))
        accesses.append(Access(_ACTIONS[kind], site.filename, site.line, *position))
    return accesses[0], accesses[1]


def _name_kind(first: str, second: str) -> str:
    if "atomic" in (first, second):
        return "atomic-read" if "read" in (first, second) else "atomic-write"
    return "read-write" if "read" in (first, second) else "write-write"


def read_races(trace: Trace) -> list[Race]:
    """Return the races of a launch, one for each pair of lines, in the order in which they came up."""
    races: list[Race] = []
    for number in range(int(trace.words[layout.RACE_COUNT])):
        entry = trace.races[number * layout.RACE_WORDS : (number + 1) * layout.RACE_WORDS]
        region, size_bytes = int(entry[layout.RACE_REGION]), int(entry[layout.RACE_SIZE])
        array, index = trace.locate(region, int(entry[layout.RACE_ADDRESS]), size_bytes)
        what = int(entry[layout.RACE_KEY]) >> 2 * layout.SITE_BITS
        first, second = _action_pair(trace, entry, what)
        site = find_trace_site(int(entry[layout.RACE_NOW]) & layout.SITE_MASK)
        race = Race(
            kernel=trace.kernel,
            array=array or site.name,
            index=index,
            space="shared" if trace.regions[region].space == layout.SHARED else "global",
            kind=_name_kind(first.action, second.action),
            first=first,
            second=second,
            count=int(entry[layout.RACE_HITS]),
            same_value=bool(what >> layout.SAME_SHIFT & 1),
            across_blocks=bool(what >> layout.ACROSS_SHIFT & 1),
        )
        _merge(races, race)
    return races


def _merge(races: list[Race], race: Race) -> bool:
    """Add a race to the list, or its count to the same one; return whether it was there."""
    for position, other in enumerate(races):
        mine, its = ((r.kernel, r.array, r.space, r.same_value, r.place) for r in (race, other))
        if mine == its:
            races[position] = replace(
                other, count=other.count + race.count, across_blocks=other.across_blocks or race.across_blocks
            )
            return True
    races.append(race)
    return False


class _Checker:
    mode = layout.CHECK

    def __init__(self, record: CheckRecord) -> None:
        self._record = record

    def receive(self, trace: Trace) -> None:
        record = self._record
        record.launches += 1
        for race in read_races(trace):
            found = record.remarks if race.same_value else record.races
            if not _merge(found, race) and len(found) > MAX_SHOWN:
                record.dropped += found.pop().count
        record.dropped += int(trace.words[layout.RACES_LOST])
        for name in trace.too_large():
            self.miss(trace.kernel, f"the array {name} has too many elements and was not checked")
        if trace.words[layout.OVERFLOWED]:
            self.miss(trace.kernel, "only the first part was checked: the launch has too many blocks and barriers")

    def miss(self, kernel: str, reason: str) -> None:
        note = f"kernel {kernel}: {reason}"
        if note not in self._record.notes and len(self._record.notes) < MAX_SHOWN:
            self._record.notes.append(note)


@contextmanager
def checking() -> Iterator[CheckRecord]:
    """Return a context manager in which every launch is checked for data races; it yields the record."""
    record = CheckRecord()
    with watch(_Checker(record)):
        yield record
