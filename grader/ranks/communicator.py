"""What functions are handed in place of mpi4py's communicator: the same calls, each announced before it is done.

Student code cannot reach the line behind it: objects have no attributes but these methods, and fields that no slice
can name; see `grader/slices/privatenames.py`.
"""

from __future__ import annotations

from typing import Any, NoReturn

from mpi4py import MPI

from grader.ranks.buffers import read_spec
from grader.ranks.calls import ALL, COLLECTIVE, LOOK, NOBODY, Match
from grader.ranks.collectives import Collectives
from grader.ranks.messages import Line, look_for, receive, request, send, take
from grader.ranks.requests import Request, tell

_dumps = MPI.pickle.dumps


class Communicator(Collectives):
    """A communicator of some ranks."""

    __slots__ = ()

    def Get_rank(self) -> int:
        """Return this rank."""
        return int(self._mpi_line.real.Get_rank())

    def Get_size(self) -> int:
        """Return the number of ranks."""
        return len(self._mpi_line.members)

    rank, size = property(Get_rank), property(Get_size)

    def __getattr__(self, name: str) -> NoReturn:
        if not name.startswith("_") and hasattr(self._mpi_line.real, name):
            self._mpi_line.link.refused.append(f"comm.{name}")
        msg = f"the communicator has no {name!r} here"
        raise AttributeError(msg)

    def Send(self, buf: Any, dest: int, tag: int = 0) -> None:
        """Send, and return when the receiver has asked for it, as MPI allows."""
        self._mpi_done(send(self._mpi_line, "Send", read_spec(buf), dest, tag), "Send")

    def Ssend(self, buf: Any, dest: int, tag: int = 0) -> None:
        """Send, and return when the receiver has asked for it."""
        self._mpi_done(send(self._mpi_line, "Ssend", read_spec(buf), dest, tag), "Ssend")

    def Bsend(self, buf: Any, dest: int, tag: int = 0) -> None:
        """Send a copy, and return at once."""
        send(self._mpi_line, "Bsend", read_spec(buf), dest, tag)

    def Isend(self, buf: Any, dest: int, tag: int = 0) -> Request:
        """Begin to send."""
        return request(self._mpi_line, send(self._mpi_line, "Isend", read_spec(buf), dest, tag))

    Issend = Isend

    def Recv(self, buf: Any, source: int = MPI.ANY_SOURCE, tag: int = MPI.ANY_TAG, status: Any = None) -> None:
        """Receive into a buffer."""
        room = read_spec(buf)
        match = self._mpi_done(receive(self._mpi_line, "Recv", room, source, tag), "Recv")
        take(self._mpi_line, match, room)
        tell(status, match)

    def Irecv(self, buf: Any, source: int = MPI.ANY_SOURCE, tag: int = MPI.ANY_TAG) -> Request:
        """Begin to receive into a buffer."""
        room = read_spec(buf)
        return request(self._mpi_line, receive(self._mpi_line, "Irecv", room, source, tag), room, receives=True)

    def Sendrecv(
        self,
        sendbuf: Any,
        dest: int,
        sendtag: int = 0,
        recvbuf: Any = None,
        source: int = MPI.ANY_SOURCE,
        recvtag: int = MPI.ANY_TAG,
        status: Any = None,
    ) -> None:
        """Send and receive at the same time."""
        room = read_spec(recvbuf)
        sent = send(self._mpi_line, "Sendrecv", read_spec(sendbuf), dest, sendtag)
        number = receive(self._mpi_line, "Sendrecv", room, source, recvtag)
        match = self._mpi_line.link.wait((sent, number), "Sendrecv", ALL)[number]
        take(self._mpi_line, match, room)
        tell(status, match)

    def Sendrecv_replace(
        self,
        buf: Any,
        dest: int,
        sendtag: int = 0,
        source: int = MPI.ANY_SOURCE,
        recvtag: int = MPI.ANY_TAG,
        status: Any = None,
    ) -> None:
        """Send and receive at the same time, in the same buffer."""
        self.Sendrecv(buf, dest, sendtag, buf, source, recvtag, status)

    def Probe(self, source: int = MPI.ANY_SOURCE, tag: int = MPI.ANY_TAG, status: Any = None) -> bool:
        """Return when a message is there."""
        tell(status, self._mpi_done(look_for(self._mpi_line, "Probe", source, tag), "Probe"))
        return True

    def Iprobe(self, source: int = MPI.ANY_SOURCE, tag: int = MPI.ANY_TAG, status: Any = None) -> bool:
        """Return whether a message is there."""
        number = look_for(self._mpi_line, "Iprobe", source, tag)
        found = self._mpi_line.link.wait((number,), "Iprobe", LOOK)
        tell(status, found[number]) if found else None
        return bool(found)

    def send(self, obj: Any, dest: int, tag: int = 0) -> None:
        """Send an object, and return when the receiver has asked for it, as MPI allows."""
        self._mpi_done(send(self._mpi_line, "send", _dumps(obj), dest, tag), "send")

    ssend = send

    def isend(self, obj: Any, dest: int, tag: int = 0) -> Request:
        """Begin to send an object."""
        return request(self._mpi_line, send(self._mpi_line, "isend", _dumps(obj), dest, tag))

    def recv(self, buf: Any = None, source: int = MPI.ANY_SOURCE, tag: int = MPI.ANY_TAG, status: Any = None) -> Any:
        """Return an object that was sent."""
        del buf
        match = self._mpi_done(receive(self._mpi_line, "recv", None, source, tag), "recv")
        tell(status, match)
        return take(self._mpi_line, match, None)

    def irecv(self, buf: Any = None, source: int = MPI.ANY_SOURCE, tag: int = MPI.ANY_TAG) -> Request:
        """Begin to receive an object."""
        del buf
        return request(self._mpi_line, receive(self._mpi_line, "irecv", None, source, tag), receives=True)

    def sendrecv(
        self,
        sendobj: Any,
        dest: int,
        sendtag: int = 0,
        recvbuf: Any = None,
        source: int = MPI.ANY_SOURCE,
        recvtag: int = MPI.ANY_TAG,
        status: Any = None,
    ) -> Any:
        """Send an object and return another."""
        del recvbuf
        sent = send(self._mpi_line, "sendrecv", _dumps(sendobj), dest, sendtag)
        number = receive(self._mpi_line, "sendrecv", None, source, recvtag)
        match = self._mpi_line.link.wait((sent, number), "sendrecv", ALL)[number]
        tell(status, match)
        return take(self._mpi_line, match, None)

    def probe(self, source: int = MPI.ANY_SOURCE, tag: int = MPI.ANY_TAG, status: Any = None) -> bool:
        """Return when a message is there."""
        return self.Probe(source, tag, status)

    def iprobe(self, source: int = MPI.ANY_SOURCE, tag: int = MPI.ANY_TAG, status: Any = None) -> bool:
        """Return whether a message is there."""
        return self.Iprobe(source, tag, status)

    def Split(self, color: int = 0, key: int = 0) -> Any:
        """Return the communicator of those that name the same colour."""
        colour = NOBODY if color == MPI.UNDEFINED else int(color)
        return self._mpi_divide("Split", colour, int(key), lambda: self._mpi_line.real.Split(color, key))

    def Dup(self) -> Any:
        """Return another communicator of the same ranks."""
        return self._mpi_divide("Dup", 0, self.Get_rank(), self._mpi_line.real.Dup)

    Clone = Dup

    def Free(self) -> None:
        """Do nothing: a communicator is given back at the end."""

    def Abort(self, errorcode: int = 1) -> NoReturn:
        """End this rank."""
        raise SystemExit(errorcode)

    def _mpi_divide(self, name: str, colour: int, key: int, do: Any) -> Any:
        number = self._mpi_line.link.begin(name, COLLECTIVE, comm=self._mpi_line.number, choice=(colour, key))
        match = self._mpi_line.link.wait((number,), name)[number]
        real = do()
        if not match.members:
            return MPI.COMM_NULL
        return Communicator(Line(self._mpi_line.link, real, match.comm, match.members))

    def _mpi_done(self, number: int, name: str) -> Match:
        return self._mpi_line.link.wait((number,), name)[number]
