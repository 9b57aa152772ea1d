"""What one call was seen to do."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

Label = frozenset[str]
"""Where numbers come from, as a set of tokens; see `arrays`."""

NOTHING: Label = frozenset()
MIXED = "mixed: "
"""Begins a token of NumPy's work on whole arrays: numbers of several entries were brought together by the host."""
KERNEL = "kernel: "
COMPILED = "compiled: "
DATA = "data"
"""Numbers that came out of Python objects, so that nobody knows of which array they were."""
ELEMENTS = "elements"
"""Numbers that Python wrote one by one."""
INDEX = "index"
"""Numbers that a function such as `arange` made of nothing."""

_MOST = 50
MOST_TOLD = 30
"""So many entries of each table are told to the parent."""


@dataclass
class CallLog:
    """The record of one call; `full` if single reads and writes are recorded as well.

    It is made of Python's built-in types, whose methods nobody can replace.
    """

    full: bool = True
    mixes: dict[str, int] = field(default_factory=dict)
    """NumPy's operations that brought numbers of whole arrays together, with their line -> how often."""
    singles: dict[str, int] = field(default_factory=dict)
    """Functions of NumPy that were called with single numbers -> how often."""
    compiled: dict[str, int] = field(default_factory=dict)
    """Compiled functions that Python called -> how often."""
    dispatchers: dict[int, Any] = field(default_factory=dict)
    """What Numba made of them."""
    made: dict[int, tuple[Any, Label, list[Any]]] = field(default_factory=dict)
    """What compiled functions returned that is no array, by id, with its label, and what a list of Python held."""
    given_to_compiled: set[str] = field(default_factory=set)
    leaks: int = 0
    """Single numbers that were read out of what NumPy had mixed."""
    told: int = 0
    """Numbers that kernels were given one by one, or the device in small pieces, so that nobody labelled them."""
    reads: int = 0
    writes: int = 0
    waited_s: float = 0.0
    computed_s: float = 0.0
    refused: list[str] = field(default_factory=list)
    """Names that a module of the slice was asked for and does not hold."""

    def refuse(self, name: str) -> None:
        """Keep a name that no slice may use."""
        if len(self.refused) < _MOST and name not in self.refused:
            self.refused.append(name)


@dataclass
class _Current:
    """The log that is open, into which all goes that is observed; one between calls takes what imports do."""

    log: CallLog = field(default_factory=CallLog)
    folder: str = ""
    device: str = ""
    load: Callable[[str], Any] = import_module
    """Returns the module of a slice, where slices are open."""


current = _Current()


def tally(table: dict[str, int], what: str, times: int = 1) -> None:
    """Add to how often something was seen."""
    table[what] = table.get(what, 0) + times


def most_frequent(table: dict[str, int]) -> dict[str, int]:
    """Return what was seen most often, the most frequent first."""
    return dict(sorted(table.items(), key=lambda entry: -entry[1])[:MOST_TOLD])


def tally_mix(name: str) -> str:
    """Count an operation of NumPy's on whole arrays, with the line that asks for it, and return its token."""
    operation = f"numpy.{name} ({find_line(current.folder)})"
    tally(current.log.mixes, operation)
    return f"{MIXED}{operation}"


class _Mixed(dict[Label, bool]):
    """Label -> whether NumPy's work on whole arrays is in it, remembered: it is asked for every entry that is read."""

    def __missing__(self, label: Label) -> bool:
        self[label] = any(token.startswith(MIXED) for token in label)
        return self[label]


has_mixed = _Mixed()


def find_line(folder: str) -> str:
    """Return `file:line` of the innermost line of the files in `folder` that is being executed; empty for none."""
    frame = sys._getframe(1)  # noqa: SLF001 - the only way to ask for the running line
    while frame is not None:
        path = frame.f_code.co_filename
        if folder and path.startswith(folder):
            return f"{path[len(folder) + 1 :]}:{frame.f_lineno}"
        frame = frame.f_back  # type: ignore[assignment] # None ends the loop
    return ""
