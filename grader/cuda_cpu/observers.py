"""Callbacks that are called after every kernel launch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

Triple = tuple[int, int, int]


@dataclass(frozen=True)
class Launch:
    """One finished launch: the kernel, its geometry, its bytes of dynamic shared memory, Numba's argument types.

    `wall_s` is what its threads took, in seconds, without the copying of arguments.
    """

    kernel: str
    py_func: Callable[..., Any]
    grid: Triple
    block: Triple
    shared_bytes: int
    argument_types: tuple[Any, ...] = ()
    wall_s: float = 0.0


_observers: list[Callable[[Launch], None]] = []


@contextmanager
def observe_launches(callback: Callable[[Launch], None]) -> Iterator[None]:
    """Return a context manager during which ``callback(launch)`` is called after every kernel launch."""
    _observers.append(callback)
    try:
        yield
    finally:
        _observers.remove(callback)


def notify(launch: Launch) -> None:
    """Call all observers with a launch that has ended."""
    for callback in tuple(_observers):
        callback(launch)
