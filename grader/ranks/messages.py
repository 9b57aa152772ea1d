"""Messages from one rank to another: announced, matched by the conductor, and carried by the MPI library."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

from mpi4py import MPI

from grader.ranks.buffers import Buffer
from grader.ranks.calls import ANY, NOBODY, PROBE, RECEIVE, SEND, Match
from grader.ranks.link import Link, settle
from grader.ranks.requests import Request, begun

_TAGS = 30_000
"""The library's tags count the messages of each pair, so that it cannot match otherwise than the conductor."""


class Line(NamedTuple):
    """What a communicator of a rank works with."""

    link: Link
    real: Any
    """The library's own communicator."""
    number: int
    members: tuple[int, ...]
    """Ranks of the whole team, in the order of this communicator."""

    @property
    def rank(self) -> int:
        """The rank in this communicator, by what the conductor said; no communicator is asked."""
        return self.members.index(self.link.rank)


def peer_of(line: Line, rank: int) -> int:
    """Return a rank as the conductor knows it.

    Raises:
        MPI.Exception: there is no such rank.
    """
    number = operator.index(rank)
    if number == MPI.PROC_NULL:
        return NOBODY
    if number == MPI.ANY_SOURCE:
        return ANY
    if not 0 <= number < len(line.members):
        raise MPI.Exception(MPI.ERR_RANK)
    return number


def tag_of(tag: int) -> int:
    """Return a tag as the conductor knows it."""
    number = operator.index(tag)
    return ANY if number == MPI.ANY_TAG else number


def send(line: Line, name: str, data: bytes | Buffer, dest: int, *, tag: int) -> int:
    """Begin to send and return the call's number; bytes are a pickled object."""
    peer = peer_of(line, dest)
    pickled = isinstance(data, bytes)
    dtype = "" if isinstance(data, bytes) else data.dtype
    body = data if isinstance(data, bytes) else data.read()
    fields = {"comm": line.number, "peer": peer, "tag": tag_of(tag), "pickled": pickled}
    number = line.link.begin(name, SEND, size_bytes=len(body), dtype=dtype, **fields)
    if peer != NOBODY:
        order = line.link.next_order(line.number, peer)
        line.link.keep(line.real.Isend([body, MPI.BYTE], peer, order % _TAGS), body)
    return number


def receive(line: Line, name: str, room: Buffer | None, source: int, *, tag: int) -> int:
    """Announce a receive and return the call's number; without room, of a pickled object."""
    size, dtype = (room.size_bytes, room.dtype) if room else (0, "")
    peer = peer_of(line, source)
    fields = {"comm": line.number, "peer": peer, "tag": tag_of(tag), "pickled": room is None}
    return line.link.begin(name, RECEIVE, size_bytes=size, dtype=dtype, **fields)


def take(line: Line, match: Match, room: Buffer | None) -> Any:
    """Receive the message that was matched: into `room`, or the object that it is."""
    if match.source == NOBODY:
        return None
    body = bytearray(match.size_bytes)
    settle(line.real.Irecv([body, MPI.BYTE], match.source, match.order % _TAGS))
    if match.source != line.rank:
        line.link.count(len(body))
        line.link.exchange_in(body)
    if room is None:
        return MPI.pickle.loads(body)
    room.write(bytes(body))
    return None


def request(line: Line, number: int, room: Buffer | None = None, *, receives: bool = False) -> Request:
    """Return the request of a call that does not wait."""
    return begun(line.link, number, lambda match: take(line, match, room) if receives else None)


def look_for(line: Line, name: str, source: int, tag: int) -> int:
    """Ask whether a message is there, and return the call's number."""
    return line.link.begin(name, PROBE, comm=line.number, peer=peer_of(line, source), tag=tag_of(tag))
