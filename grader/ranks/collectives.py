"""Collective calls: announced with what each rank gives, and done by the MPI library when all ranks have come."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from mpi4py import MPI

from grader.ranks.buffers import Buffer, read_spec
from grader.ranks.calls import ALL, COLLECTIVE, NOBODY
from grader.ranks.link import settle
from grader.ranks.messages import Line, peer_of, spoil, spoil_buffer
from grader.ranks.requests import Request

_NAMES = ("SUM", "PROD", "MAX", "MIN", "LAND", "LOR", "LXOR", "BAND", "BOR", "BXOR", "MAXLOC", "MINLOC")
_dumps = MPI.pickle.dumps


class Collectives:
    """The collective calls of a communicator."""

    __slots__ = ("_mpi_line",)

    def __init__(self, line: Line) -> None:
        self._mpi_line = line

    def Barrier(self) -> None:
        """Wait for all."""
        self._mpi_meet("Barrier", Buffer(None, 0, ""), self._mpi_line.real.Ibarrier)

    def Bcast(self, buf: Any, root: int = 0) -> None:
        """Give all what the root has."""
        room = read_spec(buf)
        self._mpi_meet("Bcast", room, lambda: self._mpi_line.real.Ibcast(buf, root), root=root)
        self._mpi_received(room, root)

    def Scatter(self, sendbuf: Any, recvbuf: Any, root: int = 0) -> None:
        """Deal out equal parts."""
        self._mpi_deal("Scatter", sendbuf, recvbuf, root)

    def Scatterv(self, sendbuf: Any, recvbuf: Any, root: int = 0) -> None:
        """Deal out parts of different sizes."""
        self._mpi_deal("Scatterv", sendbuf, recvbuf, root)

    def _mpi_deal(self, name: str, sendbuf: Any, recvbuf: Any, root: int) -> None:
        room = read_spec(recvbuf)
        parts = _parts(read_spec(sendbuf), len(self._mpi_line.members)) if self._mpi_is(root) else ()
        method = getattr(self._mpi_line.real, f"I{name.lower()}")
        self._mpi_meet(name, room, lambda: method(sendbuf, recvbuf, root), root=root, parts=parts)
        self._mpi_received(room, root)

    def Gather(self, sendbuf: Any, recvbuf: Any, root: int = 0) -> None:
        """Collect equal parts."""
        self._mpi_collect("Gather", sendbuf, recvbuf, root)

    def Gatherv(self, sendbuf: Any, recvbuf: Any, root: int = 0) -> None:
        """Collect parts of different sizes."""
        self._mpi_collect("Gatherv", sendbuf, recvbuf, root)

    def _mpi_collect(self, name: str, sendbuf: Any, recvbuf: Any, root: int) -> None:
        parts = _parts(read_spec(recvbuf), len(self._mpi_line.members)) if self._mpi_is(root) else ()
        method = getattr(self._mpi_line.real, f"I{name.lower()}")
        self._mpi_meet(name, read_spec(sendbuf), lambda: method(sendbuf, recvbuf, root), root=root, parts=parts)

    def Allgather(self, sendbuf: Any, recvbuf: Any) -> None:
        """Give all the parts of all, which are equal."""
        given, room = read_spec(sendbuf), read_spec(recvbuf)
        if given.memory is None:
            given = Buffer(None, _parts(room, len(self._mpi_line.members))[0], room.dtype)
        self._mpi_meet("Allgather", given, lambda: self._mpi_line.real.Iallgather(sendbuf, recvbuf))
        spoil_buffer(self._mpi_line.link, room)

    def Allgatherv(self, sendbuf: Any, recvbuf: Any) -> None:
        """Give all the parts of all."""
        given, room = read_spec(sendbuf), read_spec(recvbuf)
        if given.memory is None:
            parts = _parts(room, len(self._mpi_line.members))
            given = Buffer(None, parts[self._mpi_line.real.Get_rank()], room.dtype)
        self._mpi_meet("Allgatherv", given, lambda: self._mpi_line.real.Iallgatherv(sendbuf, recvbuf))
        spoil_buffer(self._mpi_line.link, room)

    def Alltoall(self, sendbuf: Any, recvbuf: Any) -> None:
        """Deal out equal parts to all, and collect theirs."""
        given = _first(sendbuf, recvbuf)
        self._mpi_meet("Alltoall", given, lambda: self._mpi_line.real.Ialltoall(sendbuf, recvbuf))
        spoil_buffer(self._mpi_line.link, read_spec(recvbuf))

    def Alltoallv(self, sendbuf: Any, recvbuf: Any) -> None:
        """Deal out parts to all, and collect theirs."""
        self._mpi_meet("Alltoallv", _first(sendbuf, recvbuf), lambda: self._mpi_line.real.Ialltoallv(sendbuf, recvbuf))
        spoil_buffer(self._mpi_line.link, read_spec(recvbuf))

    def Reduce(self, sendbuf: Any, recvbuf: Any, op: Any = MPI.SUM, root: int = 0) -> None:
        """Reduce at the root."""
        given = _first(sendbuf, recvbuf)
        self._mpi_meet(
            "Reduce", given, lambda: self._mpi_line.real.Ireduce(sendbuf, recvbuf, op, root), root=root, op=op
        )

    def Allreduce(self, sendbuf: Any, recvbuf: Any, op: Any = MPI.SUM) -> None:
        """Reduce, and give all the result."""
        given = _first(sendbuf, recvbuf)
        self._mpi_meet("Allreduce", given, lambda: self._mpi_line.real.Iallreduce(sendbuf, recvbuf, op), op=op)

    def Reduce_scatter(self, sendbuf: Any, recvbuf: Any, recvcounts: Any = None, op: Any = MPI.SUM) -> None:
        """Reduce, and deal out the result."""
        given = _first(sendbuf, recvbuf)
        do = self._mpi_line.real.Ireduce_scatter
        self._mpi_meet("Reduce_scatter", given, lambda: do(sendbuf, recvbuf, recvcounts, op), op=op)

    def Reduce_scatter_block(self, sendbuf: Any, recvbuf: Any, op: Any = MPI.SUM) -> None:
        """Reduce, and deal out equal parts of the result."""
        given = _first(sendbuf, recvbuf)
        do = self._mpi_line.real.Ireduce_scatter_block
        self._mpi_meet("Reduce_scatter_block", given, lambda: do(sendbuf, recvbuf, op), op=op)

    def Scan(self, sendbuf: Any, recvbuf: Any, op: Any = MPI.SUM) -> None:
        """Reduce over this rank and those before it."""
        self._mpi_meet("Scan", _first(sendbuf, recvbuf), lambda: self._mpi_line.real.Iscan(sendbuf, recvbuf, op), op=op)

    def Exscan(self, sendbuf: Any, recvbuf: Any, op: Any = MPI.SUM) -> None:
        """Reduce over the ranks before this one."""
        self._mpi_meet(
            "Exscan", _first(sendbuf, recvbuf), lambda: self._mpi_line.real.Iexscan(sendbuf, recvbuf, op), op=op
        )

    def Ibarrier(self) -> Request:
        """Begin to wait for all."""
        return self._mpi_start("Ibarrier", Buffer(None, 0, ""), self._mpi_line.real.Ibarrier)

    def Ibcast(self, buf: Any, root: int = 0) -> Request:
        """Begin a `Bcast`."""
        return self._mpi_start("Ibcast", read_spec(buf), lambda: self._mpi_line.real.Ibcast(buf, root), root=root)

    def Iallreduce(self, sendbuf: Any, recvbuf: Any, op: Any = MPI.SUM) -> Request:
        """Begin an `Allreduce`."""
        given = _first(sendbuf, recvbuf)
        return self._mpi_start("Iallreduce", given, lambda: self._mpi_line.real.Iallreduce(sendbuf, recvbuf, op), op=op)

    def Ireduce(self, sendbuf: Any, recvbuf: Any, op: Any = MPI.SUM, root: int = 0) -> Request:
        """Begin a `Reduce`."""
        given, do = _first(sendbuf, recvbuf), self._mpi_line.real.Ireduce
        return self._mpi_start("Ireduce", given, lambda: do(sendbuf, recvbuf, op, root), root=root, op=op)

    def barrier(self) -> None:
        """Wait for all."""
        self._mpi_meet("barrier", Buffer(None, 0, ""), self._mpi_line.real.Ibarrier)

    def bcast(self, obj: Any, root: int = 0) -> Any:
        """Return the root's object."""
        found = self._mpi_exchange("bcast", obj if self._mpi_is(root) else None, root)
        return obj if self._mpi_is(root) else spoil(self._mpi_line.link, found[root])

    def scatter(self, sendobj: Any, root: int = 0) -> Any:
        """Return one of the root's objects.

        Raises:
            ValueError: the root has another number of objects than there are ranks.
        """
        given = _items(sendobj, len(self._mpi_line.members)) if self._mpi_is(root) else None
        return spoil(
            self._mpi_line.link, self._mpi_exchange("scatter", given, root)[root][self._mpi_line.real.Get_rank()]
        )

    def gather(self, sendobj: Any, root: int = 0) -> Any:
        """Return all objects at the root."""
        found = self._mpi_exchange("gather", sendobj, root)
        return found if self._mpi_is(root) else None

    def allgather(self, sendobj: Any) -> Any:
        """Return all objects."""
        return spoil(self._mpi_line.link, self._mpi_exchange("allgather", sendobj))

    def alltoall(self, sendobj: Any) -> Any:
        """Return one object of each rank.

        Raises:
            ValueError: there is another number of objects than of ranks.
        """
        items = _items(sendobj, len(self._mpi_line.members))
        found = [given[self._mpi_line.real.Get_rank()] for given in self._mpi_exchange("alltoall", items)]
        return spoil(self._mpi_line.link, found)

    def reduce(self, sendobj: Any, op: Any = MPI.SUM, root: int = 0) -> Any:
        """Return the reduction at the root."""
        found = self._mpi_exchange("reduce", sendobj, root, op)
        return functools.reduce(op, found) if self._mpi_is(root) else None

    def allreduce(self, sendobj: Any, op: Any = MPI.SUM) -> Any:
        """Return the reduction."""
        return functools.reduce(op, self._mpi_exchange("allreduce", sendobj, op=op))

    def scan(self, sendobj: Any, op: Any = MPI.SUM) -> Any:
        """Return the reduction over this rank and those before it."""
        found = self._mpi_exchange("scan", sendobj, op=op)
        return functools.reduce(op, found[: self._mpi_line.real.Get_rank() + 1])

    def exscan(self, sendobj: Any, op: Any = MPI.SUM) -> Any:
        """Return the reduction over the ranks before this one; None at the first."""
        found = self._mpi_exchange("exscan", sendobj, op=op)[: self._mpi_line.real.Get_rank()]
        return functools.reduce(op, found) if found else None

    def _mpi_is(self, root: int) -> bool:
        return bool(self._mpi_line.real.Get_rank() == root)

    def _mpi_announce(
        self, name: str, given: Buffer, root: int | None, op: Any, parts: tuple[int, ...], *, pickled: bool = False
    ) -> int:
        fields: dict[str, Any] = {"comm": self._mpi_line.number, "size_bytes": given.size_bytes, "dtype": given.dtype}
        peer = NOBODY if root is None else peer_of(self._mpi_line, root)
        reduction = "" if op is None else next((one for one in _NAMES if op == getattr(MPI, one)), "a function")
        return self._mpi_line.link.begin(
            name, COLLECTIVE, peer=peer, parts=parts, reduction=reduction, pickled=pickled, **fields
        )

    def _mpi_meet(
        self,
        name: str,
        given: Buffer,
        do: Callable[[], Any],
        *,
        root: int | None = None,
        op: Any = None,
        parts: tuple[int, ...] = (),
    ) -> None:
        number = self._mpi_announce(name, given, root, op, parts)
        self._mpi_line.link.wait((number,), name, ALL)
        settle(do())

    def _mpi_exchange(self, name: str, obj: Any, root: int | None = None, op: Any = None) -> list[Any]:
        """Return the objects of all ranks; that some calls need fewer of them is of no matter to small ones."""
        data = _dumps(obj)
        given = Buffer(None, 0 if obj is None else len(data), "")
        number = self._mpi_announce(name, given, root, op, (), pickled=True)
        self._mpi_line.link.wait((number,), name, ALL)
        lengths = np.empty(len(self._mpi_line.members), np.int64)
        settle(self._mpi_line.real.Iallgather(np.array([len(data)], np.int64), lengths))
        held = bytearray(int(lengths.sum()))
        settle(self._mpi_line.real.Iallgatherv([data, MPI.BYTE], [held, lengths.tolist(), MPI.BYTE]))
        ends = np.cumsum(lengths).tolist()
        return [MPI.pickle.loads(held[end - length : end]) for end, length in zip(ends, lengths.tolist(), strict=True)]

    def _mpi_start(
        self, name: str, given: Buffer, do: Callable[[], Any], *, root: int | None = None, op: Any = None
    ) -> Request:
        number = self._mpi_announce(name, given, root, op, ())
        real = do()
        self._mpi_line.link.keep(real, given)
        return Request(self._mpi_line.link, number, lambda _match: settle(real))

    def _mpi_received(self, room: Buffer, root: int) -> None:
        if not self._mpi_is(root) and room.memory is not None:
            spoil_buffer(self._mpi_line.link, room)


def _first(sendbuf: Any, recvbuf: Any) -> Buffer:
    """Return what a rank gives; in place, that is what it receives into."""
    given = read_spec(sendbuf)
    return read_spec(recvbuf) if given.memory is None else given


def _items(sendobj: Any, size: int) -> list[Any]:
    items = list(sendobj)
    if len(items) != size:
        msg = f"expecting {size} items, got {len(items)}"  # mpi4py's own words
        raise ValueError(msg)
    return items


def _parts(buffer: Buffer, size: int) -> tuple[int, ...]:
    """Return the bytes of each rank: by counts, by the one count of all, or equal; the first larger if need be."""
    if buffer.parts or buffer.memory is None:
        return buffer.parts
    if buffer.is_counted:
        return (buffer.size_bytes,) * size
    item = int(buffer.dtype[1:] or 1) if buffer.dtype[1:].isdigit() else 1
    each, more = divmod(buffer.size_bytes // item, size)
    return tuple((each + (rank < more)) * item for rank in range(size))
