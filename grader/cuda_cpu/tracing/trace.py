"""The trace of one launch: the memory that the routines work on, and how to read it afterwards."""

import ctypes
import math
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from grader.cuda_cpu.execution import Program
from grader.cuda_cpu.faults import count_sites
from grader.cuda_cpu.launches import Triple
from grader.cuda_cpu.memory import find_shared_array
from grader.cuda_cpu.records import dtype_of
from grader.cuda_cpu.routine_writer import Routine
from grader.cuda_cpu.routines import address_of
from grader.cuda_cpu.tracing import layout, runtime
from grader.cuda_cpu.tracing.layout import Group, RaceEntry, RegionWords, SiteCounters, Slot, StepEntry, TraceWords
from grader.cuda_cpu.tracing.requests import flush_segment

MAX_CELLS: Final = 1 << 25
"""The largest number of elements of one array that check mode follows: 56 bytes of address space for each."""

_ALL: Final = 1 << 62
ROUTINES: tuple[Routine, ...] = (
    *(runtime.begin, runtime.access, runtime.arrive, runtime.branch, runtime.note_fence),
    flush_segment,
)
"""The routines that traced kernels and their traces may call, see `routines.address_of`."""

Words = np.ndarray[Any, Any]
_FINISH: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@dataclass(frozen=True, eq=False)
class WatchedArray:
    """An array among a kernel's arguments: the parameter's name, the memory, the address that a GPU would align."""

    name: str
    memory: np.ndarray[Any, Any]
    origin: int

    @property
    def bounds(self) -> tuple[int, int]:
        """The first address, and the one after the last."""
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
    """Return the binary logarithm of the largest number of bytes, at most 8, at whose multiples elements begin."""
    fields: dict[str, Any] = dict(dtype.fields or {})
    granule = math.gcd(dtype.itemsize, *(offset for _, offset, *_ in fields.values()))
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
            regions.append(Region(low, high, shift, layout.GLOBAL, old.origin, (*old.arrays, array)))
        else:
            regions.append(Region(low, high, shift, layout.GLOBAL, array.origin, (array,)))
    return regions


def _zeros(count: int, kind: Any = np.int64) -> Words:
    return np.zeros(max(1, count), kind)


def _triple(words: Any) -> Triple:
    x, y, z = (int(word) for word in words)
    return x, y, z


def index_in(array: np.ndarray[Any, Any], address: int) -> tuple[int, ...]:
    """Return the index of the element that begins at an address; strides may be negative."""
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

    Memory, in words of 8 bytes (the system provides only the ones that are used): in check mode, 7 per element of each
    array and per byte of shared memory; for cost figures, ``(2^18 + 1) * 35`` for the requests of a warp and 40 per
    place in the sources; always, 13 per thread of a block (of every block if blocks wait for each other) and 1 per
    block.
    """

    def __init__(
        self, kernel: str, plan: Words, arrays: tuple[WatchedArray, ...], program: Program, watchers: Any
    ) -> None:
        self.kernel = kernel
        self.block: Triple = _triple(plan["ntid"])
        self.grid: Triple = _triple(plan["nctaid"])
        self.cooperative = program.cooperative
        offsets = program.kernel.shared_offsets
        self.shared_arrays = [(offset, find_shared_array(name)) for name, offset in offsets.items()]
        self._dynamic_offset = int(plan["shared_dynamic"] - plan["shared_static"])
        self.shared_stride_bytes = int(plan["shared_stride"])
        # No watchers: another Python thread has removed the last one since the launch began.
        self.mode = sum({watcher.mode for watcher in watchers}) or layout.CHECK
        self.regions = merge_regions(arrays)
        low = int(plan["shared_static"])
        if size_bytes := self.shared_stride_bytes * (math.prod(self.grid) if self.cooperative else 1):
            self.regions.append(Region(low, low + size_bytes, 0, layout.SHARED, low))
        self.unchecked: list[str] = []
        self._keep: list[Words] = []
        self.words = np.zeros((), dtype_of(TraceWords))
        self._fill()
        self._follow(watchers)

    @property
    def address(self) -> int:
        """Where the trace's words lie."""
        return int(self.words.ctypes.data)

    def _table(self, field: str, kind: Any, count: int) -> Words:
        """Make a table of words or records; a field of the trace gets its address."""
        table = _zeros(count, kind)
        self._keep.append(table)
        self.words[field] = table.ctypes.data
        return table

    def _fill(self) -> None:
        words = self.words
        blocks, threads = math.prod(self.grid), math.prod(self.block)
        words["trace"] = self.address
        words["block"] = words["lane"] = -1
        self._table("starts", np.int64, blocks)
        slots = self._table("slots", dtype_of(Slot), threads * (blocks if self.cooperative else 1))
        slots["trace"] = self.address
        words["slot_step"] = threads * slots.itemsize * self.cooperative
        self._fill_regions()
        self.races = self._table("races", dtype_of(RaceEntry), layout.MAX_RACES)
        counts = self.mode & layout.COUNT != 0
        self.sites = self._table("sites", dtype_of(SiteCounters), counts * count_sites() * 2)
        self._table("groups", dtype_of(Group), counts * (layout.MAX_GROUPS + 1))
        self._table("banks", np.int64, layout.BANKS)
        words["mode"] = self.mode
        words["groups_max"] = layout.MAX_GROUPS
        words["segment_number"] = 1

    def _follow(self, watchers: Any) -> None:
        """Set how many accesses are checked, and make room for the steps of the followed thread, if there is one."""
        self.words["most"] = min((watcher.most for watcher in watchers if watcher.most), default=_ALL)
        for watcher in watchers:
            if watcher.mode == layout.FOLLOW:
                self.words["followed_block"], self.words["followed_thread"] = watcher.thread
        self.steps = self._table("steps", dtype_of(StepEntry), (self.mode == layout.FOLLOW) * layout.MAX_STEPS)

    def _fill_regions(self) -> None:
        table = self._table("regions", dtype_of(RegionWords), len(self.regions))
        self.words["region_count"] = len(self.regions)
        for number, region in enumerate(self.regions):
            planes = self._make_planes(region) if self.mode & layout.CHECK else None
            cells, address = (0, 0) if planes is None else (region.cells, planes.ctypes.data)
            table[number] = (region.low, region.high, region.shift, cells, address, region.space, region.origin)

    def _make_planes(self, region: Region) -> Words | None:
        if region.cells <= MAX_CELLS:
            with suppress(MemoryError):
                self._keep.append(_zeros(region.cells * layout.PLANE_COUNT))
                return self._keep[-1]
        self.unchecked += [array.name for array in region.arrays]
        return None

    def finish(self) -> None:
        """Complete the counting when all threads have ended."""
        if self.mode & layout.COUNT:
            _FINISH(address_of(flush_segment, layout.OPTIONS))(self.address)

    def locate(self, number: int, address: int, size_bytes: int) -> tuple[str, tuple[int, ...]]:
        """Return the array in which an element lies and its index.

        The name is the parameter's or, for shared memory, the variable's; empty if unknown. `number` is the number of
        the region. Dynamic shared memory is indexed in steps of `size_bytes`.
        """
        region = self.regions[number]
        if region.space == layout.SHARED:
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
        return _triple(np.unravel_index((word >> layout.THREAD_SHIFT) & layout.THREAD_MASK, self.block, order="F"))

    def block_at(self, number: int) -> Triple:
        """Return the ``blockIdx`` of a block's number."""
        return _triple(np.unravel_index(number, self.grid, order="F"))
