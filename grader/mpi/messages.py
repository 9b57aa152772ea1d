"""Messages from one rank to another: announced, matched by the coordinator, and carried by the MPI library.

A method is made of the name of mpi4py's own, which says what kind of call it is; it gets the arguments by their names.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from mpi4py import MPI

from grader.mpi.calls import ALL, ANY, LOOK, NOBODY, PROBE, RECEIVE, SEND, Call, Match
from grader.mpi.link import Line, settle
from grader.mpi.objects import NOTHING, Buffer, Unfollowed, read_spec
from grader.mpi.requests import Message, begun, tell

_TAGS = 1 << 20
"""The library's tags are the numbers of the calls that send, so that it cannot match otherwise than the coordinator.
MPICH has 512 times as many."""
_NAMES = {SEND: ("dest", "sendtag"), RECEIVE: ("source", "recvtag"), PROBE: ("source", "tag")}
"""Kind of call -> the arguments that name its partner and its tag; this may also be called `tag`."""
_LARGEST_TAG = 32_767
"""MPI promises no larger one; numbers could travel in these, and nobody would count them."""


def message_call(name: str) -> Callable[..., Any]:
    """Return the method `name`, which sends, receives, or both."""
    is_pickled, begins = name.islower(), name[0] in "Ii"
    sends, receives = "send" in name.lower(), "recv" in name.lower()
    how = "" if begins or "bsend" in name.lower() else ALL

    def call(line: Line, values: dict[str, Any]) -> Any:
        calls, room = [], NOTHING
        if sends:
            body, dtype = _body(next(iter(values.values())), is_pickled)
            calls.append(_number(line, name, SEND, values, size_bytes=len(body), dtype=dtype))
        if receives:
            room = NOTHING if is_pickled else read_spec(values.get("recvbuf", values.get("buf")))
            calls.append(_number(line, name, RECEIVE, values, size_bytes=room.size_bytes, dtype=room.dtype))
        line.link.begin(*calls, how=how)
        if sends and calls[0].peer != NOBODY:
            line.link.keep(line.real.Isend([body, MPI.BYTE], calls[0].peer, calls[0].number % _TAGS), body)

        def finish(match: Match) -> Any:
            tell(values.get("status"), match)
            return _take(line, match, None if is_pickled else room) if receives else None

        if how:
            return finish(line.link.partners()[calls[-1].number])
        return begun(line.link, calls[-1].number, finish) if begins else None

    return call


def probe_call(name: str) -> Callable[..., Any]:
    """Return the method `name`, which says whether a message is there; with an `m`, it takes the message."""
    how, takes = LOOK if name[0] in "Ii" else ALL, "m" in name.lower()

    def call(line: Line, values: dict[str, Any]) -> Any:
        line.link.begin(_number(line, name, PROBE, values), how=how)
        for match in line.link.partners().values():
            tell(values["status"], match)
            if not takes:
                return True
            fields = {"peer": match.source, "tag": match.tag, "size_bytes": match.size_bytes, "pickled": match.pickled}
            receive = line.number(name, RECEIVE, **fields)
            line.link.begin(receive)  # nobody else receives it any more
            return begun(line.link, receive.number, lambda match, room: _take(line, match, room), Message)
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


def _number(line: Line, name: str, kind: str, values: dict[str, Any], **fields: Any) -> Call:
    """Return a call with the partner and the tag that are among its arguments."""
    peer, tag = _NAMES[kind]
    where = {"peer": peer_of(line, values[peer]), "tag": _tag_of(values[tag if tag in values else "tag"])}
    return line.number(name, kind, pickled=name.islower(), **where, **fields)


def _body(data: Any, is_pickled: bool) -> tuple[bytes, str]:
    """Return what is sent, and the type of its numbers: an object's pickle, or a copy of an array."""
    if is_pickled:
        return MPI.pickle.dumps(data), ""
    buffer = read_spec(data)
    return buffer.read(), buffer.dtype


def _take(line: Line, match: Match, room: Buffer | None) -> Any:
    """Receive the message that was matched: into `room`, or without one the object that it is."""
    if match.source == NOBODY:
        return None
    body = bytearray(match.size_bytes)
    settle(line.real.Irecv([body, MPI.BYTE], match.source, match.sent_by % _TAGS))
    line.take(body, match.source)
    if match.pickled != (room is None):  # a message that a probe took: nothing but an object is opened as one
        raise TypeError("a message of an array is received by `Recv`, and one of an object by `recv`")
    if room is None:
        return MPI.pickle.loads(body)
    room.write(bytes(body))
    return None
