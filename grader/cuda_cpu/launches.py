"""Launches: CUDA's limits of grids and blocks, with CUDA's own errors, and callbacks after each launch."""

import ctypes
import math
import operator
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeVar

Entry = TypeVar("Entry")
Triple = tuple[int, int, int]

MAX_BLOCK: Final[Triple] = (1024, 1024, 64)
MAX_THREADS: Final = 1024
MAX_GRID: Final[Triple] = (2**31 - 1, 65535, 65535)
MAX_SHARED_BYTES: Final = 48 * 1024
WARP_SIZE: Final = 32
_INVALID_PTX: Final = 218


class CudaAPIError(Exception):
    """An error that the CUDA driver would report for this launch."""

    def __init__(self, code: int, msg: str) -> None:
        self.code = code
        self.msg = msg
        super().__init__(code, msg)

    def __str__(self) -> str:
        return f"[{self.code}] {self.msg}"


def read_dimensions(dimension: Any, name: str) -> Triple:
    """Return a grid or a block, whose name is for messages, as a triple.

    Raises:
        ValueError: for more than three dimensions.
        TypeError: for dimensions that are not integers.
    """
    values = tuple(dimension) if isinstance(dimension, (tuple, list)) else (dimension,)
    if len(values) > 3:  # noqa: PLR2004  # CUDA has three dimensions
        raise ValueError(f"{name} must be a sequence of 1, 2 or 3 integers, got {list(values)}")
    numbers = []
    for value in values:
        try:
            numbers.append(operator.index(value))
        except TypeError:
            raise TypeError(f"{name} must be a sequence of integers, got {list(values)}") from None
    x, y, z = [*numbers, 1, 1, 1][:3]
    return x, y, z


@lru_cache
def check_launch(grid: Triple, block: Triple, static_bytes: int, dynamic_bytes: int) -> None:
    """Refuse a launch that a GPU would refuse.

    Raises:
        CudaAPIError: CUDA_ERROR_INVALID_VALUE with the limit that is exceeded; CUDA_ERROR_INVALID_PTX for a kernel
            whose static shared arrays alone exceed it.
    """
    if static_bytes > MAX_SHARED_BYTES:
        text = f"the kernel uses too much shared data ({static_bytes:#x} bytes, {MAX_SHARED_BYTES:#x} max)"
        call = "Call to cuLinkAddData results in CUDA_ERROR_INVALID_PTX"
        raise CudaAPIError(_INVALID_PTX, f"{call}: ptxas error: {text}")
    reason = None
    if min(*grid, *block) < 1:
        reason = f"every dimension must be at least 1, got grid {grid} and block {block}"
    elif block[0] * block[1] * block[2] > MAX_THREADS:
        reason = f"a block of {block[0] * block[1] * block[2]} threads {block}; the limit is {MAX_THREADS}"
    elif any(size > limit for size, limit in zip(block, MAX_BLOCK, strict=True)):
        reason = f"block {block}; the limits are {MAX_BLOCK}"
    elif any(size > limit for size, limit in zip(grid, MAX_GRID, strict=True)):
        reason = f"grid {grid}; the limits are {MAX_GRID}"
    elif not 0 <= static_bytes + dynamic_bytes <= MAX_SHARED_BYTES:
        reason = f"{static_bytes + dynamic_bytes} bytes of shared memory per block; the limit is {MAX_SHARED_BYTES}"
    if reason:
        raise CudaAPIError(1, f"Call to cuLaunchKernel results in CUDA_ERROR_INVALID_VALUE: {reason}")


@contextmanager
def holding(entries: list[Any], entry: Entry) -> Iterator[Entry]:
    """Return a context manager during which a list has an entry more, unless somebody removes it; it yields the entry.

    Several Python threads may do so at once: the entry need not be the last one at the end.
    """
    entries.append(entry)
    try:
        yield entry
    finally:
        if entry in entries:
            del entries[len(entries) - 1 - entries[::-1].index(entry)]  # the last one; an equal one may be below


_old_values: Final[list[int]] = []


def old_values(value: int) -> AbstractContextManager[Any]:
    """Return a context manager in which new memory holds `value` in place of zeros.

    A kernel that takes new memory for zero then gives another result.
    """
    return holding(_old_values, value)


def old_value() -> int:
    """Return what new memory holds at present, 0 for zeros."""
    return _old_values[-1] if _old_values else 0


_pairs_wanted: Final[list[bool]] = []


def two_threads() -> AbstractContextManager[Any]:
    """Return a context manager in which launches run only two neighbouring threads, of one block or else of two."""
    return holding(_pairs_wanted, True)


def choose_threads(grid: Triple, block: Triple) -> tuple[Triple, Triple]:
    """Return the grid and the block that a launch runs: outside `two_threads`, the ones that were asked for."""
    if not _pairs_wanted:
        return grid, block
    alone = (1, 1, 1)
    return (alone, _pair(block)) if block != alone else (_pair(grid), alone)


def _pair(extents: Triple) -> Triple:
    axis = next((number for number, size in enumerate(extents) if size > 1), -1)
    x, y, z = (2 if number == axis else 1 for number in range(3))
    return x, y, z


class Launch(NamedTuple):
    """One finished launch: the kernel, its geometry, its bytes of dynamic shared memory, Numba's argument types."""

    kernel: str
    py_func: Callable[..., Any]
    grid: Triple
    block: Triple
    shared_bytes: int
    argument_types: tuple[Any, ...] = ()
    wall_s: float = 0.0  # how long its threads ran, without the copying of arguments


_observers: list[Callable[[Launch], None]] = []


def observe_launches(callback: Callable[[Launch], None]) -> AbstractContextManager[Any]:
    """Return a context manager during which ``callback(launch)`` is called after every kernel launch."""
    return holding(_observers, callback)


def notify(launch: Launch) -> None:
    """Call all observers with a launch that has ended."""
    for callback in tuple(_observers):
        callback(launch)


Progress = Callable[[str, int, int], None]
_reports: Final[list[Progress]] = []
_SHORT_S, _LONG_S = 0.05, 0.2


def observe_progress(report: Progress) -> AbstractContextManager[Any]:
    """Return a context manager in which launches on one core say how far they are, by ``report(kernel, done, blocks)``.

    `report` is called before each piece of a launch's blocks, and at the end.
    """
    return holding(_reports, report)


def in_pieces(kernel: str, plan: Any, *, is_whole: bool) -> Iterator[None]:
    """Set a plan to one piece of its blocks after the other, until a fault; to all blocks if nobody observes.

    `plan` is a `Plan`, as NumPy's structured array, of a kernel with the name `kernel`. `is_whole`: its blocks wait for
    each other, so that they cannot run in pieces.
    """
    first, last, piece = int(plan["first"]), int(plan["last"]), 1
    reports = tuple(_reports)
    if not reports or is_whole or last - first < math.prod(plan["nctaid"]):
        yield
        return
    while first < last and not ctypes.c_int64.from_address(int(plan["fault"])).value:
        for report in reports:
            report(kernel, first, last)
        plan["first"], plan["last"] = first, min(first + piece, last)
        began_s = time.perf_counter()
        yield
        wall_s = time.perf_counter() - began_s
        first = int(plan["last"])
        piece = piece * 2 if wall_s < _SHORT_S else max(1, piece // 2) if wall_s > _LONG_S else piece
    for report in reports:
        report(kernel, last, last)
