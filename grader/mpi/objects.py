"""Read what a submission gives to MPI, once; and base classes of ours that are as unchangeable as mpi4py's types in C.

The buffers of a call are read by the methods of Python's and NumPy's own types, and the library gets exactly what was
read: classes of a submission may answer differently when they are asked again.

Our objects take no attributes. A class derived from one of ours would pass as a communicator or a request, so no
further class can be derived once a rank has sealed them.
"""

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
from grader.worker.sliced.exact import items_of
from grader.worker.sliced.freezing import is_own
from grader.worker.sliced.withheld import withhold

DATATYPE = MPI.Datatype  # mpi4py's own class; a submission gets ours instead
_SELF = MPI.COMM_SELF  # mpi4py's own communicator, which copies numbers of any type; a rank replaces it by ours


class Buffer(NamedTuple):
    """One buffer of a call."""

    memory: Any  # None for `MPI.IN_PLACE` and for nothing
    size_bytes: int
    dtype: str
    parts: tuple[int, ...] = ()  # bytes for each rank, if the call has counts, or one for each rank
    spec: Any = None  # what the library gets for it

    def read(self) -> bytes:
        """Return a copy of the numbers, one after the other, even if there are gaps between them in memory."""
        copy = bytearray(self.size_bytes if self.memory is not None else 0)
        if copy:
            _SELF.Sendrecv(self.spec, 0, recvbuf=[copy, MPI.BYTE], source=0)
        return bytes(copy)

    def write(self, data: bytearray) -> None:
        """Write numbers into the buffer, which has room for them."""
        if self.spec is self.memory is not None:
            MPI.buffer.frombuffer(self.memory)[: len(data)] = data
        elif data:
            _SELF.Sendrecv([data, MPI.BYTE], 0, recvbuf=self.spec, source=0)


marks: list[bytes] = []
"""The beginning of a submission's pickles; its code cannot read it, so other bytes that it sends are no pickles."""
_MADE_BY = {"builtins": policy.words("complex set frozenset slice range object"), "copyreg": {"_reconstructor"}}
_OF_NUMPY = policy.words("""
    _reconstruct scalar _frombuffer __generator_ctor __bit_generator_ctor __randomstate_ctor PCG64 MT19937
    SeedSequence __pyx_unpickle_SeedSequence
""")
"""Functions by which NumPy makes arrays, numbers and generators from pickles."""


class _Opener(pickle.Unpickler):
    """Makes objects of a submission's own classes, and of other classes that it may use, and no other objects."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a class or a function that makes an object.

        Raises:
            UnpicklingError: a submission may not use it.
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


def open_pickle(data: bytearray | memoryview) -> Any:
    """Return the object of a message.

    Raises:
        UnpicklingError: `make_pickle` did not make it here, or it contains an object that ranks may not send.
    """
    if not marks:
        return MPI.pickle.loads(data)
    if bytes(data[: len(mark := b"".join(marks))]) != mark:
        raise pickle.UnpicklingError("the message holds no object: what Send sends, Recv receives")
    return _Opener(io.BytesIO(data[len(mark) :])).load()


NOTHING = Buffer(None, 0, "")
IN_PLACE = Buffer(None, 0, "", spec=MPI.IN_PLACE)


def read_spec(spec: Any, ranks: int = 0) -> Buffer:
    """Return the buffer that `array`, `[array, type]`, `[array, count, type]` or `[array, counts, starts, type]` means.

    If the buffer has a part for each of some `ranks`, a count is that of each part, and a start is their distance.

    Raises:
        TypeError, BufferError, ValueError: it is not a buffer, as in mpi4py.
        Unfollowed: a submission names any memory by its address.
    """
    if (
        type(spec) is np.ndarray and spec.dtype.isbuiltin and spec.dtype.kind in "biufc" and spec.flags.forc
    ):  # the same as below, but faster
        return Buffer(spec, spec.nbytes, f"{spec.dtype.kind}{spec.itemsize}", spec=spec)
    if spec is MPI.IN_PLACE:
        return IN_PLACE
    named, counts, starts, code = _take_apart(spec)
    if named is None:
        return NOTHING if spec is None else Buffer(None, 0, "", spec=[None, *take_items(spec)[1:]])
    if named is MPI.BOTTOM and Frozen.is_sealed:
        raise Unfollowed("MPI.BOTTOM")
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
    if isinstance(counts, list) or (ranks and where):
        each, places = _parts_of(counts, starts, whole_bytes // extent_bytes, ranks)
        _expect_within(whole_bytes, reach, zip(each, places, strict=False))
        parts = tuple(count * item_bytes for count in each)
        return Buffer(memory, sum(parts), dtype, parts, spec=passed_on)
    start = 0 if isinstance(starts, list) else starts or 0
    count = whole_bytes // extent_bytes - start if counts is None else counts
    if named is not MPI.BOTTOM:
        _expect_within(whole_bytes, reach, [(count, start)])
    return Buffer(memory, count * item_bytes, dtype, spec=passed_on)


def _parts_of(counts: Any, starts: Any, items: int, ranks: int) -> tuple[list[int], list[int]]:
    """Return the counts and the places of the parts of all ranks, as mpi4py reads them; a single start is a stride."""
    if not isinstance(counts, list):
        counts = [items // ranks + (rank < items % ranks) if counts is None else counts for rank in range(ranks)]
    if not isinstance(starts, list):
        whole = [*itertools.accumulate(counts, initial=0)]
        starts = whole if starts is None else [place * starts for place in range(len(counts))]
    return counts, starts


def _expect_within(whole_bytes: int, reach: tuple[int, int, int], parts: Iterable[tuple[int, int]]) -> None:
    """Refuse parts outside of their buffer: the library would read and write there.

    Args:
        whole_bytes: The size of the buffer.
        reach: Of an item: the offset of its first byte, its length, and the distance to the next item, in bytes.
        parts: Pairs: the number of items, and the index of the first.

    Raises:
        ValueError: with mpi4py's message.
    """
    first, long, step = reach
    for count, start in parts:
        ends = start * step + first, (start + count - 1) * step + first
        if count and not 0 <= min(ends) <= max(ends) + long <= whole_bytes:
            raise ValueError("message: buffer too small for requested count")


def read_numbers(numbers: Any) -> list[int] | int | None:
    """Return the counts or displacements of all ranks, or the one for all ranks, as plain integers."""
    if numbers is None:
        return None
    if isinstance(numbers, Sequence) or hasattr(numbers, "__len__"):
        return [operator.index(number) for number in take_items(numbers)]
    return operator.index(numbers)


def take_items(row: Any) -> list[Any]:
    """Return the items of a sequence; derived lists and tuples are read by the methods of `list` and `tuple`."""
    return items_of(row) if isinstance(row, list | tuple) else list(row)


def _take_apart(spec: Any) -> tuple[Any, Any, Any, Any]:
    """Return memory, counts, displacements and type."""
    if not isinstance(spec, list | tuple):
        return spec, None, None, None
    parts = take_items(spec)
    memory = parts.pop(0) if parts else None
    datatype = parts.pop() if parts and (isinstance(parts[-1], DATATYPE | str)) else None
    counts = parts.pop(0) if parts else None
    if isinstance(counts, tuple) and not parts:  # for mpi4py that is a pair in every call
        counts, starts = take_items(counts)
        return memory, counts, starts, datatype
    return memory, counts, parts.pop(0) if parts else None, datatype


def _item(memory: Any, datatype: MPI.Datatype | None) -> tuple[int, int, str]:
    """Return the bytes of one item, the distance to the next, and NumPy's letter and size for its type: `f8`."""
    dtype = np.asarray(memory).dtype
    if datatype is None:
        return dtype.itemsize, dtype.itemsize, f"{dtype.kind}{dtype.itemsize}"
    size, extent = DATATYPE.Get_size(datatype), max(datatype.extent, 1)
    try:
        dtype = np.dtype(DATATYPE.tocode(datatype) if size > 1 else "B")
    except (ValueError, TypeError):  # a derived type, which matches any
        return size, extent, ""
    return size, extent, f"{dtype.kind}{dtype.itemsize}"


