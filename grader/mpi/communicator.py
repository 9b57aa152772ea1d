"""Communicators that functions get instead of mpi4py's: the same, but each call is announced before it is done.

Their classes are derived from mpi4py's, so the library accepts them everywhere. Calls that are not followed go to the
library, and the trace names them. Student code can neither reach the line behind a communicator nor change a
communicator: see `objects`.
"""

import functools
import inspect
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn

from mpi4py import MPI

from grader.mpi.calls import COLLECTIVES, CROSS, NEAR, OTHER, SYNC
from grader.mpi.collectives import array_call, meet, object_call
from grader.mpi.link import Line, Link
from grader.mpi.messages import message_call, probe_call
from grader.mpi.objects import Firm, Frozen, Unfollowed, put
from grader.mpi.requests import Message, Prequest, Request, Status

_DIVIDING = r"Split|Split_type|Dup|Dup_with_info|Clone|Create|Create_(cart|graph|dist_graph_adjacent)|Sub"
"""Collective calls that give each rank a new communicator, or none; not `Create_dist_graph`, which carries numbers."""
_LOCAL = re.compile(
    r"_.*|(Get|Is)_(?!accumulate|parent).*|(Set|Delete|Free|Create|Call)_(name|attr|info|keyval|errhandler)|Compare|Shift"
    r"|(Cart|Graph)_map|(Attach|Detach|Flush)_buffer|f2py|py2f|from(int|handle)|toint|tomemory|is_.*"
)
"""Names of calls that send nothing to other ranks."""


_Call = Callable[[Line, dict[str, Any]], Any]
"""A function that does a call, with its communicator's line and its arguments by mpi4py's names."""
_INTRACOMM = MPI.Intracomm  # mpi4py's own class; a rank replaces it by ours


class _Lines:
    """The lines of this rank's communicators."""

    def __init__(self) -> None:
        self.link: Link
        self.by_handle: dict[int, Line] = {}
        self.world: Any = None  # the group of all ranks
        self._made = Counter[tuple[int, ...]]()

    def add(self, comm: Any) -> None:
        """Follow a communicator that the library has made, if all of its ranks are in this world."""
        members = tuple(comm.Get_group().Translate_ranks(None, self.world))
        if min(members) >= 0:
            self._made[members] += 1  # the same on all of them
            name = f"{'.'.join(map(str, members))}#{self._made[members]}"
            self.put(comm, _library_kind(type(comm))(comm), name, members)

    def put(self, comm: Any, real: Any, name: str, members: tuple[int, ...]) -> None:
        """Follow a communicator under this name; the library's communicator `real` does its calls."""
        line = Line(self.link, real, name, members, rank=members.index(self.link.rank))
        self.by_handle[MPI._handleof(comm)] = line


_lines = _Lines()


def _library_kind(kind: type) -> Any:
    """Return the class of mpi4py from which one of ours is derived."""
    return next(base for base in kind.__mro__ if type(base) is type)


def _adopt(made: Any) -> Any:
    """Return an object of the library as one of our class; follow it from now on if it is a communicator."""
    kind = _OURS.get(type(made))
    ours = made if kind is None else kind.__new__(kind, made)
    if isinstance(ours, Communicator) and ours and MPI._handleof(ours) not in _lines.by_handle:
        _lines.add(ours)
    return ours


def _signed(name: str) -> Callable[..., dict[str, Any]]:
    """Return a function that reads the arguments of mpi4py's call `name`, by its names, without the communicator."""
    signature = inspect.signature(getattr(MPI.Cartcomm, name))
    usual = {one.name: one.default for one in signature.parameters.values() if one.name != "self"}
    needed = {one for one, default in usual.items() if default is inspect.Parameter.empty}

    def read(*args: Any, **options: Any) -> dict[str, Any]:
        if not options and len(needed) <= len(args) <= len(usual):
            return {**usual, **dict(zip(usual, args, strict=False))}
        given = {**dict(zip(usual, args, strict=False)), **options}
        if len(given) < len(args) + len(options) or not needed <= given.keys() <= usual.keys():
            try:  # slow, and says what is wrong
                signature.bind(None, *args, **options)
            except TypeError as error:
                raise TypeError(f"{name}() {error}") from None
        return {one: given.get(one, default) for one, default in usual.items()}

    return read


def _follow(name: str, call: _Call) -> Callable[..., Any]:
    """Return the method `name`: it does `call` with its communicator's line, or passes it on if there is none."""
    pass_on, read = _pass_on(MPI.Cartcomm, name), _signed(name)

    def method(self: Any, *args: Any, **options: Any) -> Any:
        line = _lines.by_handle.get(MPI._handleof(self))
        return pass_on(self, *args, **options) if line is None else call(line, read(*args, **options))

    return functools.update_wrapper(method, getattr(MPI.Cartcomm, name), assigned=("__name__", "__doc__"), updated=())


def _pass_on(kind: type, name: str) -> Any:
    """Return the method `name` of `kind`, which announces a call that is not followed, and lets the library do it."""
    library = inspect.getattr_static(kind, name)

    def method(first: Any, *args: Any, **options: Any) -> Any:
        owner = first if isinstance(first, type) else type(first)
        call = _lines.link.number(f"{_library_kind(owner).__name__}.{name}", OTHER)
        _lines.link.write(call)
        try:
            return _adopt(library.__get__(None if first is owner else first, owner)(*args, **options))
        finally:
            _lines.link.finish(call.number)

    return classmethod(method) if isinstance(library, classmethod) else method


