"""What a call of mpi4py sends or receives: its memory, in bytes, with its type, and the parts of each rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mpi4py import MPI


class Unfollowed(Exception):  # noqa: N818 - an event: a person has to look
    """The call is MPI's, and this tracer does not know it."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """One buffer as a call names it."""

    memory: Any
    """None for `MPI.IN_PLACE` and for nothing."""
    size_bytes: int
    dtype: str
    parts: tuple[int, ...] = ()
    """Bytes for each rank, where the call names counts."""
    offset_bytes: int = 0
    is_counted: bool = False
    """Whether the call names one count, which a collective call that deals out or collects takes for each rank."""

    def read(self) -> bytes:
        """Return a copy of the numbers."""
        if self.memory is None or not self.size_bytes:
            return b""
        held = MPI.buffer.frombuffer(self.memory, readonly=True)
        return bytes(memoryview(held)[self.offset_bytes : self.offset_bytes + self.size_bytes])

    def write(self, data: bytes) -> None:
        """Put numbers in; they fit."""
        if data:
            held = MPI.buffer.frombuffer(self.memory)
            held[self.offset_bytes : self.offset_bytes + len(data)] = data


NOTHING = Buffer(None, 0, "")


def read_spec(spec: Any) -> Buffer:
    """Return what `array`, `[array, MPI.DOUBLE]`, `[array, count, type]` or `[array, counts, displacements, type]` is.

    Raises:
        TypeError, BufferError, ValueError: it is no buffer, as for mpi4py.
        Unfollowed: its type is made of others.
    """
    if spec is None or spec is MPI.IN_PLACE:
        return NOTHING
    memory, counts, starts, datatype = _take_apart(spec)
    if memory is None:
        return NOTHING
    held = MPI.buffer.frombuffer(memory, readonly=True)
    item_bytes, dtype = _item(memory, datatype)
    if _is_row(counts):
        parts = tuple(int(count) * item_bytes for count in counts)
        return Buffer(memory, sum(parts), dtype, parts)
    start = 0 if _is_row(starts) else int(starts or 0) * item_bytes
    size = held.nbytes - start if counts is None else int(counts) * item_bytes
    return Buffer(memory, min(size, held.nbytes), dtype, (), start, counts is not None)


def _is_row(counts: Any) -> bool:
    return isinstance(counts, Sequence) or hasattr(counts, "__len__")


def _take_apart(spec: Any) -> tuple[Any, Any, Any, Any]:
    """Return memory, counts, displacements and type."""
    if not isinstance(spec, list | tuple):
        return spec, None, None, None
    parts = list(spec)
    memory = parts.pop(0) if parts else None
    datatype = parts.pop() if parts and (isinstance(parts[-1], MPI.Datatype | str)) else None
    counts = parts.pop(0) if parts else None
    if isinstance(counts, tuple) and not parts:  # for mpi4py that is a pair, whatever the call
        counts, starts = counts
        return memory, counts, starts, datatype
    return memory, counts, parts.pop(0) if parts else None, datatype


def _item(memory: Any, datatype: Any) -> tuple[int, str]:
    """Return the bytes of one item and the name of its type."""
    if datatype is None:
        view = memoryview(memory)
        return view.itemsize, _letter(view.format)
    kind = MPI.Datatype.fromcode(datatype) if isinstance(datatype, str) else datatype
    if not kind.is_predefined:
        msg = "a type that is made of others"
        raise Unfollowed(msg)
    code = kind.tocode() if kind.Get_size() > 1 else "B"
    return int(kind.Get_size()), _letter(code)


def _letter(code: str) -> str:
    """Return NumPy's letter and size for a type, however the platform calls it: `f8`, `i4`."""
    name = code.lstrip("<>=|@")
    try:
        size = MPI.Datatype.fromcode(name).Get_size()
    except (ValueError, TypeError):
        return name
    kind = "f" if name[:1] in "fdg" else "u" if name[:1] in "BHILQu" else "c" if name[:1] in "FDGcZ" else "i"
    return f"{kind}{size}"
