"""Collective calls: announced with what each rank gives, and done by the MPI library.

Each call of arrays has a *plan*: what is announced, and what the library is given. `Scatterv` makes it and waits until
all ranks have come before the library begins; `Iscatterv` makes the same and lets the library begin at once.
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from mpi4py import MPI

from grader.ranks.buffers import NOTHING, Buffer, read_spec, take_items
from grader.ranks.calls import COLLECTIVE, NOBODY
from grader.ranks.frozen import Firm
from grader.ranks.link import settle
from grader.ranks.messages import Line, peer_of
from grader.ranks.requests import Request, begun

_NAMES = ("SUM", "PROD", "MAX", "MIN", "LAND", "LOR", "LXOR", "BAND", "BOR", "BXOR", "MAXLOC", "MINLOC")
_dumps = MPI.pickle.dumps


@dataclass(frozen=True, slots=True)
class Plan:
    """One collective call."""

    given: Buffer = NOTHING
    """What this rank contributes, or takes from a root."""
    args: tuple[Any, ...] = ()
    """What the library is given."""
    received: Buffer = NOTHING
    """Where what comes from other ranks is put."""
    received_bytes: int = 0
    """How much comes from them; of a reduction, the result."""
    root: int | None = None
    op: Any = None
    parts: tuple[int, ...] = ()
    """Of a root that deals out or collects: bytes of each rank."""


def _synchronise(_line: Line) -> Plan:
    return Plan()


def _share(line: Line, buf: Any, root: int = 0) -> Plan:
    room, root = read_spec(buf), operator.index(root)
    return Plan(room, (room.spec, root), room, 0 if line.rank == root else room.size_bytes, root=root)


def _deal(line: Line, sendbuf: Any, recvbuf: Any, root: int = 0) -> Plan:
    room, root = read_spec(recvbuf), operator.index(root)
    if line.rank != root:
        return Plan(room, (None, room.spec, root), room, room.size_bytes, root=root)
    given = read_spec(sendbuf)
    return Plan(room, (given.spec, room.spec, root), root=root, parts=_parts(given, line))


def _collect(line: Line, sendbuf: Any, recvbuf: Any, root: int = 0) -> Plan:
    given, root = read_spec(sendbuf), operator.index(root)
    if line.rank != root:
        return Plan(given, (given.spec, None, root), root=root)
    room = read_spec(recvbuf)
    return Plan(given, (given.spec, room.spec, root), room, _of_others(room, line), root=root, parts=_parts(room, line))


def _collect_for_all(line: Line, sendbuf: Any, recvbuf: Any) -> Plan:
    return _give_part(line, sendbuf, recvbuf, 0)


def _collect_parts_for_all(line: Line, sendbuf: Any, recvbuf: Any) -> Plan:
    return _give_part(line, sendbuf, recvbuf, line.rank)


def _give_part(line: Line, sendbuf: Any, recvbuf: Any, place: int) -> Plan:
    """Return the plan of a call by which all get the parts of all; in place, this rank's own part counts."""
    given, room = read_spec(sendbuf), read_spec(recvbuf)
    own = Buffer(None, _parts(room, line)[place], room.dtype) if given.memory is None else given
    return Plan(own, (given.spec, room.spec), room, _of_others(room, line))


def _exchange(line: Line, sendbuf: Any, recvbuf: Any) -> Plan:
    given, room = read_spec(sendbuf), read_spec(recvbuf)
    return Plan(_first(given, room), (given.spec, room.spec), room, _of_others(room, line))


def _reduce(line: Line, sendbuf: Any, recvbuf: Any, op: Any = MPI.SUM, root: int = 0) -> Plan:
    given, root = read_spec(sendbuf), operator.index(root)
    room = read_spec(recvbuf) if line.rank == root else NOTHING
    one = _first(given, room)
    return Plan(one, (given.spec, room.spec, op, root), room, room.size_bytes, root=root, op=op)


def _reduce_for_all(_line: Line, sendbuf: Any, recvbuf: Any, op: Any = MPI.SUM) -> Plan:
    given, room = read_spec(sendbuf), read_spec(recvbuf)
    one = _first(given, room)
    return Plan(one, (given.spec, room.spec, op), room, one.size_bytes, op=op)


def _reduce_and_deal(_line: Line, sendbuf: Any, recvbuf: Any, recvcounts: Any = None, op: Any = MPI.SUM) -> Plan:
    given, room = read_spec(sendbuf), read_spec(recvbuf)
    counts = None if recvcounts is None else [operator.index(count) for count in take_items(recvcounts)]
    one = _first(given, room)
    return Plan(one, (given.spec, room.spec, counts, op), room, one.size_bytes, op=op)


