"""The trace of one launch: the memory that the routines work on, and how to read it afterwards."""

from __future__ import annotations

import ctypes
import math
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from grader.cuda_cpu.launcher import PLAN_INDEX
from grader.cuda_cpu.memory import SharedArray, find_shared_array
from grader.cuda_cpu.program import Program
from grader.cuda_cpu.tracing import layout
from grader.cuda_cpu.tracing.layout import CHECK, COUNT, FOLLOW, GLOBAL, SHARED, WORD_BYTES
from grader.cuda_cpu.tracing.runtime import load_routine
from grader.cuda_cpu.tracing.sites import count_trace_sites

MAX_CELLS: Final = 1 << 25
"""The largest number of elements of one array that check mode follows: 56 bytes of address space for each."""

_ALL: Final = 1 << 62
_ON_ACCESS: Final = {CHECK: "check", COUNT: "count", CHECK | COUNT: "check_and_count", FOLLOW: "follow"}

Triple = tuple[int, int, int]
Words = np.ndarray[Any, np.dtype[np.int64]]
_FINISH: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@dataclass(frozen=True, eq=False)
class WatchedArray:
    """An array among a kernel's arguments: the parameter's name, the memory, the address that a GPU would align."""

    name: str
    memory: np.ndarray[Any, Any]
    origin: int

    @property
    def bounds(self) -> tuple[int, int]:
        """The first address and the one behind the last."""
        low, high = np.lib.array_utils.byte_bounds(self.memory)
        return int(low), int(high)


@dataclass(frozen=True)
class Region:
    """A range of memory that is watched."""

    low: int
    high: int
    shift: int
    space: int
    origin: int
    arrays: tuple[WatchedArray, ...] = ()

    @property
    def cells(self) -> int:
        """How many elements it holds."""
        return -(-(self.high - self.low) >> self.shift)


def _granule_shift(dtype: np.dtype[Any]) -> int:
    """Return the logarithm of the largest power of two, at most 8 bytes, on whose multiples elements begin."""
    fields: dict[str, Any] = dict(dtype.fields or {})
    sizes = [dtype.itemsize, *(offset for _, offset, *_ in fields.values())]
    granule = math.gcd(*sizes)
    if fields:
        granule = math.gcd(granule, *(1 << _granule_shift(kind) for kind, *_ in fields.values()))
    return min(3, (granule & -granule).bit_length() - 1)


def merge_regions(arrays: tuple[WatchedArray, ...]) -> list[Region]:
    """Return the regions that the arrays lie in; arrays that share memory share a region."""
    regions: list[Region] = []
    for array in sorted(arrays, key=lambda item: item.bounds):
        low, high = array.bounds
        shift = _granule_shift(array.memory.dtype)
        if regions and low < regions[-1].high:
            old = regions.pop()
            low, high, shift = old.low, max(high, old.high), min(shift, old.shift)
            regions.append(Region(low, high, shift, GLOBAL, old.origin, (*old.arrays, array)))
        else:
            regions.append(Region(low, high, shift, GLOBAL, array.origin, (array,)))
    return regions


def _zeros(count: int) -> Words:
    return np.zeros(max(1, count), np.int64)


def _unravel(linear: int, extents: Triple) -> Triple:
    x, rest = linear % extents[0], linear // extents[0]
    return x, rest % extents[1], rest // extents[1]


def _find_shared_arrays(program: Program) -> list[tuple[int, SharedArray]]:
    """Return each static shared array with its offset in the block's memory."""
    return [(offset, find_shared_array(name)) for name, offset in program.shared_offsets.items()]


def index_in(array: np.ndarray[Any, Any], address: int) -> tuple[int, ...]:
    """Return the index of the element at an address inside an array's memory."""
    rest = address - int(np.lib.array_utils.byte_bounds(array)[0])
    index = [0] * array.ndim
    for axis in sorted(range(array.ndim), key=lambda number: -abs(array.strides[number])):
        step, last = array.strides[axis], array.shape[axis] - 1
        if step and last:
            steps, rest = divmod(rest, abs(step))
            index[axis] = int(steps) if step > 0 else last - int(steps)
    return tuple(index)


