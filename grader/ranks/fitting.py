"""Whether calls that belong together fit: the same operation, root and reduction; counts and types that agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.ranks.calls import COLLECT, COLLECTIVES, DEAL, Call, Row

_BYTES = {"u1", "B", "c1", ""}
"""Types that stand for any."""
_OTHER = Row("")


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
        row = _row_of(call)
        if row.is_rooted and other.peer != call.peer:
            return Misfit("roots", tuple(calls.items()))
        if other.reduction != call.reduction:
            return Misfit("reductions", both)
        if not call.pickled and _differ(call.dtype, other.dtype):
            return Misfit("types", both)
        if (
            not call.pickled
            and row.is_alike
            and row.flow not in {DEAL, COLLECT}
            and other.size_bytes != call.size_bytes
        ):
            return Misfit("counts", both)
    return _check_parts(calls, members) if len(calls) == len(members) and not call.pickled else None


def _check_parts(calls: Mapping[int, Call], members: Sequence[int]) -> Misfit | None:
    """Compare what a root deals out, or has room for, with what each rank can take, or gives."""
    call = next(iter(calls.values()))
    row = _row_of(call)
    if row.flow not in {DEAL, COLLECT}:
        return None
    root = members[call.peer]
    for place, rank in enumerate(members):
        other, parts = calls[rank], calls[root].parts
        if rank == root or place >= len(parts):
            continue
        is_short = other.size_bytes < parts[place] if row.flow == DEAL else other.size_bytes > parts[place]
        if is_short or (row.is_alike and other.size_bytes != parts[place]):
            return Misfit("parts", ((root, calls[root]), (rank, other)))
    return None


def _row_of(call: Call) -> Row:
    """Return the row of the operation, whether it waits or not, for arrays or objects; an empty one for others."""
    return COLLECTIVES.get(call.name.removeprefix("I").capitalize(), _OTHER)


def _differ(one: str, other: str) -> bool:
    return one != other and not {one, other} & _BYTES
