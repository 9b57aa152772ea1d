"""The watchers of launches that are active in this process: check mode, cost figures, one thread's steps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from grader.cuda_cpu.tracing.trace import Trace


MAX_NOTES: Final = 10


class Watcher:
    """Receives the traces of launches.

    Attributes:
        mode: `layout.CHECK`, `layout.COUNT` or `layout.FOLLOW`.
        most: how many accesses of each thread check mode looks at; 0 for all.
        notes: what could not be followed, and why.
    """

    mode: int
    most = 0

    def __init__(self, notes: list[str]) -> None:
        self.notes = notes

    def receive(self, trace: Trace) -> None:
        """Take in a launch that has ended, normally or with a fault."""
        raise NotImplementedError

    def miss(self, kernel: str, reason: str) -> None:
        """Note that a launch could not be followed."""
        note = f"kernel {kernel}: {reason}"
        if note not in self.notes and len(self.notes) < MAX_NOTES:
            self.notes.append(note)


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
    """Remove a watcher; without any, launches run at full speed."""
    if watcher in _watchers:
        _watchers.remove(watcher)


def current_watchers() -> tuple[Watcher, ...]:
    """Return the active watchers."""
    return tuple(_watchers)
