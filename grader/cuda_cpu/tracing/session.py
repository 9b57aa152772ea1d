"""Who is watching launches at present."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from grader.cuda_cpu.tracing.trace import Trace


class Watcher(Protocol):
    """Something that wants to see traces: `mode` is `layout.CHECK` or `layout.COUNT`.

    Check mode looks at the first `most` accesses of each thread; at all where that is 0.
    """

    mode: int
    most: int

    def receive(self, trace: Trace) -> None:
        """Take in a launch that has ended, normally or with a fault."""

    def miss(self, kernel: str, reason: str) -> None:
        """Take in that a launch could not be followed."""


_watchers: Final[list[Watcher]] = []


@contextmanager
def watch(watcher: Watcher) -> Iterator[None]:
    """Return a context manager during which a watcher sees every launch."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        stop_watching(watcher)


def stop_watching(watcher: Watcher) -> None:
    """Leave further launches, which then run at full speed, to whoever else watches."""
    if watcher in _watchers:
        _watchers.remove(watcher)


def current_watchers() -> tuple[Watcher, ...]:
    """Return who is watching."""
    return tuple(_watchers)
