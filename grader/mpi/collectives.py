"""Collective calls: each rank announces what it gives, and the MPI library does the call.

Each call of arrays has a *plan*, by its flow in `calls.COLLECTIVES`: what is announced, and what the library gets.
`Scatterv` waits until all ranks have called it before the library begins. `Iscatterv` has the same plan, and the
library begins at once.
"""

import functools
import itertools
import operator
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from mpi4py import MPI

from grader.mpi import calls
from grader.mpi.calls import Call, find_mismatch, flow_of, note_of
from grader.mpi.link import Begun, Line
from grader.mpi.messages import peer_of
from grader.mpi.objects import (
    DATATYPE,
    NOTHING,
    Buffer,
    Unfollowed,
    make_pickle,
    open_pickle,
    read_numbers,
    read_spec,
    take_items,
)
from grader.mpi.requests import begun

_NAMES = ("SUM", "PROD", "MAX", "MIN", "LAND", "LOR", "LXOR", "BAND", "BOR", "BXOR", "MAXLOC", "MINLOC")
_REDUCTIONS = {MPI._handleof(getattr(MPI, name)): name for name in _NAMES}
_OWN = "a function"  # the name of a submission's own reduction
_BUFFERS = ("buf", "sendbuf", "recvbuf")
_NOTE = struct.Struct("5q")


def meet(line: Line, name: str, *, waits: bool = True, **fields: Any) -> int:
    """Announce a collective call and return its number; if it waits, return when all ranks have called it."""
    call = line.link.number(name, calls.COLLECTIVE, comm=line.name, waits=waits, **fields)
    line.link.write(call)
    if waits:
        _compare(line, call)
        line.link.finish(call.number)
    return call.number


def _compare(line: Line, call: Call) -> None:
    """Wait until all ranks have made the call; if the calls do not match, wait for ever: the coordinator reports them.

    So the library gets no calls that do not match, except those that begin at once, and parts of a root that are too
    long, which it finds itself.
    """
    own, ranks = _NOTE.pack(*note_of(call)), len(line.members)
    notes = bytearray(len(own) * ranks)
    try:
        line.link.settle(line.real.Iallgather(own, notes))
    except MPI.Exception:  # a call of another kind had begun there
        line.link.stay()
    pairs = itertools.combinations(_NOTE.iter_unpack(notes), 2) if notes != own * ranks else ()
    if any(itertools.starmap(find_mismatch, pairs)):
        line.link.stay()


def _plan(line: Line, flow: str, values: dict[str, Any]) -> tuple[dict[str, Any], tuple[Any, ...], Any, int]:
    """Return the plan of a call of arrays with these arguments, by mpi4py's names; each is read once.

    Returns:
        The fields to announce, with the bytes that this rank gives, or takes from a root. The library's arguments. The
        memory for what comes from other ranks; None if nothing comes. How much comes; in a reduction, its own size, or,
        if it is the submission's own, that of all others.
    """
    is_root = _find_root(line, values) == line.rank
    if not is_root and flow != calls.SHARE:  # what only the root has to give
        values["sendbuf" if flow == calls.DEAL else "recvbuf"] = None
    if "recvcounts" in values:
        values["recvcounts"] = read_numbers(values["recvcounts"])
    buffers = {name: read_spec(values[name], _count_parts(line, flow, name)) for name in _BUFFERS if name in values}
    sent = buffers.get("sendbuf", buffers.get("buf", NOTHING))
    room = buffers.get("recvbuf", sent)
    parts = _parts(sent if flow == calls.DEAL else room, line) if is_root and flow in calls.IN_PARTS else ()
    size, dtype = _own_part(line, flow, sent, room)
    fields = _fields(line, values, size_bytes=size, dtype=dtype, parts=parts)
    if (is_own := fields["reduction"] == _OWN) and any(map(_has_gaps, buffers.values())):
        raise Unfollowed("an own operation on a type with gaps")  # the operation would see the memory between the items
    args = tuple({**values, **{name: buffer.spec for name, buffer in buffers.items()}}.values())
    is_giver = is_root == (flow in {calls.SHARE, calls.DEAL})
    received_bytes = 0 if is_giver else size if flow == calls.REDUCE else _of_others(room, line, flow)
    if is_own:  # the library may call it on any rank, also on one that receives no result, with what all others give
        received_bytes = size * (len(line.members) - 1)
    return fields, args, room.memory if received_bytes else None, received_bytes


def _count_parts(line: Line, flow: str, name: str) -> int:
    """Return how many parts the buffer `name` of a call has; 0 if it is one whole."""
    if flow in {calls.NEAR, calls.CROSS}:
        return int(line.real.indegree if name == "recvbuf" else flow == calls.CROSS and line.real.outdegree)
    has_parts = flow in ({calls.DEAL, calls.SWAP} if name == "sendbuf" else {calls.COLLECT, calls.SPREAD, calls.SWAP})
    return len(line.members) if has_parts and name != "buf" else 0


def _own_part(line: Line, flow: str, sent: Buffer, room: Buffer) -> tuple[int, str]:
    """Return the bytes and the type that a rank gives, or takes from a root; in place, they lie where it receives."""
    if flow == calls.SPREAD and sent.memory is None:
        return sum(_parts(room, line)[line.rank : line.rank + 1]), room.dtype
    is_room = flow == calls.DEAL or (flow in {calls.SWAP, calls.REDUCE} and sent.memory is None)
    return (room.size_bytes, room.dtype) if is_room else (sent.size_bytes, sent.dtype)


