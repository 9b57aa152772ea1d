"""Whether calls that belong together fit: the same operation, root and reduction; counts and types that agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.ranks.calls import Call

_BYTES = {"u1", "B", "c1", ""}
"""Types that stand for any."""
_ROOTED = {"Bcast", "Scatter", "Scatterv", "Gather", "Gatherv", "Reduce"}
_ALIKE = {
    *("Bcast", "Allreduce", "Reduce", "Scan", "Exscan", "Reduce_scatter", "Reduce_scatter_block", "Allgather"),
    "Alltoall",
}
"""Operations to which all ranks give equally much."""
_DEALT, _COLLECTED = {"Scatter", "Scatterv"}, {"Gather", "Gatherv"}


@dataclass(frozen=True, slots=True)
class Misfit:
    """Calls that belong together and do not fit; `what` names the reason, one word per kind."""

    what: str
    calls: tuple[tuple[int, Call], ...]
    """World rank and call: the two that show it, or all."""


def check_message(sender: int, send: Call, receiver: int, receive: Call) -> Misfit | None:
    """Return why a message does not fit the call that receives it; None if it does."""
    both = ((sender, send), (receiver, receive))
    if send.pickled != receive.pickled:
        return Misfit("pickled", both)
    if send.pickled:
        return None
    if send.size_bytes > receive.size_bytes:
        return Misfit("room", both)
    return Misfit("types", both) if _differ(send.dtype, receive.dtype) and send.size_bytes else None


def check_collective(calls: Mapping[int, Call], members: Sequence[int]) -> Misfit | None:
    """Return why the calls of a collective operation, as far as they are there, do not fit; None if they do."""
    (first, call), *others = calls.items()
    for rank, other in others:
        both = ((first, call), (rank, other))
        if other.name != call.name:
            return Misfit("operations", tuple(calls.items()))
        name = _base(call)
        if name in _ROOTED and other.peer != call.peer:
            return Misfit("roots", tuple(calls.items()))
        if other.reduction != call.reduction:
            return Misfit("reductions", both)
        if not call.pickled and _differ(call.dtype, other.dtype):
            return Misfit("types", both)
        if not call.pickled and name in _ALIKE and other.size_bytes != call.size_bytes:
            return Misfit("counts", both)
    return _check_parts(calls, members) if len(calls) == len(members) and not call.pickled else None


def _check_parts(calls: Mapping[int, Call], members: Sequence[int]) -> Misfit | None:
    """Compare what a root deals out, or has room for, with what each rank can take, or gives."""
    call = next(iter(calls.values()))
    name = _base(call)
    if name not in _DEALT | _COLLECTED:
        return None
    root = members[call.peer]
    for place, rank in enumerate(members):
        other, parts = calls[rank], calls[root].parts
        if rank == root or place >= len(parts):
            continue
        is_short = other.size_bytes < parts[place] if name in _DEALT else other.size_bytes > parts[place]
        if is_short or (name in {"Scatter", "Gather"} and other.size_bytes != parts[place]):
            return Misfit("parts", ((root, calls[root]), (rank, other)))
    return None


def _base(call: Call) -> str:
    """Return the name of the operation, without the `I` of calls that return at once."""
    name = call.name[1:].capitalize() if call.name.startswith("I") else call.name
    return name[:1].upper() + name[1:]


def _differ(one: str, other: str) -> bool:
    return one != other and not {one, other} & _BYTES
