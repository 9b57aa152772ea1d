"""The record of what was observed in one call."""

import sys
from dataclasses import dataclass, field
from typing import Any, NoReturn

Label = frozenset[str]  # where numbers come from, as a set of tokens; see `arrays`

NOTHING: Label = frozenset()
MIXED = "mixed: "  # start of a token for NumPy's work on whole arrays: the host combined the numbers of several entries
ALONE = "alone: "  # start of a token for NumPy's work on each number by itself
KERNEL = "kernel: "
COMPILED = "compiled: "
DATA = "data"  # numbers that came out of Python objects, so that the array from which they were read is unknown
ELEMENTS = "elements"  # numbers that Python wrote one by one
SPOILS = (MIXED, ALONE, DATA, ELEMENTS, COMPILED)
"""Starts of tokens for the host's earlier work, which the answer of a kernel or compiled function inherits."""
INDEX = "index"  # numbers that a function such as `arange` made without any data

_MOST = 50


@dataclass
class CallLog:
    """The record of one call; `full` if single reads and writes are recorded as well.

    It is made of Python's built-in types, whose methods a slice cannot replace.
    """

    full: bool = True
    mixes: dict[str, int] = field(default_factory=dict)
    """Operation of NumPy that combined numbers of whole arrays, with its line -> how often."""
    singles: dict[str, int] = field(default_factory=dict)
    """Function of NumPy that was called with single numbers, or with a few -> how often."""
    compiled: dict[str, int] = field(default_factory=dict)  # compiled function that Python called -> how often
    dispatchers: dict[int, Any] = field(default_factory=dict)  # by id: Numba's objects for these functions
    made: dict[int, tuple[Any, Label, list[Any]]] = field(default_factory=dict)
    """By id: an object, no array, that compiled code returned or changed; its label; its items if it is a list."""
    given_to_compiled: set[str] = field(default_factory=set)
    leaks: int = 0  # how many single numbers Python read out of `mixed` arrays
    told: int = 0  # how many numbers without a label kernels got one by one, or the device got in small arrays
    reads: int = 0
    writes: int = 0
    waited_s: float = 0.0
    computed_s: float = 0.0
    refused: list[str] = field(default_factory=list)
    """What the slice asked for and may not use: names, or short descriptions."""

    def refuse(self, name: str) -> None:
        """Record a name, or a description, of something that no slice may use."""
        if len(self.refused) < _MOST and name not in self.refused:
            self.refused.append(name)


@dataclass
class _Current:
    """The log in which everything observed is recorded, and settings of the worker; each call and import gets a log."""

    log: CallLog = field(default_factory=CallLog)
    folder: str = ""
    device: str = ""
    slices: Any = None  # the `worker.Slices` of a worker of slices


current = _Current()


def refuse(name: str, words: str, error: type[Exception] = TypeError) -> NoReturn:
    """Record what a slice may not use, and raise: a graded function cannot do what `words` say."""
    current.log.refuse(name)
    raise error(f"a graded function cannot {words}")


def tally(table: dict[str, int], what: str, times: int = 1) -> None:
    """Add `times` to the count of `what` in a table."""
    table[what] = table.get(what, 0) + times


def tally_work(name: str, entries: int) -> str:
    """Count an operation of NumPy's on arrays of so many entries, and return its token; on a single one, `INDEX`."""
    if entries <= 1:
        tally(current.log.singles, name)
        return INDEX
    operation = f"numpy.{name} ({find_line(current.folder)})"
    tally(current.log.mixes, operation)
    return f"{MIXED}{operation}"


def alone(name: str) -> Label:
    """Return the token for an operation of NumPy's on each number by itself; none if it is linear."""
    linear = ("add", "subtract", "multiply", "negative", "positive", "conjugate")
    return NOTHING if name in linear else frozenset({f"{ALONE}numpy.{name} ({find_line(current.folder)})"})


class _Mixed(dict[Label, bool]):
    """Label -> whether it has a `mixed` token; the answer is kept, because every read of an entry asks for it."""

    def __missing__(self, label: Label) -> bool:
        self[label] = any(token.startswith(MIXED) for token in label)
        return self[label]


has_mixed = _Mixed()


def find_line(folder: str) -> str:
    """Return `file:line` of the innermost line of the files in `folder` that is being executed; empty for none."""
    frame = sys._getframe(1)  # noqa: SLF001 - the only way to ask for the running line
    while frame is not None and not frame.f_code.co_filename.startswith(folder):
        frame = frame.f_back  # type: ignore[assignment] # None ends the loop
    return f"{frame.f_code.co_filename[len(folder) + 1 :]}:{frame.f_lineno}" if folder and frame else ""
