"""Records and messages between a rank and the coordinator, as MessagePack; numbers of arrays lie in arenas."""

import functools
import zlib
from collections.abc import Sequence

import msgspec

from grader.worker import wire

ARENA_BYTES = 128 << 20
LOG_FD = "GRADER_LOG_FD"  # the environment variable with the file descriptor of a rank's log
ANY = -2  # any source, or any tag
NOBODY = -1  # no partner: `MPI.PROC_NULL`, or a call that has none

SEND, RECEIVE, PROBE, COLLECTIVE, OTHER = "send", "receive", "probe", "collective", "other"
"""Kinds of calls; those of kind `other` go to the library, and are not followed."""
SYNC, SHARE, DEAL, COLLECT = "sync", "share", "deal", "collect"
SPREAD, SWAP, NEAR, CROSS, REDUCE = "spread", "swap", "near", "cross", "reduce"
"""How numbers move in a collective call: not at all; from a root to all, whole or in parts; in parts to a root; from
all to all, whole or in parts; to neighbours, whole or in parts; and reduced."""


IN_PARTS, ALIKE = {DEAL, COLLECT}, {SHARE, SPREAD, SWAP, REDUCE}
"""Flows in which a root has a part for each rank; in which all ranks give equally much, unless the name ends in `v`."""
_OPERATIONS = {
    SYNC: "Barrier",
    SHARE: "Bcast",
    DEAL: "Scatter Scatterv",
    COLLECT: "Gather Gatherv",
    SPREAD: "Allgather Allgatherv",
    SWAP: "Alltoall Alltoallv",
    NEAR: "Neighbor_allgather Neighbor_allgatherv",
    CROSS: "Neighbor_alltoall Neighbor_alltoallv",
    REDUCE: "Reduce Allreduce Reduce_scatter Reduce_scatter_block Scan Exscan",
}
COLLECTIVES = {name: flow for flow, names in _OPERATIONS.items() for name in names.split()}
"""Name of the blocking call for arrays -> its flow; `Ibcast`, `Bcast_init` and `bcast` have the flow of `Bcast`."""


def flow_of(name: str) -> str:
    """Return the flow of a collective call, blocking or not, for arrays or objects; empty for other calls."""
    return COLLECTIVES.get(name.removeprefix("I").capitalize(), "")


ALL, FIRST, LOOK = "all", "first", "look"  # how a rank waits: for all of some calls, for one of them, or not at all
MANY_LOOKS = 1000  # a rank that has tested or probed so often in vain, and done nothing else, writes that into its log


class Call(msgspec.Struct, frozen=True, gc=False, tag="call"):
    """A rank begins an operation."""

    number: int  # the number of the call on this rank, from 1
    name: str  # the method that was called, such as `Allreduce`
    kind: str
    line: str = ""  # `file:line` of the student's code
    at_s: float = 0.0
    comm: str = ""
    """The communicator: its ranks in order, and its number among the communicators of these ranks: `0.2#1`; empty for
    the world."""
    peer: int = NOBODY  # rank in the communicator of the receiver, the sender or the root
    tag: int = 0
    size_bytes: int = 0  # how much this rank contributes or has room for
    dtype: str = ""
    parts: tuple[int, ...] = ()  # for a root that deals out or collects, the bytes of each rank
    reduction: str = ""
    pickled: bool = False
    waits: bool = False  # whether the rank waits until the call is over


class Wait(msgspec.Struct, frozen=True, gc=False, tag="wait"):
    """A rank waits until earlier calls of its own are over, or has tested them in vain for a long time."""

    numbers: tuple[int, ...]
    how: str = ALL
    name: str = ""
    line: str = ""


class Match(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The message that a receive or a probe has found."""

    number: int
    source: int = NOBODY  # rank in the communicator
    tag: int = 0
    size_bytes: int = 0


class Done(msgspec.Struct, frozen=True, gc=False, tag="done"):
    """Calls of a rank are over, or have found their messages."""

    numbers: tuple[int, ...] = ()  # calls of this rank that are over: it goes on
    found: tuple[Match, ...] = ()  # receives that have found their messages
    at_s: float = 0.0


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """A rank's function has returned, or raised."""

    value: wire.Node | None = None
    raised: wire.Raised | None = None
    cpu_s: float = 0.0
    refused: tuple[str, ...] = ()  # what the function asked for, and slices may not use
    received_bytes: int = 0  # how much came from other ranks, by any call


class At(msgspec.Struct, frozen=True, tag="at"):
    """The line that a rank executes, which it was asked for while it computes."""

    line: str


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """A rank has started; `problem` says why it cannot take part."""

    problem: str = ""


class Run(msgspec.Struct, frozen=True, tag="run"):
    """Call a function with a communicator of `size` ranks."""

    module: str
    function: str
    args: wire.Sequence
    size: int
    is_sealed: bool = True  # whether a submission is graded: it can change nothing of MPI, and derive no class from it


Record = Call | Wait | Done  # records of a rank's log
Event = Ended | At | Ready  # messages of a rank to the coordinator


def note_of(call: Call) -> tuple[int, ...]:
    """Return, as numbers in the order of `_PROBLEMS`, what the calls of a collective operation must have in common."""
    is_alike = flow_of(call.name) in ALIKE and not call.name.endswith("v") and not call.pickled
    name, reduction, dtype = map(_number_of, (call.name, call.reduction, "" if call.dtype in BYTES else call.dtype))
    return name, call.peer, reduction, dtype, call.size_bytes if is_alike else 0


@functools.lru_cache(1024)
def _number_of(word: str) -> int:
    return zlib.crc32(word.encode())


def find_mismatch(first: Sequence[int], second: Sequence[int]) -> str:
    """Return how two calls differ, in the words of `Misfit.what`; empty if they match."""
    pairs = zip(_PROBLEMS, first, second, strict=True)
    return next((what for what, one, other in pairs if one != other and (what != "types" or (one and other))), "")


_PROBLEMS = ("operations", "roots", "reductions", "types", "counts")
BYTES = {"u1", "B", "c1"}  # types of bytes, which match any type
