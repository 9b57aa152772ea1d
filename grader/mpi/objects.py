"""What a submission hands to MPI, read once; and what MPI hands to a submission, as firm as mpi4py's own types in C.

Whatever a call names as a buffer is read by the methods of Python's and NumPy's own types, and the library gets just
what was read: classes of a submission may answer otherwise when they are asked again.

Our objects take no attributes. A class that inherits from one of ours would be taken for a communicator or a request
wherever these are asked for, so that there are none besides ours, once a rank has sealed them.
"""

from __future__ import annotations

import io
import itertools
import operator
import pickle
from collections.abc import Iterable, Sequence
from types import FunctionType
from typing import Any, NamedTuple, NoReturn

import numpy as np
from mpi4py import MPI

from grader.slices import policy
from grader.worker.sliced.calllog import current
from grader.worker.sliced.freezing import is_own
from grader.worker.sliced.withheld import withhold

DATATYPE = MPI.Datatype
"""mpi4py's own: a submission finds ours in its place."""
_SELF = MPI.COMM_SELF
"""mpi4py's own, which copies numbers of any type: a rank puts ours in its place."""


class Buffer(NamedTuple):
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

    def write(self, data: bytearray) -> None:
        """Put numbers in; they fit."""
        if self.spec is self.memory is not None:
            MPI.buffer.frombuffer(self.memory)[: len(data)] = data
        elif data:
            _SELF.Sendrecv([data, MPI.BYTE], 0, recvbuf=self.spec, source=0)


marks: list[bytes] = []
"""What pickles of a submission begin with, which no rank's code can read: bytes that it sends are none of these."""
_MADE_BY = {"builtins": policy.words("complex set frozenset slice range object"), "copyreg": {"_reconstructor"}}
_OF_NUMPY = policy.words("""
    _reconstruct scalar _frombuffer __generator_ctor __bit_generator_ctor __randomstate_ctor PCG64 MT19937
    SeedSequence __pyx_unpickle_SeedSequence
""")
"""What NumPy makes arrays, numbers and generators with, of their pickles."""


class _Opener(pickle.Unpickler):
    """Makes objects of a submission's own classes, and of what else it may name, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a class or a function that makes an object.

        Raises:
            UnpicklingError: a submission may not name it.
        """
        found, allowed = super().find_class(module, name), policy.module_names(module) or frozenset()
        if module.partition(".")[0] == "numpy":
            allowed |= _OF_NUMPY
        if module == "builtins":
            allowed = policy.PLAIN_TYPES | {name for name in policy.BUILTINS if name.endswith(("Error", "Exception"))}
        is_made = isinstance(found, type | FunctionType) and is_own(found)
        if is_made or name in allowed | _MADE_BY.get(module, frozenset()):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is nothing that ranks send here")


def make_pickle(value: Any) -> bytes:
    """Return an object as a message."""
    return b"".join(marks) + bytes(MPI.pickle.dumps(value))


def open_pickle(data: bytearray) -> Any:
    """Return the object of a message.

    Raises:
        UnpicklingError: it is none of those that `make_pickle` makes here, or holds what ranks do not send.
    """
    if not marks:
        return MPI.pickle.loads(data)
    if not data.startswith(mark := b"".join(marks)):
        raise pickle.UnpicklingError("the message holds no object: what Send sends, Recv receives")
    return _Opener(io.BytesIO(data[len(mark) :])).load()


NOTHING = Buffer(None, 0, "")
IN_PLACE = Buffer(None, 0, "", spec=MPI.IN_PLACE)