def _calls(name: str, plan: Callable[..., Plan], doc: str) -> tuple[Callable[..., None], Callable[..., Request]]:
    """Return the call `name` of the library, which waits, and the one with an `I` in front, which does not."""
    later_name, arguments = f"I{name.lower()}", inspect.signature(plan)

    def planned(self: Collectives, called: str, args: tuple[Any, ...], options: dict[str, Any]) -> tuple[Plan, int]:
        try:
            bound = arguments.bind(self._mpi_line, *args, **options)
        except TypeError as error:
            raise TypeError(f"{called}() {error}") from None
        one = plan(*bound.args, **bound.kwargs)
        number = self._mpi_announce(called, one)
        if one.received_bytes:  # now, as nobody has to wait for a call that has begun
            self._mpi_line.link.count(one.received_bytes)
        return one, number

    def call(self: Collectives, *args: Any, **options: Any) -> None:
        one, number = planned(self, name, args, options)
        self._mpi_line.link.wait((number,), name)
        finish(self._mpi_line, getattr(self._mpi_line.real, later_name)(*one.args), one)

    def begin(self: Collectives, *args: Any, **options: Any) -> Request:
        one, number = planned(self, later_name, args, options)
        line = self._mpi_line
        real = getattr(line.real, later_name)(*one.args)
        line.link.keep(real, one)
        return begun(line.link, number, lambda _match: finish(line, real, one))

    def finish(line: Line, real: Any, one: Plan) -> None:
        settle(real)
        if one.received_bytes and one.received.memory is not None:
            line.link.exchange_in(MPI.buffer.frombuffer(one.received.memory))

    call.__name__, begin.__name__ = name, later_name
    call.__doc__, begin.__doc__ = doc, f"Begin: {doc[:1].lower()}{doc[1:]}"
    return call, begin


class Collectives(Firm):
    """The collective calls of a communicator."""

    __slots__ = ("_mpi_line",)
    _mpi_line: Line

    Barrier, Ibarrier = _calls("Barrier", _synchronise, "Wait for all.")
    Bcast, Ibcast = _calls("Bcast", _share, "Give all what the root has.")
    Scatter, Iscatter = _calls("Scatter", _deal, "Deal out equal parts.")
    Scatterv, Iscatterv = _calls("Scatterv", _deal, "Deal out parts of different sizes.")
    Gather, Igather = _calls("Gather", _collect, "Collect equal parts.")
    Gatherv, Igatherv = _calls("Gatherv", _collect, "Collect parts of different sizes.")
    Allgather, Iallgather = _calls("Allgather", _collect_for_all, "Give all the parts of all, which are equal.")
    Allgatherv, Iallgatherv = _calls("Allgatherv", _collect_parts_for_all, "Give all the parts of all.")
    Alltoall, Ialltoall = _calls("Alltoall", _exchange, "Deal out equal parts to all, and collect theirs.")
    Alltoallv, Ialltoallv = _calls("Alltoallv", _exchange, "Deal out parts to all, and collect theirs.")
    Reduce, Ireduce = _calls("Reduce", _reduce, "Reduce at the root.")
    Allreduce, Iallreduce = _calls("Allreduce", _reduce_for_all, "Reduce, and give all the result.")
    Reduce_scatter, Ireduce_scatter = _calls("Reduce_scatter", _reduce_and_deal, "Reduce, and deal out the result.")
    Reduce_scatter_block, Ireduce_scatter_block = _calls(
        "Reduce_scatter_block", _reduce_for_all, "Reduce, and deal out equal parts of the result."
    )
    Scan, Iscan = _calls("Scan", _reduce_for_all, "Reduce over this rank and those before it.")
    Exscan, Iexscan = _calls("Exscan", _reduce_for_all, "Reduce over the ranks before this one.")
    barrier = _calls("barrier", _synchronise, "Wait for all.")[0]

    def bcast(self, obj: Any, root: int = 0) -> Any:
        """Return the root's object."""
        root = operator.index(root)
        found = self._mpi_exchange("bcast", obj if self._mpi_is(root) else None, root)
        return obj if self._mpi_is(root) else self._mpi_open(found[root], root)

    def scatter(self, sendobj: Any, root: int = 0) -> Any:
        """Return one of the root's objects.

        Raises:
            ValueError: the root has another number of objects than there are ranks.
        """
        root = operator.index(root)
        given = self._mpi_pack(sendobj) if self._mpi_is(root) else None
        return self._mpi_open_part(self._mpi_exchange("scatter", given, root)[root], root)

    def gather(self, sendobj: Any, root: int = 0) -> Any:
        """Return all objects at the root."""
        root = operator.index(root)
        found = self._mpi_exchange("gather", sendobj, root)
        return self._mpi_open_all(found) if self._mpi_is(root) else None

    def allgather(self, sendobj: Any) -> Any:
        """Return all objects."""
        return self._mpi_open_all(self._mpi_exchange("allgather", sendobj))

    def alltoall(self, sendobj: Any) -> Any:
        """Return one object of each rank.

        Raises:
            ValueError: there is another number of objects than of ranks.
        """
        found = self._mpi_exchange("alltoall", self._mpi_pack(sendobj))
        return [self._mpi_open_part(data, source) for source, data in enumerate(found)]

    def reduce(self, sendobj: Any, op: Any = MPI.SUM, root: int = 0) -> Any:
        """Return the reduction at the root."""
        root = operator.index(root)
        found = self._mpi_exchange("reduce", sendobj, root, op)
        return functools.reduce(op, self._mpi_open_all(found)) if self._mpi_is(root) else None

    def allreduce(self, sendobj: Any, op: Any = MPI.SUM) -> Any:
        """Return the reduction."""
        return functools.reduce(op, self._mpi_open_all(self._mpi_exchange("allreduce", sendobj, op=op)))

    def scan(self, sendobj: Any, op: Any = MPI.SUM) -> Any:
        """Return the reduction over this rank and those before it."""
        found = self._mpi_exchange("scan", sendobj, op=op)
        return functools.reduce(op, self._mpi_open_all(found[: self._mpi_line.rank + 1]))

    def exscan(self, sendobj: Any, op: Any = MPI.SUM) -> Any:
        """Return the reduction over the ranks before this one; None at the first."""
        found = self._mpi_exchange("exscan", sendobj, op=op)[: self._mpi_line.rank]
        return functools.reduce(op, self._mpi_open_all(found)) if found else None

    def _mpi_is(self, root: int) -> bool:
        return self._mpi_line.rank == root

    def _mpi_announce(self, name: str, plan: Plan, *, pickled: bool = False) -> int:
        peer = NOBODY if plan.root is None else peer_of(self._mpi_line, plan.root)
        fields: dict[str, Any] = {"size_bytes": plan.given.size_bytes, "dtype": plan.given.dtype, "parts": plan.parts}
        reduction = _name_reduction(plan.op)
        return self._mpi_line.link.begin(
            name, COLLECTIVE, comm=self._mpi_line.number, peer=peer, reduction=reduction, pickled=pickled, **fields
        )

    def _mpi_exchange(self, name: str, obj: Any, root: int | None = None, op: Any = None) -> list[bytearray]:
        """Return the objects of all ranks, pickled; that some calls open fewer is of no matter to small ones."""
        data = _dumps(obj)
        plan = Plan(Buffer(None, 0 if obj is None else len(data), ""), root=root, op=op)
        number = self._mpi_announce(name, plan, pickled=True)
        self._mpi_line.link.wait((number,), name)
        lengths = np.empty(len(self._mpi_line.members), np.int64)
        settle(self._mpi_line.real.Iallgather(np.array([len(data)], np.int64), lengths))
        held = bytearray(int(lengths.sum()))
        settle(self._mpi_line.real.Iallgatherv([data, MPI.BYTE], [held, lengths.tolist(), MPI.BYTE]))
        ends = np.cumsum(lengths).tolist()
        return [held[end - length : end] for end, length in zip(ends, lengths.tolist(), strict=True)]

    def _mpi_pack(self, sendobj: Any) -> list[bytes]:
        """Return one object for each rank, each pickled by itself."""
        return [_dumps(item) for item in _items(sendobj, len(self._mpi_line.members))]

    def _mpi_open(self, data: bytearray, source: int) -> Any:
        """Return an object that comes from a rank."""
        if not self._mpi_is(source):
            self._mpi_line.link.count(len(data))
            self._mpi_line.link.exchange_in(data)
        return MPI.pickle.loads(data)

    def _mpi_open_part(self, data: bytearray, source: int) -> Any:
        """Return what a rank packed for this one."""
        return self._mpi_open(bytearray(MPI.pickle.loads(data)[self._mpi_line.rank]), source)

    def _mpi_open_all(self, found: list[bytearray]) -> list[Any]:
        """Return the objects of the first ranks."""
        return [self._mpi_open(data, source) for source, data in enumerate(found)]


