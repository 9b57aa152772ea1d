"""What can go wrong inside a kernel, from the machine code's numbers to a sentence.

Compiled code knows numbers only: a status, the number of the *site* (a place in the source) and the fault record, an
array of 64-bit words that the launch hands to it. This module owns both tables and the layout of the record.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

OUT_OF_BOUNDS: Final = -100
BARRIER_DIVERGED: Final = -101
WARP_DIVERGED: Final = -102

MAX_AXES: Final = 8
STATUS, SITE, NDIM = 0, 1, 2
THREAD, BLOCK = 3, 6
INDEX, SHAPE = 9, 9 + MAX_AXES
IGNORED = SHAPE + MAX_AXES
OTHER_SITE, OTHER_THREAD, WAITING, MISSING = IGNORED + 1, IGNORED + 2, IGNORED + 5, IGNORED + 6
EXITED_EARLY = IGNORED + 7
SHAPE_NDIM = IGNORED + 8
RECORD_WORDS: Final = IGNORED + 16


class CudaBarrierError(RuntimeError):
    """A barrier that not all threads of a block (or named lanes of a warp) reach."""


@dataclass(frozen=True)
class Site:
    """A place in the kernel's source: what happens there, to what, and where.

    `parts` are those of an index, such as ``("", ":")`` for ``[i, :]``; empty where all are integers.
    """

    action: str
    name: str
    filename: str
    line: int
    parts: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}"


@dataclass
class _Tables:
    """Process-wide numbering; entries are never removed, because compiled code carries the numbers."""

    sites: list[Site] = field(default_factory=list)
    exceptions: list[tuple[type[BaseException] | None, tuple[Any, ...] | None, Any]] = field(default_factory=list)


_TABLES: Final = _Tables()


def register_site(action: str, name: str, loc: Any, parts: tuple[str, ...] = ()) -> int:
    """Return the number that stands for this place in compiled code."""
    _TABLES.sites.append(Site(action, name, str(loc.filename), int(loc.line), parts))
    return len(_TABLES.sites) - 1


def find_site(number: int) -> Site:
    """Return the place that a number from compiled code stands for."""
    return _TABLES.sites[number]


def register_exception(exc: type[BaseException] | None, args: tuple[Any, ...] | None, locinfo: Any) -> int:
    """Return the positive status with which a function reports this ``raise`` statement."""
    _TABLES.exceptions.append((exc, args, locinfo))
    return len(_TABLES.exceptions)


def find_exception(status: int) -> tuple[type[BaseException] | None, tuple[Any, ...] | None, Any]:
    """Return (class, arguments, (function, file, line)) of the ``raise`` statement behind a positive status."""
    return _TABLES.exceptions[status - 1]


def _position(record: Any) -> str:
    thread = tuple(int(n) for n in record[THREAD : THREAD + 3])
    block = tuple(int(n) for n in record[BLOCK : BLOCK + 3])
    return f"block {block}, thread {thread}"


def _out_of_bounds(record: Any, kernel: str) -> IndexError:
    site = find_site(int(record[SITE]))
    axes = int(record[NDIM])
    index = tuple(int(n) for n in record[INDEX : INDEX + axes])
    shape = tuple(int(n) for n in record[SHAPE : SHAPE + int(record[SHAPE_NDIM])])
    if not shape:
        return IndexError(
            f"{site}: {site.action} {site.name} is out of bounds in kernel {kernel}, in {_position(record)}"
        )
    shown = index[0] if axes == 1 else index
    numbers = iter(index)
    parts = [part or str(next(numbers)) for part in site.parts or [""] * axes]
    return IndexError(
        f"{site}: {site.action} {site.name}[{', '.join(parts)}] is out of bounds in kernel {kernel}: "
        f"index {shown} of an array of shape {shape}, in {_position(record)}"
    )


def _barrier(record: Any, kernel: str) -> CudaBarrierError:
    site = find_site(int(record[SITE]))
    other = int(record[OTHER_SITE])
    place = "have already left the kernel" if other < 0 else f"wait in {find_site(other).name}() at {find_site(other)}"
    block, thread = (tuple(int(n) for n in record[start : start + 3]) for start in (BLOCK, OTHER_THREAD))
    return CudaBarrierError(
        f"{site}: {site.name}() in kernel {kernel} is not reached by all threads: in block {block}, "
        f"{int(record[WAITING])} threads wait there, while {int(record[MISSING])} others, such as thread {thread}, "
        f"{place}. A barrier must be reached by every thread of the block: move it out of the condition"
    )


def _warp(record: Any, kernel: str) -> CudaBarrierError:
    site = find_site(int(record[SITE]))
    return CudaBarrierError(
        f"{site}: {site.name}() in kernel {kernel}, {_position(record)}, waits for lanes of its warp that never "
        "call it with the same mask. Every lane that the mask names must reach the call"
    )


def describe_early_return(record: Any, kernel: str) -> str:
    """Return the warning about threads that returned while others still wait at a barrier."""
    site = find_site(int(record[EXITED_EARLY]) - 1)
    return (
        f"{site}: some threads of kernel {kernel} returned before {site.name}(), at which others of their block wait. "
        "A GPU goes on without them, but CUDA does not promise it: let all threads reach the barrier"
    )


def describe_user_exception(status: int, record: Any) -> BaseException:
    """Return the exception that a ``raise`` statement or failed ``assert`` in the kernel stands for."""
    exc, args, locinfo = find_exception(status)
    place = f"In function {locinfo[0]!r}, file {locinfo[1]}, line {locinfo[2]}, " if locinfo else ""
    text = f"{place}tid={[int(n) for n in record[THREAD:BLOCK]]} ctaid={[int(n) for n in record[BLOCK:INDEX]]}"
    kind = exc or RuntimeError
    return kind(f"{text}: {args[0]}", *args[1:]) if args else kind(text)


def describe_fault(record: Any, kernel: str) -> BaseException:
    """Return the exception for a kernel that stopped with a fault.

    Args:
        record: the launch's fault record, 64-bit words as laid out above.
        kernel: the kernel's name, for the message.
    """
    status = int(record[STATUS])
    if status == OUT_OF_BOUNDS:
        return _out_of_bounds(record, kernel)
    if status == BARRIER_DIVERGED:
        return _barrier(record, kernel)
    if status == WARP_DIVERGED:
        return _warp(record, kernel)
    if status > 0:
        return describe_user_exception(status, record)
    return SystemError(f"kernel {kernel} ended with the unknown status {status}")
