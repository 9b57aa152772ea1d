"""What check mode finds, as plain records and as sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

Triple = tuple[int, int, int]
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


@dataclass(frozen=True)
class Unwritten:
    """A read of shared memory that no thread of the block has written: of whatever the block before has left there.

    Attributes:
        kernel: the kernel's name.
        array: the variable's name.
        index: of the element in the first such read.
        access: the first such read.
        count: how many there were on this line.
    """

    kernel: str
    array: str
    index: tuple[int, ...]
    access: Access
    count: int

    def describe(self) -> str:
        """Return what happened and why it matters, in some sentences."""
        element = f"{self.array}[{', '.join(map(str, self.index))}]"
        return (
            f"kernel {self.kernel}: {element} (shared memory) has not been written by any thread of the block when "
            f"{self.access} ({self.count} times). A GPU does not clear shared memory: the value must not matter"
        )


@dataclass
class CheckRecord:
    """What check mode has found so far.

    Attributes:
        launches: how many launches were followed.
        races: the first ten, by pairs of lines.
        remarks: the first ten places where threads write the same value to one element.
        unwritten: the first ten lines that read shared memory which nobody has written.
        dropped: how many conflicting accesses lie at further places.
        notes: what was not followed, and why.
    """

    launches: int = 0
    races: list[Race] = field(default_factory=list)
    remarks: list[Race] = field(default_factory=list)
    unwritten: list[Unwritten] = field(default_factory=list)
    dropped: int = 0
    notes: list[str] = field(default_factory=list)

    def describe(self) -> list[str]:
        """Return the findings as sentences, races first."""
        sentences = [race.describe() for race in self.races]
        sentences += [read.describe() for read in self.unwritten]
        sentences += [remark.describe() for remark in self.remarks]
        if self.dropped:
            sentences.append(f"{self.dropped} more conflicting accesses lie at further places")
        return [*sentences, *self.notes]
