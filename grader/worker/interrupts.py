"""Signals that end a program wait for a moment in which they do no harm."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType

ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def held_back() -> Iterator[None]:
    """Let Ctrl-C, SIGTERM and SIGHUP wait until the block is over; only the main thread may call this.

    A signal mask would not do: where another thread runs, such as one of NumPy's, the kernel gives the signal to that
    one, and Python interrupts the main thread all the same.
    """
    came: list[signal.Signals] = []

    def note(number: int, _frame: FrameType | None) -> None:
        came.append(signal.Signals(number))

    try:
        with ExitStack() as usual:
            for number in ENDS:
                usual.callback(signal.signal, number, signal.signal(number, note) or signal.SIG_DFL)
            yield
    finally:
        for first in came[:1]:
            signal.raise_signal(first)
