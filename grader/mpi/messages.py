"""Messages from one rank to another: announced, and sent by the MPI library with the program's own tags.

A call that waits for a send waits until the message is received: the library sends synchronously. A receive takes its
message from a probe, which gives the length.
"""

import itertools
import operator
from collections.abc import Callable
from typing import Any

from mpi4py import MPI

from grader.mpi.calls import ANY, LOOK, NOBODY, PROBE, RECEIVE, SEND, Call, Match, Wait
from grader.mpi.link import Begun, Line
from grader.mpi.objects import NOTHING, Buffer, Unfollowed, make_pickle, open_pickle, read_spec
from grader.mpi.requests import Message, begun, write_status

_NAMES = {SEND: ("dest", "sendtag"), RECEIVE: ("source", "recvtag"), PROBE: ("source", "tag")}
"""Kind of call -> the names of the arguments for its partner and its tag; the latter may also be called `tag`."""
_LARGEST_TAG = 32_767  # the largest tag that MPI promises; larger ones could carry numbers that nobody counts
_STATUS = MPI.Status  # mpi4py's own class; a rank replaces it by ours


class _Incoming(Begun):
    """A receive or a probe."""

    def __init__(self, line: Line, call: Call, *, room: Buffer | None = None, takes: bool = True) -> None:
        """A receive without `room` is for an object; a probe without `takes` leaves its message to a receive."""
        super().__init__(line.link, call.number)
        self._line, self._call, self._room, self._takes = line, call, room, takes
        self._is_probe = call.kind == PROBE
        self._source = MPI.ANY_SOURCE if call.peer == ANY else call.peer
        self._tag = MPI.ANY_TAG if call.tag == ANY else call.tag
        self._is_here = call.peer == NOBODY and not self._is_probe
        self._body = bytearray()
        self.finish = self._open

    def start(self) -> None:
        """Announce it; from now on, messages are looked for if it is a receive."""
        self.link.write(self._call)
        if not (self._is_here or self._is_probe):
            self.link.receives.append(self)

    def is_over(self) -> bool:
        """Return whether the message is here; never if it is too long, which the coordinator reports."""
        if self._is_probe:
            self.look()
        fits = self._room is None or self._room.size_bytes >= self.match.size_bytes
        return self._is_here and fits and super().is_over()

    def look(self) -> None:
        """Take a message that has come; if an earlier receive accepts it, give it to that receive."""
        real, status = self._line.real, _STATUS()
        message = not self._is_here and (real.Improbe if self._takes else real.Iprobe)(self._source, self._tag, status)
        if message:
            match = Match(0, status.Get_source(), status.Get_tag(), status.Get_count(MPI.BYTE))
            earlier = itertools.takewhile(lambda other: other is not self, self.link.receives)
            first = next((other for other in earlier if other.accepts(self._line, match)), self)
            if self._takes or first is self:
                first.take(message, match)

    def accepts(self, line: Line, match: Match) -> bool:
        """Return whether this call waits for such a message."""
        is_wanted = self._source in {MPI.ANY_SOURCE, match.source} and self._tag in {MPI.ANY_TAG, match.tag}
        return is_wanted and line.name == self._line.name

    def take(self, message: Any, match: Match) -> None:
        """Begin to receive a message, as bytes."""
        self._is_here, self.match = True, match
        if self._takes:
            self._body = bytearray(match.size_bytes)
            self.request = message.Irecv([self._body, MPI.BYTE])
        if not self._is_probe:
            self.link.receives.remove(self)
            self._announce()

    def receive(self, room: Buffer | None) -> Begun:
        """Receive the message that this probe has taken, into a buffer or as an object; return the receive."""
        name, fields = "irecv" if room is None else "Irecv", {"source": self.match.source, "tag": self.match.tag}
        call = _number(self._line, name, RECEIVE, fields, room=room or NOTHING)
        self.link.write(call)
        self.number, self._room, self._is_probe = call.number, room, False
        self._announce()
        return self

    def _announce(self) -> None:
        """Announce which message was found."""
        if self.match.source != NOBODY:
            self.match = Match(self.number, self.match.source, self.match.tag, self.match.size_bytes)
            self.link.found.append(self.match)

    def _open(self) -> Any:
        if self.match.source == NOBODY:
            return None
        self._line.take(self._body, self.match.source)
        return open_pickle(self._body) if self._room is None else self._room.write(self._body)


