"""The places in students' sources that traced machine code names by number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from grader.cuda_cpu.tracing.layout import SITE_MASK


@dataclass(frozen=True)
class TraceSite:
    """A place that touches memory or branches: the array's name there (empty for a branch), file and line."""

    name: str
    filename: str
    line: int
    element: str = ""
    """NumPy's name of the element's type, where it has one."""

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}"


_SITES: Final[list[TraceSite]] = []


def register_trace_site(name: str, loc: Any, element: str = "") -> int:
    """Return the number of a place; entries are never removed, because compiled code carries the numbers.

    Raises:
        NotImplementedError: when this process has compiled more places than an access word can name.
    """
    if len(_SITES) > SITE_MASK:
        msg = f"more than {SITE_MASK} places were traced in this process: check the kernels in a fresh one"
        raise NotImplementedError(msg)
    _SITES.append(TraceSite(name, str(loc.filename), int(loc.line), element))
    return len(_SITES) - 1


def find_trace_site(number: int) -> TraceSite:
    """Return the place behind a number."""
    return _SITES[number]


def count_trace_sites() -> int:
    """Return how many places there are."""
    return len(_SITES)