def _divide(name: str) -> _Call:
    """Return the call `name`, which gives each rank a new communicator."""

    def call(line: Line, values: dict[str, Any]) -> Any:
        meet(line, name)
        return _adopt(getattr(line.real, name)(*values.values()))

    return call


def _prepare(name: str) -> _Call:
    """Return the call `name`, such as `Send_init`: each start of its request begins the call `Isend`."""
    later = _call(f"I{name.removesuffix('_init').lower()}")

    def call(line: Line, values: dict[str, Any]) -> Any:
        values.pop("info", None)
        request = Prequest()
        put(request, "_mpi_begin", lambda: later(line, {**values}))
        return request

    return call


_ARRAYS = "|".join(COLLECTIVES)
_OBJECTS = "|".join(name.lower() for name, flow in COLLECTIVES.items() if flow not in {NEAR, CROSS, SYNC})
_MADE = {
    r"(?i)i?([sbr]?send(recv)?(_replace)?|recv)": message_call,
    r"(?i)(i|m|im)?probe": probe_call,
    rf"{_ARRAYS}|I({_ARRAYS.lower()})|barrier": array_call,
    _OBJECTS: object_call,
    _DIVIDING: _divide,
    rf"({_ARRAYS}|(S|[SBR]s)end|Recv)_init": _prepare,
}
"""Pattern of names of mpi4py's calls -> the function that makes these calls here."""


@functools.cache
def _call(name: str) -> Any:
    """Return the function that does the call `name` with a communicator's line; None if it is not followed."""
    make = next((make for pattern, make in _MADE.items() if re.fullmatch(pattern, name)), None)
    return make and make(name)


def _methods(kind: type, inherited: type = object) -> dict[str, Any]:
    """Return our methods for mpi4py's class `kind`, which announce all calls that are not local."""
    methods = {}
    for name in {*dir(kind)} - {*dir(inherited)}:
        if not callable(getattr(kind, name)):
            continue
        if issubclass(kind, MPI.Comm) and (call := _call(name)):
            methods[name] = _follow(name, call)
        elif not _LOCAL.fullmatch(name):
            methods[name] = _pass_on(kind, name)
    return methods


class Communicator(Firm, MPI.Intracomm):  # type: ignore[misc] # a class written in C
    """A communicator of some ranks."""

    __slots__ = ()
    vars().update(_methods(MPI.Intracomm))

    def __new__(cls, of_library: Any = None) -> Any:
        """Return an object for a communicator of the library, or for none."""
        return _INTRACOMM.__new__(cls, of_library)  # also for classes whose base in mpi4py has more bases

    def __init__(self, *_given: Any) -> None:
        if Frozen.is_sealed:
            raise Unfollowed("a communicator that is made of another")

    def Free(self) -> None:
        """Detach this object only; the library frees the communicator at the end: calls may be under way in it."""
        if not (line := _lines.by_handle.get(MPI._handleof(self))) or line.name:
            _set_handle(self, MPI.COMM_NULL)

    free = Disconnect = Free

    def Abort(self, errorcode: int = 1) -> NoReturn:
        """End this rank."""
        raise SystemExit(errorcode)


def _derive(kind: type, base: type = Firm) -> Any:
    """Return our class that replaces mpi4py's `kind`."""
    methods = _methods(kind, kind.__base__ if base is not Firm else object)  # type: ignore[arg-type] # it has one
    return Frozen(kind.__name__, (base, kind), {"__slots__": (), **methods})


_TOPOLOGY = _derive(MPI.Topocomm, Communicator)
_OURS: dict[type, Any] = {
    _library_kind(ours): ours
    for ours in (
        *(Communicator, _TOPOLOGY, Request, Prequest, Status, Message),
        *(_derive(kind, _TOPOLOGY) for kind in (MPI.Cartcomm, MPI.Graphcomm, MPI.Distgraphcomm)),
        *map(_derive, (MPI.Intercomm, MPI.Win, MPI.File)),
    )
}
"""Class of mpi4py -> our class."""


def _set_handle(comm: Any, other: Any) -> None:
    """Let an object stand for another communicator of the library; modules may have bound this object."""
    size = MPI._sizeof(MPI.COMM_NULL)
    room = MPI.buffer.fromaddress(MPI._addressof(comm), size)
    room[:] = MPI.buffer.fromaddress(MPI._addressof(other), size)


def replace_library(link: Link) -> Any:
    """Replace mpi4py's classes and communicators by ours, and return `MPI.COMM_WORLD`."""
    _lines.link, _lines.world = link, MPI.COMM_WORLD.Get_group()
    link.poke = MPI.COMM_WORLD.Iprobe
    _lines.put(MPI.COMM_SELF, MPI.COMM_SELF, f"{link.rank}#0", (link.rank,))
    for name, value in vars(MPI).copy().items():
        if kind := _OURS.get(type(value)):
            setattr(MPI, name, kind.__new__(kind, value))
        elif isinstance(value, type) and value in _OURS:
            setattr(MPI, name, _OURS[value])
    MPI.COMM_NULL = Communicator.__new__(Communicator)
    MPI.Comm = Communicator
    return MPI.COMM_WORLD


def library_of(comm: Any) -> Any:
    """Return the library's own communicator behind one that is followed; its calls are not traced."""
    return _lines.by_handle[MPI._handleof(comm)].real


def set_world(world: Any, real: Any, size: int) -> None:
    """Let `MPI.COMM_WORLD` stand for the first `size` ranks, as the library's `real` does."""
    _set_handle(world, real)
    _lines.put(world, real, "", tuple(range(size)))