def read_spec(spec: Any) -> Buffer:
    """Return what `array`, `[array, MPI.DOUBLE]`, `[array, count, type]` or `[array, counts, displacements, type]` is.

    Raises:
        TypeError, BufferError, ValueError: it is no buffer, as for mpi4py.
    """
    if (
        type(spec) is np.ndarray and spec.dtype.isbuiltin and spec.dtype.kind in "biufc" and spec.flags.forc
    ):  # the same as below, at once
        return Buffer(spec, spec.nbytes, f"{spec.dtype.kind}{spec.itemsize}", spec=spec)
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
    counts, starts = read_numbers(counts), read_numbers(starts)
    where = [] if counts is None and starts is None else [(counts, starts)]
    known = [] if datatype is None else [datatype]
    passed_on = [named if named is MPI.BOTTOM else memory, *where, *known] if where or known else memory
    reach = (0, item_bytes, item_bytes) if datatype is None else (*DATATYPE.Get_true_extent(datatype), datatype.extent)
    if isinstance(counts, list):
        parts = tuple(count * item_bytes for count in counts)
        places = starts if isinstance(starts, list) else itertools.accumulate(counts, initial=starts or 0)
        _expect_within(whole_bytes, reach, zip(counts, places, strict=False))
        return Buffer(memory, sum(parts), dtype, parts, spec=passed_on)
    start = 0 if isinstance(starts, list) else starts or 0
    count = whole_bytes // extent_bytes - start if counts is None else counts
    if named is not MPI.BOTTOM:
        places = starts if isinstance(starts, list) else [start]  # of each rank an equal part
        _expect_within(whole_bytes, reach, [(count // len(places), place) for place in places])
    return Buffer(memory, count * item_bytes, dtype, is_counted=counts is not None, spec=passed_on)


def _expect_within(whole_bytes: int, reach: tuple[int, int, int], parts: Iterable[tuple[int, int]]) -> None:
    """Refuse parts that lie beyond their buffer: the library would read and write there.

    Args:
        whole_bytes: Of the buffer.
        reach: Of an item: where its bytes begin, how far they go, and how many there are from one item to the next.
        parts: How many items from which on.

    Raises:
        ValueError: as mpi4py says it.
    """
    first, long, step = reach
    for count, start in parts:
        ends = start * step + first, (start + count - 1) * step + first
        if count and not 0 <= min(ends) <= max(ends) + long <= whole_bytes:
            raise ValueError("message: buffer too small for requested count")


def read_numbers(numbers: Any) -> list[int] | int | None:
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


class Unfollowed(Exception):  # noqa: N818 - an event: a person has to look
    """The call is MPI's, and this tracer does not know it."""


put = object.__setattr__
"""Sets a field of an object of ours; only our own code has it."""


def _refuse(owner: str, name: str, kind: type[Exception]) -> NoReturn:
    """Keep that a slice tried to change something, and raise what mpi4py raises."""
    current.log.refuse(f"MPI.{owner}.{name} =")
    raise kind(f"cannot change {name!r} of MPI.{owner}")


class Frozen(type):
    """A class whose attributes stay as they were defined, once they are sealed."""

    is_sealed = False
    """Whether no further class may inherit from these, and none of their attributes be changed."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        """Make a class, unless they are sealed.

        Raises:
            Unfollowed: they are; what a class of a submission does with a communicator, a person reads.
        """
        if Frozen.is_sealed:
            raise Unfollowed(f"a class {name} derived from {bases[0].__name__}")
        return super().__new__(cls, name, bases, body)

    def __setattr__(cls, name: str, value: Any) -> None:
        if Frozen.is_sealed:
            _refuse(cls.__name__, name, TypeError)
        super().__setattr__(name, value)

    def __delattr__(cls, name: str) -> NoReturn:
        _refuse(cls.__name__, name, TypeError)


class Firm(metaclass=Frozen):
    """An object whose fields only our own code sets, by `put`, once these are sealed."""

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        if Frozen.is_sealed:
            _refuse(type(self).__name__, name, AttributeError)
        put(self, name, value)

    def __delattr__(self, name: str) -> NoReturn:
        _refuse(type(self).__name__, name, AttributeError)


def _refuse_hints(_comm: Any) -> NoReturn:
    """Refuse a communicator's hints, which a submission could keep texts in."""
    raise Unfollowed("Comm.info")


_LEADING_AWAY = policy.words("""
    handle fromhandle fromint toint f2py py2f tomemory fromaddress frombuffer allocate address obj Create_keyval
    Create_errhandler Set_errhandler Call_errhandler Pack Unpack Pack_external Unpack_external Reduce_local
""")
"""What gives the library's own communicator or any memory, also by a function that is called back."""


def seal(mark: bytes) -> None:
    """Let nothing of MPI be changed from now on: a submission runs here. Those of slices begin pickles with `mark`."""
    if not Frozen.is_sealed:
        marks[:] = [mark] if mark else []
        for name, value in vars(MPI).copy().items():
            if type(value) is DATATYPE and value != MPI.DATATYPE_NULL:  # mpi4py's own let their name be set
                setattr(MPI, name, Datatype(value))
        kinds = [kind for kind in vars(MPI).values() if isinstance(kind, type) and mark]
        for base in {base for kind in kinds for base in kind.__mro__[:-1]}:
            withhold(base, _LEADING_AWAY & {*vars(base)})
        MPI.Datatype = Datatype  # a type of a submission's own could lie about its size
        MPI.Comm.info = property(_refuse_hints, MPI.Comm.Set_info)
        Frozen.is_sealed = True  # once: after Numba is imported, classes of ours are immutable


class Datatype(Firm, MPI.Datatype):  # type: ignore[misc] # a class written in C
    """A type of numbers whose name cannot be set."""

    __slots__ = ()