class Trace:
    """One launch that is watched.

    Memory, in words of 8 bytes, most of it untouched and so never really taken: 7 per element of each array and per
    byte of shared memory when races are looked for; ``(2^18 + 1) * 36`` for the requests of a warp when costs are
    counted; 16 per thread of a block (of every block where blocks wait for each other), 1 per block, 48 per place in
    the sources.
    """

    def __init__(
        self, kernel: str, plan: Words, arrays: tuple[WatchedArray, ...], program: Program, watchers: Any
    ) -> None:
        self.kernel = kernel
        self.block: Triple = (int(plan[0]), int(plan[1]), int(plan[2]))
        self.grid: Triple = (int(plan[3]), int(plan[4]), int(plan[5]))
        self.cooperative = program.cooperative
        self.shared_arrays = _find_shared_arrays(program)
        self._dynamic_offset = int(plan[PLAN_INDEX["shared_dynamic"]] - plan[PLAN_INDEX["shared_static"]])
        self.shared_stride_bytes = int(plan[PLAN_INDEX["shared_stride"]])
        modes = {watcher.mode for watcher in watchers}
        self.mode = sum(modes) or CHECK  # nobody: the last one left, in another Python thread, since the launch began
        self.regions = [*merge_regions(arrays), *self._shared_region(plan)]
        self.unchecked: list[str] = []
        self._keep: list[Words] = []
        self.words = _zeros(layout.TRACE_WORDS)
        self._fill()
        self._follow(watchers)

    @property
    def address(self) -> int:
        """Where the trace's words lie."""
        return int(self.words.ctypes.data)

    def _shared_region(self, plan: Words) -> list[Region]:
        low = int(plan[PLAN_INDEX["shared_static"]])
        size_bytes = self.shared_stride_bytes * (math.prod(self.grid) if self.cooperative else 1)
        return [Region(low, low + size_bytes, 0, SHARED, low)] if size_bytes else []

    def _table(self, word: int, words: Words) -> Words:
        self._keep.append(words)
        self.words[word] = words.ctypes.data
        return words

    def _fill(self) -> None:
        words = self.words
        words[layout.SELF] = self.address
        words[layout.MODE] = self.mode
        words[layout.BLOCK] = words[layout.LANE] = -1
        self._table(layout.STARTS, _zeros(math.prod(self.grid)))
        step = math.prod(self.block) * layout.SLOT_WORDS
        words[layout.SLOT_STEP] = step * WORD_BYTES * self.cooperative
        slots = self._table(layout.SLOTS, _zeros(step * (math.prod(self.grid) if self.cooperative else 1)))
        slots[:: layout.SLOT_WORDS] = self.address
        self._fill_regions()
        self.races = self._table(layout.RACES, _zeros(layout.MAX_RACES * layout.RACE_WORDS))
        counts = self.mode & COUNT != 0
        self.sites = self._table(layout.SITES, _zeros(counts * count_trace_sites() * 2 * layout.SITE_WORDS))
        self._table(layout.GROUPS, _zeros(counts * (layout.MAX_GROUPS + 1) * layout.GROUP_WORDS))
        self._table(layout.BANKS, _zeros(64))
        words[layout.ON_ACCESS] = load_routine(_ON_ACCESS[self.mode]).address
        words[layout.ON_BRANCH] = load_routine("count_branch" if counts else "ignore_branch").address
        words[layout.GROUPS_MAX] = layout.MAX_GROUPS
        words[layout.SEGMENT_NUMBER] = 1

    def _follow(self, watchers: Any) -> None:
        """Say how much is looked at, and make room for the steps of one thread, if somebody follows one."""
        self.words[layout.MOST] = min((watcher.most for watcher in watchers if watcher.most), default=_ALL)
        for watcher in watchers:
            if watcher.mode == FOLLOW:
                self.words[layout.FOLLOWED_BLOCK], self.words[layout.FOLLOWED_THREAD] = watcher.thread
        self.steps = self._table(layout.STEPS, _zeros((self.mode == FOLLOW) * layout.MAX_STEPS * layout.STEP_WORDS))

    def _fill_regions(self) -> None:
        table = self._table(layout.REGIONS, _zeros(len(self.regions) * layout.REGION_WORDS))
        self.words[layout.REGION_COUNT] = len(self.regions)
        for number, region in enumerate(self.regions):
            row = table[number * layout.REGION_WORDS :]
            row[layout.LOW], row[layout.HIGH], row[layout.SHIFT] = region.low, region.high, region.shift
            row[layout.SPACE], row[layout.ORIGIN] = region.space, region.origin
            planes = self._make_planes(region) if self.mode & CHECK else None
            if planes is not None:
                self._keep.append(planes)
                row[layout.CELLS], row[layout.PLANES] = region.cells, planes.ctypes.data

    def _make_planes(self, region: Region) -> Words | None:
        if region.cells <= MAX_CELLS:
            with suppress(MemoryError):
                return _zeros(region.cells * layout.PLANE_COUNT)
        self.unchecked += [array.name for array in region.arrays]
        return None

    def finish(self) -> None:
        """Complete the counting when all threads have ended."""
        if self.mode & COUNT:
            _FINISH(load_routine("finish").address)(self.words.ctypes.data)

    def locate(self, number: int, address: int, size_bytes: int) -> tuple[str, tuple[int, ...]]:
        """Return the array in which an element lies and its index.

        The name is the parameter's or, for shared memory, the variable's; empty where that is not known.

        Args:
            number: of the region.
            address: of the element.
            size_bytes: of the element; dynamic shared memory is indexed in such steps.
        """
        region = self.regions[number]
        if region.space == SHARED:
            return self._locate_shared((address - region.low) % self.shared_stride_bytes, size_bytes)
        for array in region.arrays:
            low, high = array.bounds
            if low <= address < high:
                return array.name, index_in(array.memory, address)
        return "", ()

    def _locate_shared(self, offset: int, size_bytes: int) -> tuple[str, tuple[int, ...]]:
        for start, array in self.shared_arrays:
            number = (offset - start) // array.element_bytes
            if 0 <= number < math.prod(array.shape):
                return array.name, tuple(int(n) for n in np.unravel_index(number, array.shape))
        return "", ((offset - self._dynamic_offset) // max(1, size_bytes),)

    def thread_of(self, word: int) -> Triple:
        """Return the ``threadIdx`` of an access word."""
        return _unravel((word >> layout.THREAD_SHIFT) & layout.THREAD_MASK, self.block)

    def block_at(self, number: int) -> Triple:
        """Return the ``blockIdx`` of a block's number."""
        return _unravel(number, self.grid)


__all__ = ["MAX_CELLS", "WORD_BYTES", "Region", "Trace", "Triple", "WatchedArray", "merge_regions"]
