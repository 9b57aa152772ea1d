"""What a call of mpi4py sends or receives: its memory, in bytes, with its type, and the parts of each rank.

Whatever a call names is read once, by the methods of Python's and NumPy's own types, and the library gets just what was
read: classes of a submission may answer otherwise when they are asked again.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from mpi4py import MPI

from grader.mpi.frozen import DATATYPE

_SELF = MPI.COMM_SELF
"""mpi4py's own, which copies numbers of any type: a rank puts ours in its place."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """One buffer as a call names it."""

    memory: Any
    """None for `MPI.IN_PLACE` and for nothing."""
    size_bytes: int
    dtype: str
    parts: tuple[int, ...] = ()
    """Bytes for each rank, where the call names counts."""
    is_counted: bool = False
    """Whether the call names one count, which a collective call that deals out or collects takes for each rank."""
    spec: Any = None
    """What the library is given for it."""

    def read(self) -> bytes:
        """Return a copy of the numbers, one after the other, also where they lie apart."""
        copy = bytearray(self.size_bytes if self.memory is not None else 0)
        if copy:
            _SELF.Sendrecv(self.spec, 0, recvbuf=[copy, MPI.BYTE], source=0)
        return bytes(copy)

    def write(self, data: bytes) -> None:
        """Put numbers in; they fit."""
        if data:
            _SELF.Sendrecv([data, MPI.BYTE], 0, recvbuf=self.spec, source=0)


NOTHING = Buffer(None, 0, "")
IN_PLACE = Buffer(None, 0, "", spec=MPI.IN_PLACE)


def read_spec(spec: Any) -> Buffer:
    """Return what `array`, `[array, MPI.DOUBLE]`, `[array, count, type]` or `[array, counts, displacements, type]` is.

    Raises:
        TypeError, BufferError, ValueError: it is no buffer, as for mpi4py.
    """
    if spec is MPI.IN_PLACE:
        return IN_PLACE
    named, counts, starts, code = _take_apart(spec)
    if named is None:
        return NOTHING if spec is None else Buffer(None, 0, "", spec=[None, *take_items(spec)[1:]])
    datatype = DATATYPE.fromcode(code) if isinstance(code, str) else code
    memory = bytearray() if named is MPI.BOTTOM else named
    memory = np.asarray(memory) if isinstance(memory, np.ndarray) else memoryview(memory)
    whole_bytes = MPI.buffer.frombuffer(memory, readonly=True).nbytes
    item_bytes, extent_bytes, dtype = _item(memory, datatype)
    counts, starts = _read_numbers(counts), _read_numbers(starts)
    where = [] if counts is None and starts is None else [(counts, starts)]
    known = [] if datatype is None else [datatype]
    passed_on = [named if named is MPI.BOTTOM else memory, *where, *known] if where or known else memory
    if isinstance(counts, list):
        parts = tuple(count * item_bytes for count in counts)
        return Buffer(memory, sum(parts), dtype, parts, spec=passed_on)
    start = 0 if isinstance(starts, list) else starts or 0
    count = whole_bytes // extent_bytes - start if counts is None else counts
    return Buffer(memory, count * item_bytes, dtype, is_counted=counts is not None, spec=passed_on)


def _read_numbers(numbers: Any) -> list[int] | int | None:
    """Return the counts or displacements of all ranks, or the one of all, as plain integers."""
    if numbers is None:
        return None
    if isinstance(numbers, Sequence) or hasattr(numbers, "__len__"):
        return [operator.index(number) for number in take_items(numbers)]
    return operator.index(numbers)


def take_items(row: Any) -> list[Any]:
    """Return what a row holds: lists and tuples are read by their own method, whatever a derived class says."""
    kind = next((kind for kind in (list, tuple) if isinstance(row, kind)), None)
    return list(row) if kind is None else [*kind.__iter__(row)]


def _take_apart(spec: Any) -> tuple[Any, Any, Any, Any]:
    """Return memory, counts, displacements and type."""
    if not isinstance(spec, list | tuple):
        return spec, None, None, None
    parts = take_items(spec)
    memory = parts.pop(0) if parts else None
    datatype = parts.pop() if parts and (isinstance(parts[-1], DATATYPE | str)) else None
    counts = parts.pop(0) if parts else None
    if isinstance(counts, tuple) and not parts:  # for mpi4py that is a pair, whatever the call
        counts, starts = take_items(counts)
        return memory, counts, starts, datatype
    return memory, counts, parts.pop(0) if parts else None, datatype


def _item(memory: Any, datatype: MPI.Datatype | None) -> tuple[int, int, str]:
    """Return the bytes of one item, those from one to the next, and NumPy's letter and size for its type: `f8`."""
    dtype = np.asarray(memory).dtype
    if datatype is None:
        return dtype.itemsize, dtype.itemsize, f"{dtype.kind}{dtype.itemsize}"
    size, extent = DATATYPE.Get_size(datatype), max(datatype.extent, 1)
    try:
        dtype = np.dtype(DATATYPE.tocode(datatype) if size > 1 else "B")
    except (ValueError, TypeError):  # a type that is made of others, and fits any
        return size, extent, ""
    return size, extent, f"{dtype.kind}{dtype.itemsize}"
