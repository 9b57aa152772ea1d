"""What a rank and the coordinator tell each other, as MessagePack; numbers of arrays lie in arenas, as everywhere."""

from __future__ import annotations

import msgspec

from grader.worker import wire

ARENA_BYTES = 128 << 20
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


class Call(msgspec.Struct, frozen=True, tag="call"):
    """A rank begins an operation."""

    number: int
    """Of this rank; counted from 1."""
    name: str
    """As it was called, such as `Allreduce`."""
    kind: str
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
    line: str = ""
    """`file:line` of the student's code."""
    at_s: float = 0.0


class Back(msgspec.Struct, frozen=True, tag="back"):
    """A call that is not followed has come back from the library."""


class Wait(msgspec.Struct, frozen=True, tag="wait"):
    """A rank waits until calls of its own have found their partners."""

    numbers: tuple[int, ...]
    how: str = ALL
    name: str = ""
    line: str = ""
    begins: tuple[Call, ...] = ()
    """Those of them that are announced by this."""


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


class Match(msgspec.Struct, frozen=True, array_like=True):
    """The partner of a call. For a receive: who sent, and by which of this sender's calls."""

    number: int
    source: int = NOBODY
    tag: int = 0
    sent_by: int = 0
    size_bytes: int = 0
    pickled: bool = False


class Go(msgspec.Struct, frozen=True, tag="go"):
    """A rank that waits may go on; `done` is empty after a look that found nothing."""

    done: tuple[Match, ...] = ()


class Run(msgspec.Struct, frozen=True, tag="run"):
    """Call a function with a communicator of `size` ranks."""

    module: str
    function: str
    args: wire.Sequence
    size: int
    is_sealed: bool = True
    """Whether nothing of MPI can be changed or derived from: a submission is graded."""


Event = Call | Back | Wait | Ended | At | Ready
Order = Go | Run