class _Send(Begun):
    """A call that sends."""

    def __init__(self, line: Line, call: Call, sent: Buffer, *, is_kept: bool) -> None:
        """With `is_kept`, the program goes on while the library sends."""
        super().__init__(line.link, call.number)
        self._line, self._call, self._spec, self._is_kept = line, call, sent.spec, is_kept

    def start(self) -> None:
        """Announce it, and let the library begin."""
        self.link.write(self._call)
        if self._call.peer == NOBODY:
            return
        is_buffered = "bsend" in self._call.name.lower()  # a buffered send is over at once
        send = self._line.real.Isend if is_buffered else self._line.real.Issend
        request = send(self._spec, self._call.peer, self._call.tag)
        self.request = None if is_buffered else request
        if self._is_kept:
            self.link.keep(request, self._spec)


def message_call(name: str) -> Callable[..., Any]:
    """Return the method `name`, which sends, receives, or both."""
    is_pickled, begins = name.islower(), name[0] in "Ii"
    sends, receives = "send" in name.lower(), "recv" in name.lower()
    waits = not begins and "bsend" not in name.lower()
    waits_at_once = waits and not (sends and receives)  # both must be announced first: alone, one may never be over

    def call(line: Line, values: dict[str, Any]) -> Any:
        acts: list[_Send | _Incoming] = []
        if sends:
            sent = _sent(next(iter(values.values())), is_pickled, is_kept=receives or not waits)
            announced = _number(line, name, SEND, values, room=sent, waits=waits_at_once)
            acts.append(_Send(line, announced, sent, is_kept=not waits))
        if receives:
            room = None if is_pickled else read_spec(values.get("recvbuf", values.get("buf")))
            announced = _number(line, name, RECEIVE, values, room=room or NOTHING, waits=waits_at_once)
            acts.append(_Incoming(line, announced, room=room))
        for act in acts:
            act.start()
        if begins:
            return begun(acts[-1])
        if not waits:
            return line.link.finish(acts[-1].number)
        line.link.wait(acts, name="" if waits_at_once else name)
        write_status(values.get("status"), acts[-1].match)
        return acts[-1].finish()

    return call


def probe_call(name: str) -> Callable[..., Any]:
    """Return the method `name`, which finds out whether a message is there; with an `m`, it takes the message."""
    waits, takes = name[0] not in "Ii", "m" in name.lower()

    def call(line: Line, values: dict[str, Any]) -> Any:
        announced = _number(line, name, PROBE, values, waits=waits)
        probe = _Incoming(line, announced, takes=takes)
        line.link.progress()
        if not waits and not probe.is_over():
            line.link.look_in_vain(announced, Wait((announced.number,), LOOK, name, announced.line))
            return None if takes else False
        probe.start()
        line.link.wait([probe])
        write_status(values["status"], probe.match)
        return begun(probe, Message) if takes else True

    return call


def peer_of(line: Line, rank: int) -> int:
    """Return a rank as the coordinator expects it; `MPI.Exception` if there is none of that number."""
    number = operator.index(rank)
    if number == MPI.PROC_NULL:
        return NOBODY
    if number == MPI.ANY_SOURCE:
        return ANY
    if not 0 <= number < len(line.members):
        raise MPI.Exception(MPI.ERR_RANK)
    return number


def _tag_of(tag: int) -> int:
    """Return a tag as the coordinator expects it; `Unfollowed` if MPI does not promise it."""
    number = operator.index(tag)
    if number != MPI.ANY_TAG and not 0 <= number <= _LARGEST_TAG:
        raise Unfollowed(f"the tag {number} (MPI promises 0 to {_LARGEST_TAG})")
    return ANY if number == MPI.ANY_TAG else number


def _number(
    line: Line, name: str, kind: str, values: dict[str, Any], *, room: Buffer = NOTHING, waits: bool = False
) -> Call:
    """Return a call with the partner and the tag of its arguments, and the size that it sends or has room for."""
    peer, tag = _NAMES[kind]
    where = {"peer": peer_of(line, values[peer]), "tag": _tag_of(values[tag if tag in values else "tag"])}
    what = {"size_bytes": room.size_bytes, "dtype": room.dtype, "pickled": name.islower()}
    return line.link.number(name, kind, comm=line.name, waits=waits, **where, **what)


def _sent(data: Any, is_pickled: bool, *, is_kept: bool) -> Buffer:
    """Return what the library has to send; with `is_kept` a copy, because the program may change the original."""
    if is_pickled:
        body = make_pickle(data)
        return Buffer(body, len(body), "", spec=[body, MPI.BYTE])
    buffer = read_spec(data)
    return buffer._replace(spec=[buffer.read(), MPI.BYTE]) if is_kept else buffer
