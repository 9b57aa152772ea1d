"""What a rank and the coordinator tell each other, as MessagePack; numbers of arrays lie in arenas, as everywhere."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Sequence

import msgspec

from grader.worker import wire

ARENA_BYTES = 128 << 20
LOG_FD = "GRADER_LOG_FD"
"""The variable that names a rank's log."""
ANY = -2
"""Any source, or any tag."""
NOBODY = -1
"""No partner: `MPI.PROC_NULL`, or a call that has none."""

SEND, RECEIVE, PROBE, COLLECTIVE, OTHER = "send", "receive", "probe", "collective", "other"
"""Kinds of calls; others go to the library, and are not followed."""
SYNC, SHARE, DEAL, COLLECT = "sync", "share", "deal", "collect"
SPREAD, SWAP, NEAR, REDUCE = "spread", "swap", "near", "reduce"
"""How numbers move in a collective call: not at all; from a root to all, whole or in parts; in parts to a root; from
all to all, whole or in parts; to neighbours; and reduced."""


IN_PARTS, ALIKE = {DEAL, COLLECT}, {SHARE, SPREAD, SWAP, REDUCE}
"""Where a root has parts for all, and where each rank gives equally much, unless the name ends with a `v`."""
_OPERATIONS = {
    SYNC: "Barrier",
    SHARE: "Bcast",
    DEAL: "Scatter Scatterv",
    COLLECT: "Gather Gatherv",
    SPREAD: "Allgather Allgatherv",
    SWAP: "Alltoall Alltoallv",
    NEAR: "Neighbor_allgather Neighbor_allgatherv Neighbor_alltoall Neighbor_alltoallv",
    REDUCE: "Reduce Allreduce Reduce_scatter Reduce_scatter_block Scan Exscan",
}
COLLECTIVES = {name: flow for flow, names in _OPERATIONS.items() for name in names.split()}
"""By the name of the call that waits, for arrays; `Ibcast`, `Bcast_init` and `bcast` are of the same operation."""


def flow_of(name: str) -> str:
    """Return how numbers move in a call, whether it waits or not, for arrays or objects; empty for others."""
    return COLLECTIVES.get(name.removeprefix("I").capitalize(), "")


ALL, FIRST, LOOK = "all", "first", "look"
"""How a rank waits: for all of some calls, for one of them, or not at all."""
MANY_LOOKS = 1000
"""A rank that has looked so often in vain, and done nothing else, says so."""


class Call(msgspec.Struct, frozen=True, gc=False, tag="call"):
    """A rank begins an operation."""

    number: int
    """Of this rank; counted from 1."""
    name: str
    """As it was called, such as `Allreduce`."""
    kind: str
    line: str = ""
    """`file:line` of the student's code."""
    at_s: float = 0.0
    comm: str = ""
    """The communicator: its ranks in its order, and how many of these ranks were made before: `0.2#1`; empty for the
    world."""
    peer: int = NOBODY
    """Rank in the communicator of the receiver, the sender or the root."""
    tag: int = 0
    size_bytes: int = 0
    """What this rank contributes or can take."""
    dtype: str = ""
    parts: tuple[int, ...] = ()
    """Of a root that deals out or collects: bytes of each rank."""
    reduction: str = ""
    pickled: bool = False
    waits: bool = False
    """Whether the rank waits until it is over."""


class Wait(msgspec.Struct, frozen=True, gc=False, tag="wait"):
    """A rank waits until calls of its own are over that began before, or has looked at them in vain for a long time."""

    numbers: tuple[int, ...]
    how: str = ALL
    name: str = ""
    line: str = ""


class Match(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What became of a call: of a receive or a probe, the message that was found."""

    number: int
    source: int = NOBODY
    """Rank in the communicator."""
    tag: int = 0
    size_bytes: int = 0


class Done(msgspec.Struct, frozen=True, gc=False, tag="done"):
    """Something is over."""

    numbers: tuple[int, ...] = ()
    """Calls of this rank for which it waits no more: it goes on."""
    found: tuple[Match, ...] = ()
    """Receives that have found their messages."""
    at_s: float = 0.0


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """A rank's function has returned, or raised."""

    value: wire.Node | None = None
    raised: wire.Raised | None = None
    cpu_s: float = 0.0
    refused: tuple[str, ...] = ()
    """What it asked for that a slice may not use."""
    received_bytes: int = 0
    """What came from other ranks, by whatever call."""


class At(msgspec.Struct, frozen=True, tag="at"):
    """Where a rank is that was asked while it computes."""

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
    is_sealed: bool = True
    """Whether nothing of MPI can be changed or derived from: a submission is graded."""


Record = Call | Wait | Done
"""What a rank writes into its log."""
Event = Ended | At | Ready
"""What it says to the coordinator."""


def note_of(call: Call) -> tuple[int, ...]:
    """Return what the calls of a collective operation must have in common: numbers, in the order of `_PROBLEMS`."""
    is_alike = flow_of(call.name) in ALIKE and not call.name.endswith("v") and not call.pickled
    words = (call.name, call.reduction, "" if call.dtype in BYTES else call.dtype)
    name, reduction, dtype = map(_number_of, words)
    return name, call.peer, reduction, dtype, call.size_bytes if is_alike else 0


@functools.lru_cache(1024)
def _number_of(word: str) -> int:
    return zlib.crc32(word.encode())


def tell_apart(first: Sequence[int], second: Sequence[int]) -> str:
    """Return what of two calls does not fit, in the words of `Misfit.what`; empty if they fit."""
    pairs = zip(_PROBLEMS, first, second, strict=True)
    return next((what for what, one, other in pairs if one != other and (what != "types" or (one and other))), "")


_PROBLEMS = ("operations", "roots", "reductions", "types", "counts")
BYTES = {"u1", "B", "c1"}
"""Types that stand for any."""
