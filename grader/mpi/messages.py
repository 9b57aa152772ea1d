"""Messages from one rank to another: announced, matched by the coordinator, and carried by the MPI library.

The methods are made from mpi4py's own: its signature says what a call is given, and its name what kind of call it is.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from typing import Any

from mpi4py import MPI

from grader.mpi.calls import ALL, ANY, LOOK, NOBODY, PROBE, RECEIVE, SEND, Match
from grader.mpi.link import Line, settle
from grader.mpi.objects import Buffer, Unfollowed, read_spec
from grader.mpi.requests import Message, begun, tell

_TAGS = 1 << 20
"""The library's tags are the numbers of the calls that send, so that it cannot match otherwise than the coordinator.
MPICH has 512 times as many."""
_LARGEST_TAG = 32_767
"""MPI promises no larger one; numbers could travel in these, and nobody would count them."""


def signed(name: str) -> Callable[..., dict[str, Any]]:
    """Return what reads the arguments of mpi4py's call `name`, as mpi4py names them; without the communicator."""
    signature = inspect.signature(getattr(MPI.Topocomm, name))

    def read(*args: Any, **options: Any) -> dict[str, Any]:
        try:
            bound = signature.bind(None, *args, **options)
        except TypeError as error:
            raise TypeError(f"{name}() {error}") from None
        bound.apply_defaults()
        del bound.arguments["self"]
        return bound.arguments

    return read


def message_call(name: str) -> Callable[..., Any]:
    """Return the method `name`, which sends, receives, or both."""
    read, is_pickled, begins = signed(name), name.islower(), name[0] in "Ii"
    sends, receives, is_buffered = "send" in name.lower(), "recv" in name.lower(), "bsend" in name.lower()

    def call(line: Line, *args: Any, **options: Any) -> Any:
        values, room = read(*args, **options), None
        numbers: list[int] = []
        if sends:
            first = next(iter(values.values()))
            data = MPI.pickle.dumps(first) if is_pickled else read_spec(first)
            numbers.append(_send(line, name, data, values["dest"], tag=values.get("sendtag", values.get("tag"))))
        if receives:
            room = None if is_pickled else read_spec(values.get("recvbuf", values.get("buf")))
            tag = values.get("recvtag", values.get("tag"))
            numbers.append(_receive(line, name, room, values["source"], tag=tag))
        if begins:
            return begun(line.link, numbers[-1], lambda match: _take(line, match, room) if receives else None)
        match = None if is_buffered else line.link.wait(tuple(numbers), name)[numbers[-1]]
        if match is None or not receives:
            return None
        tell(values["status"], match)
        return _take(line, match, room)

    return call


def probe_call(name: str) -> Callable[..., Any]:
    """Return the method `name`, which says whether a message is there; with an `m`, it takes the message."""
    read, how, takes = signed(name), LOOK if name[0] in "Ii" else ALL, "m" in name.lower()

    def call(line: Line, *args: Any, **options: Any) -> Any:
        values = read(*args, **options)
        peer, tag = peer_of(line, values["source"]), _tag_of(values["tag"])
        number = line.begin(name, PROBE, peer=peer, tag=tag)
        for match in line.link.wait((number,), name, how).values():
            tell(values["status"], match)
            if not takes:
                return True
            fields = {"peer": match.source, "tag": match.tag, "size_bytes": match.size_bytes, "pickled": match.pickled}
            number = line.begin(name, RECEIVE, **fields)  # nobody else receives it any more
            return begun(line.link, number, lambda match, room: _take(line, match, room), Message)
        return None if takes else False

    return call


def peer_of(line: Line, rank: int) -> int:
    """Return a rank as the coordinator knows it.

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


def _tag_of(tag: int) -> int:
    """Return a tag as the coordinator knows it.

    Raises:
        Unfollowed: MPI does not promise this one.
    """
    number = operator.index(tag)
    if number != MPI.ANY_TAG and not 0 <= number <= _LARGEST_TAG:
        raise Unfollowed(f"the tag {number} (MPI promises 0 to {_LARGEST_TAG})")
    return ANY if number == MPI.ANY_TAG else number


def _send(line: Line, name: str, data: bytes | Buffer, dest: int, *, tag: Any) -> int:
    """Begin to send and return the call's number; bytes are a pickled object."""
    peer = peer_of(line, dest)
    body, dtype = (data, "") if isinstance(data, bytes) else (data.read(), data.dtype)
    fields = {"peer": peer, "tag": _tag_of(tag), "pickled": isinstance(data, bytes)}
    number = line.begin(name, SEND, size_bytes=len(body), dtype=dtype, **fields)
    if peer != NOBODY:
        line.link.keep(line.real.Isend([body, MPI.BYTE], peer, number % _TAGS), body)
    return number


def _receive(line: Line, name: str, room: Buffer | None, source: int, *, tag: Any) -> int:
    """Announce a receive and return the call's number; without room, of a pickled object."""
    size, dtype = (room.size_bytes, room.dtype) if room else (0, "")
    peer = peer_of(line, source)
    fields = {"peer": peer, "tag": _tag_of(tag), "pickled": room is None}
    return line.begin(name, RECEIVE, size_bytes=size, dtype=dtype, **fields)


def _take(line: Line, match: Match, room: Buffer | None) -> Any:
    """Receive the message that was matched: into `room`, or the object that it is."""
    if match.source == NOBODY:
        return None
    body = bytearray(match.size_bytes)
    settle(line.real.Irecv([body, MPI.BYTE], match.source, match.sent_by % _TAGS))
    line.take(body, match.source)
    if room is None:
        return MPI.pickle.loads(body)
    room.write(bytes(body))
    return None