class Unfollowed(Exception):  # noqa: N818 - an event: a person has to look
    """A call of MPI that this tracer does not know."""


put = object.__setattr__  # sets a field of an object of ours; only our own code can use it


def _refuse(owner: str, name: str, kind: type[Exception]) -> NoReturn:
    """Record that a slice tried to change something, and raise what mpi4py raises."""
    current.log.refuse(f"MPI.{owner}.{name} =")
    raise kind(f"cannot change {name!r} of MPI.{owner}")


class Frozen(type):
    """A class whose attributes cannot change once all such classes are sealed."""

    is_sealed = False  # whether no class can be derived from these, and none of their attributes changed, any more

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        """Make a class, unless they are sealed.

        Raises:
            Unfollowed: they are sealed; a TA must read what a submission's class does with a communicator.
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
    """An object whose fields only our own code can set, by `put`, once the classes are sealed."""

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        if Frozen.is_sealed:
            _refuse(type(self).__name__, name, AttributeError)
        put(self, name, value)

    def __delattr__(self, name: str) -> NoReturn:
        _refuse(type(self).__name__, name, AttributeError)


def _refuse_hints(_comm: Any) -> NoReturn:
    """Refuse a communicator's hints, in which a submission could keep texts."""
    raise Unfollowed("Comm.info")


_LEADING_AWAY = policy.words("""
    handle fromhandle fromint toint f2py py2f tomemory fromaddress frombuffer allocate address obj Create_keyval
    Create_errhandler Set_errhandler Call_errhandler Pack Unpack Pack_external Unpack_external Reduce_local
""")
"""Names that lead to the library's own communicator or to any memory, also through a callback."""


def seal(mark: bytes) -> None:
    """Refuse all changes of MPI from now on: a submission runs here. With slices, pickles begin with `mark`."""
    if not Frozen.is_sealed:
        marks[:] = [mark] if mark else []
        for name, value in vars(MPI).copy().items():
            if type(value) is DATATYPE and value != MPI.DATATYPE_NULL:  # the name of mpi4py's own can be set
                setattr(MPI, name, Datatype(value))
        kinds = [kind for kind in vars(MPI).values() if isinstance(kind, type) and mark]
        for base in {base for kind in kinds for base in kind.__mro__[:-1]}:
            withhold(base, _LEADING_AWAY & {*vars(base)})
        MPI.Datatype = Datatype  # a submission's own type could lie about its size
        MPI.Comm.info = property(_refuse_hints, MPI.Comm.Set_info)
        Frozen.is_sealed = True  # once: after Numba is imported, classes of ours are immutable


class Datatype(Firm, MPI.Datatype):  # type: ignore[misc] # a class written in C
    """A type of numbers whose name cannot be set."""

    __slots__ = ()