def _name_reduction(op: Any) -> str:
    """Return the name of a reduction; empty for a call that reduces nothing."""
    if op is None:
        return ""
    if not isinstance(op, MPI.Op):
        return "a function"
    return next((name for name in _NAMES if op == getattr(MPI, name)), "a function")


def _of_others(room: Buffer, line: Line) -> int:
    """Return how many of the bytes that a rank has room for are not its own."""
    parts = _parts(room, line)
    return sum(parts) - sum(parts[line.rank : line.rank + 1])


def _first(given: Buffer, room: Buffer) -> Buffer:
    """Return what a rank gives; in place, that is what it receives into."""
    return room if given.memory is None else given


def _items(sendobj: Any, size: int) -> list[Any]:
    items = take_items(sendobj)
    if len(items) != size:
        msg = f"expecting {size} items, got {len(items)}"  # mpi4py's own words
        raise ValueError(msg)
    return items


def _parts(buffer: Buffer, line: Line) -> tuple[int, ...]:
    """Return the bytes of each rank: by counts, by the one count of all, or equal; the first larger if need be."""
    size = len(line.members)
    if buffer.parts or buffer.memory is None:
        return buffer.parts
    if buffer.is_counted:
        return (buffer.size_bytes,) * size
    item = int(buffer.dtype[1:] or 1) if buffer.dtype[1:].isdigit() else 1
    each, more = divmod(buffer.size_bytes // item, size)
    return tuple((each + (rank < more)) * item for rank in range(size))
