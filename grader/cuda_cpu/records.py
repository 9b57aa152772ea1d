"""Records of named fields that Python, the code of kernels and compiled routines share.

A record is a C struct at an address. Its class lists the fields; the annotation of a field says what it holds:

    int                       a signed 64-bit number
    Int32                     a signed 32-bit number
    Words, Bytes, a record    the address of words, bytes or a record
    Annotated[Words, n]       n 64-bit numbers, which lie in the record itself

Python reads and writes records as NumPy's structured arrays (`dtype_of`), routines by attribute (`routines`), the
builders of LLVM code through pointers to fields (`place_of`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Self, get_type_hints

import numpy as np

from grader.cuda_cpu.numba_internals import ir

I8P: Final = ir.IntType(8).as_pointer()
I32: Final = ir.IntType(32)
I64: Final = ir.IntType(64)
Int32 = Annotated[int, "32 bits"]


class Words:
    """The address of 64-bit words, which a routine indexes."""

    @classmethod
    def at(cls, address: int) -> Self:
        """Return the words (or bytes) at an address; inside a routine only."""
        raise NotImplementedError

    def __getitem__(self, position: int) -> int:
        raise NotImplementedError

    def __setitem__(self, position: int, value: int) -> None:
        raise NotImplementedError


class Bytes(Words):
    """The address of bytes, which a routine indexes."""


class Record:
    """A struct in memory; subclasses list its fields."""

    @classmethod
    def at(cls, table: Any, number: int = 0) -> Self:
        """Return the record with a number in a table that begins at an address; inside a routine only."""
        raise NotImplementedError


@dataclass(frozen=True)
class Field:
    """A field: its place in its record, what it holds, and the number of words if they lie in the record itself."""

    offset_bytes: int
    kind: Any
    count: int

    @property
    def llvm_type(self) -> Any:
        """The LLVM type of the field, or of one of its words if they lie in the record itself."""
        if self.count or self.kind is int:
            return I64
        return I32 if self.kind == Int32 else I64.as_pointer() if self.kind is Words else I8P


def _read_hints(record: Any) -> Iterator[tuple[str, Any, int]]:
    """Yield name, kind and count of each field of a record."""
    for name, hint in get_type_hints(record, include_extras=True).items():
        is_inline = hint != Int32 and hasattr(hint, "__metadata__")
        yield (name, hint.__origin__, hint.__metadata__[0]) if is_inline else (name, hint, 0)


@cache
def dtype_of(record: Any) -> np.dtype[Any]:
    """Return NumPy's type of a record, whose fields are aligned as a C compiler does: addresses are numbers there."""
    fields = [(name, "i4" if kind == Int32 else "i8", count or ()) for name, kind, count in _read_hints(record)]
    return np.dtype(fields, align=True)


@cache
def fields_of(record: Any) -> dict[str, Field]:
    """Return the fields of a record by name, in their order."""
    places: Any = dtype_of(record).fields
    return {name: Field(places[name][1], kind, count) for name, kind, count in _read_hints(record)}


def size_of(record: Any) -> int:
    """Return the bytes of a record in a table."""
    return dtype_of(record).itemsize


def place_of(builder: Any, address: Any, record: Any, field: str, number: int = 0) -> Any:
    """Emit a pointer to a field of the record at an address, or to word `number` of a field of several words."""
    word = fields_of(record)[field]
    place = builder.gep(builder.bitcast(address, I8P), [I64(word.offset_bytes + 8 * number)], inbounds=True)
    return builder.bitcast(place, word.llvm_type.as_pointer())


STATE_ARGUMENT: Final = ".thread"


class FaultRecord(Record):
    """What went wrong in a launch, as numbers; `faults` makes sentences of them."""

    status: int
    site: int
    ndim: int
    thread: Annotated[Words, 3]
    block: Annotated[Words, 3]
    index: Annotated[Words, 8]
    shape: Annotated[Words, 8]
    shape_ndim: int
    ignored: int  # the status of the first thread whose exception was not raised
    other_site: int  # where another thread waits; -1 where it has left the kernel
    other_thread: Annotated[Words, 3]
    waiting: int
    missing: int
    exited_early: int  # one more than the site of a barrier that some threads did not wait for


class Plan(Record):
    """A launch, or one core's part of it: the blocks ``first <= b < last``, counted along x, then y, then z."""

    ntid: Annotated[Words, 3]
    nctaid: Annotated[Words, 3]
    threads: int  # of a block
    first: int
    last: int
    resident: int  # how many blocks are in memory: all where they wait for each other, else one
    fault: FaultRecord
    shared_static: int
    shared_dynamic: int
    shared_dynamic_bytes: int
    shared_stride: int  # bytes from a block's shared memory to the next block's
    shared_old: Words  # copied into shared memory before each block; null: zeros, then what earlier blocks left
    ramp: int  # address of the code that runs a thread to its first stop
    complete_warps: int  # address of the code that completes warp operations; 0 for kernels without them
    progress: int  # the result of that code, see `scheduler.complete_warps`
    frames: int
    frame_bytes: int
    states: int
    snapshots: int  # the payloads of each warp's latest operation
    stop_on_exception: int
    trace: Bytes


class Thread(Record):
    """One CUDA thread."""

    tid_x: Int32
    tid_y: Int32
    tid_z: Int32
    ctaid_x: Int32
    ctaid_y: Int32
    ctaid_z: Int32
    ntid_x: Int32
    ntid_y: Int32
    ntid_z: Int32
    nctaid_x: Int32
    nctaid_y: Int32
    nctaid_z: Int32
    # For the scheduler: what this thread waits for, in which line, with which lanes, its payload and the answer.
    wait: Int32
    site: Int32
    mask: Int32
    exit_site: Int32
    status: Int32
    payload: int
    reply: int
    frame: Bytes
    fault: FaultRecord
    shared_static: Bytes
    shared_dynamic: Bytes
    shared_dynamic_bytes: int
    warp: Words
    trace: Bytes


def state_of(builder: Any) -> Any:
    """Return the thread record's pointer inside the function that ``builder`` writes.

    Raises:
        NotImplementedError: when the function was not declared with the executor's calling convention.
    """
    for argument in builder.function.args[:2]:
        if argument.name.startswith(STATE_ARGUMENT):  # LLVM's builder numbers it anew in a function that calls itself
            return argument
    raise NotImplementedError(f"{builder.function.name} was compiled outside the CUDA executor and has no CUDA thread")


def linear_number(builder: Any, position: Any, extents: Any) -> Any:
    """Emit a number counted along x, then y, then z, of values of one type."""
    x, y, z = position
    width, height = extents[:2]
    return builder.add(x, builder.mul(width, builder.add(y, builder.mul(height, z))))


def load_field(builder: Any, field: str) -> Any:
    """Emit a read of a field of the running thread's record."""
    return builder.load(place_of(builder, state_of(builder), Thread, field), name=field)


def load_fields(builder: Any, field: str) -> list[Any]:
    """Emit reads of a field along x, y and z, such as ``tid_x``, ``tid_y`` and ``tid_z``."""
    return [load_field(builder, f"{field}_{axis}") for axis in "xyz"]


def store_field(builder: Any, field: str, value: Any, state: Any = None) -> None:
    """Emit a write to a field of the running thread's record, or of the record ``state``."""
    builder.store(value, place_of(builder, state or state_of(builder), Thread, field))