def _fields(line: Line, values: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the fields of a call to announce: its root, the name of its reduction, and `more`."""
    peer = peer_of(line, values["root"]) if "root" in values else calls.NOBODY
    handle = MPI._handleof(values["op"]) if isinstance(values.get("op"), MPI.Op) else None
    return {"peer": peer, "reduction": _REDUCTIONS.get(handle, _OWN) if "op" in values else "", **more}


def _has_gaps(buffer: Buffer) -> bool:
    types = [part for part in buffer.spec if isinstance(part, DATATYPE)] if isinstance(buffer.spec, list) else []
    return any(datatype.extent != DATATYPE.Get_size(datatype) for datatype in types)


def array_call(name: str) -> Callable[..., Any]:
    """Return the call `name` of arrays; the library only begins it, even if it waits."""
    flow, waits = flow_of(name), not name.startswith("I")
    later_name = f"I{name.lower()}" if waits else name

    def call(line: Line, values: dict[str, Any]) -> Any:
        fields, args, memory, received_bytes = _plan(line, flow, values)
        if received_bytes:  # now: a program need not wait for a call that has begun
            line.link.count(received_bytes)
        number = meet(line, name, waits=waits, **fields)
        real = getattr(line.real, later_name)(*args)

        def finish() -> None:
            if memory is not None:
                line.link.exchange_in(MPI.buffer.frombuffer(memory))

        if waits:
            line.link.settle(real)
            return finish()
        line.link.keep(real, args)
        return begun(Begun(line.link, number, real, finish))

    return call


def object_call(name: str) -> Callable[..., Any]:
    """Return the call `name` of objects: each rank gets the pickles of all ranks, and opens those meant for it."""
    flow = flow_of(name)

    def call(line: Line, values: dict[str, Any]) -> Any:
        root = _find_root(line, values)
        is_root = root == line.rank
        own = next(iter(values.values()))
        data = b""
        if is_root or flow not in {calls.SHARE, calls.DEAL}:
            data = _pickle_items(own, len(line.members)) if flow in {calls.DEAL, calls.SWAP} else make_pickle(own)
        fields = _fields(line, values, size_bytes=0 if own is None else len(data), pickled=True)
        with _gathered(line, name, data, fields) as pickles:
            if flow == calls.SHARE:
                return own if is_root else _open(line, pickles[root], root)
            if flow == calls.DEAL:
                return _open_item(line, pickles[root], root)
            if flow == calls.SWAP:
                return [_open_item(line, data, source) for source, data in enumerate(pickles)]
            count = {"scan": line.rank + 1, "exscan": line.rank}.get(name, len(pickles) if is_root else 0)
            objects = [_open(line, data, source) for source, data in enumerate(pickles[:count])]
        if flow != calls.REDUCE:
            return objects if is_root else None
        return functools.reduce(values["op"], objects) if objects else None

    return call


def _find_root(line: Line, values: dict[str, Any]) -> int:
    """Return the root of a call, and make it an int in `values`; without a root, each rank counts as one."""
    if "root" in values:
        values["root"] = operator.index(values["root"])
    return int(values.get("root", line.rank))


def _pickle_items(own: Any, ranks: int) -> bytes:
    """Return the lengths of the pickles of all ranks' items, and these pickles."""
    items = take_items(own)
    if len(items) != ranks:
        raise ValueError(f"expecting {ranks} items, got {len(items)}")  # mpi4py's own words
    pickles = [make_pickle(item) for item in items]
    return np.array([*map(len, pickles)], np.int64).tobytes() + b"".join(pickles)


@contextmanager
def _gathered(line: Line, name: str, data: bytes, fields: dict[str, Any]) -> Iterator[list[memoryview]]:
    """Yield what all ranks give; some calls need less, which costs little, because objects are small.

    Afterwards the memory is filled with zeros: a slice may read memory that was freed.
    """
    meet(line, name, **fields)
    lengths = np.empty(len(line.members), np.int64)
    line.link.settle(line.real.Iallgather(np.array([len(data)], np.int64), lengths))
    gathered = memoryview(bytearray(int(lengths.sum())))
    try:
        line.link.settle(line.real.Iallgatherv([data, MPI.BYTE], [gathered, lengths.tolist(), MPI.BYTE]))
        yield _cut(gathered, lengths)
    finally:
        gathered[:] = bytes(len(gathered))


def _cut(data: memoryview, lengths: np.ndarray[Any, Any]) -> list[memoryview]:
    return [data[end - length : end] for end, length in zip(np.cumsum(lengths).tolist(), lengths.tolist(), strict=True)]


def _open(line: Line, data: memoryview, source: int) -> Any:
    """Return an object from a rank."""
    line.take(data, source)
    return open_pickle(data)


def _open_item(line: Line, data: memoryview, source: int) -> Any:
    """Return the item that a rank gives to this one; ranks pickle their items one by one."""
    begin = 8 * len(line.members)
    return _open(line, _cut(data[begin:], np.frombuffer(data[:begin], np.int64))[line.rank], source)


def _of_others(room: Buffer, line: Line, flow: str) -> int:
    """Return how many of the bytes that a rank has room for come from other ranks."""
    if flow not in {calls.COLLECT, calls.SPREAD, calls.SWAP}:
        return room.size_bytes
    parts = _parts(room, line)
    return sum(parts) - sum(parts[line.rank : line.rank + 1])


def _parts(buffer: Buffer, line: Line) -> tuple[int, ...]:
    """Return the bytes of each rank: by counts, or equal, the first ones larger if needed."""
    size = len(line.members)
    if buffer.parts or buffer.memory is None:
        return buffer.parts
    item = int(buffer.dtype[1:] or 1) if buffer.dtype[1:].isdigit() else 1
    each, more = divmod(buffer.size_bytes // item, size)
    return tuple((each + (rank < more)) * item for rank in range(size))
