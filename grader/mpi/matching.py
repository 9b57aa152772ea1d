"""Which calls of the ranks belong together, who can go on, and what does not fit.

Point-to-point messages are matched as MPI does: in the order in which they were sent and asked for, by source and tag.
The n-th collective call of each rank in a communicator belongs together. A rank that waits can go on as soon as its
calls have their partners; where all ranks wait or have ended, and none can go on, nobody ever will.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.mpi.calls import (
    ALIKE,
    ANY,
    COLLECTIVE,
    DEAL,
    FIRST,
    IN_PARTS,
    LOOK,
    NOBODY,
    OTHER,
    PROBE,
    RECEIVE,
    SEND,
    Call,
    Match,
    Wait,
    flow_of,
)

_BYTES = {"u1", "B", "c1", ""}
"""Types that stand for any."""
_MANY_LOOKS = 1000
_LOOKING_S = 2.0
"""A rank that has asked so often in vain whether something is there, and for so long, does nothing but wait for it."""

RUNNING, RETURNED, RAISED, DIED = "computes", "returned", "raised", "died"
Key = tuple[int, int]
"""Rank and number of a call."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """Calls that belong together and do not fit; `what` names the reason, one word per kind."""

    what: str
    calls: tuple[tuple[int, Call], ...]
    """World rank and call: the two that show it, or all."""


class Matching:
    """The calls of one run by `size` ranks."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.state = dict.fromkeys(range(size), RUNNING)
        self.waiting: dict[int, Wait] = {}
        self.calls: dict[Key, Call] = {}
        self.inside: dict[int, Call] = {}
        """Ranks that the library has, in a call that is not followed."""
        self.matches: dict[Key, Match] = {}
        self.partner: dict[Key, Key] = {}
        """Receive -> send."""
        self.done_s: dict[Key, float] = {}
        """When the rank went on, for calls that are over."""
        self.misfit: Misfit | None = None
        self.members: dict[str, tuple[int, ...]] = {"": tuple(range(size))}
        """Communicator -> its ranks."""
        self._sends: dict[tuple[str, int], list[Key]] = defaultdict(list)
        """Communicator and world rank of the receiver -> sends that nobody has asked for."""
        self._receives: dict[tuple[str, int], list[Key]] = defaultdict(list)
        self._slots: dict[str, list[dict[int, Call]]] = defaultdict(list)
        """Communicator -> the calls, by rank, of each collective operation that some ranks have not joined."""
        self._looks: dict[int, int] = defaultdict(int)
        self._news_s = time.monotonic()
        """When a rank last did something else than look in vain."""
        self._last_look: dict[int, Wait] = {}

    def begin(self, rank: int, call: Call) -> None:
        """Take in a call, and find its partners if these are there."""
        key = rank, call.number
        self.calls[key] = call
        if call.comm not in self.members:
            self.members[call.comm] = tuple(map(int, call.comm.partition("#")[0].split(".")))
        if call.kind != PROBE:
            self._note_news(rank)
        if call.kind in {SEND, RECEIVE} and call.peer == NOBODY:  # MPI.PROC_NULL
            self.matches[key] = Match(call.number)
        elif call.kind == SEND:
            self._send(key, call)
        elif call.kind == RECEIVE:
            self._receive(key, call)
        elif call.kind == COLLECTIVE:
            self._enter(rank, call)
        elif call.kind == OTHER:
            self.inside[rank] = call

    def leave(self, rank: int) -> None:
        """Note that a call that is not followed has come back."""
        if call := self.inside.pop(rank, None):
            self.done_s[rank, call.number] = time.monotonic()

    def unfollowed(self) -> list[str]:
        """Return the names of calls that went to the library and were not followed, one for each call."""
        return [call.name for call in self.calls.values() if call.kind == OTHER]

    def wait(self, rank: int, wait: Wait) -> None:
        """Note that a rank waits."""
        self.waiting[rank] = wait

    def end(self, rank: int, how: str) -> None:
        """Note that a rank has returned, raised, or died."""
        self.state[rank] = how
        self.waiting.pop(rank, None)
        self._note_news(rank)

    def release(self) -> Iterator[tuple[int, tuple[Match, ...]]]:
        """Yield the ranks that can go on, with the partners of their calls; they wait no more."""
        for rank, wait in [] if self.misfit else list(self.waiting.items()):
            matches = [match for number in wait.numbers if (match := self._match_of(rank, number))]
            if wait.how == LOOK:
                self._last_look[rank] = wait
            elif len(matches) < (1 if wait.how == FIRST else len(wait.numbers)):
                continue
            if matches or wait.how != LOOK:
                self._note_news(rank)
            else:
                self._looks[rank] += 1
            del self.waiting[rank]
            matches = matches[:1] if wait.how == FIRST else matches
            self.done_s |= {(rank, match.number): time.monotonic() for match in matches}
            yield rank, tuple(matches)

    def is_stuck(self) -> bool:
        """Return whether somebody waits, and nobody can ever go on; who only looks, waits from then on."""
        running = self.running()
        if any(self._looks[rank] < _MANY_LOOKS for rank in running):
            return False
        if running and time.monotonic() - self._news_s < _LOOKING_S:
            return False
        self.waiting |= {rank: self._last_look[rank] for rank in running}
        return bool(self.waiting)

    def running(self) -> list[int]:
        """Return the ranks that compute."""
        return [rank for rank, state in self.state.items() if state == RUNNING and rank not in self.waiting]

    def has_ended(self) -> bool:
        """Return whether no rank will call anything any more."""
        return all(state != RUNNING for state in self.state.values())

    def is_tidy(self) -> bool:
        """Return whether all ranks came to an end by themselves, and nothing is under way in the library."""
        if not self.has_ended() or DIED in self.state.values() or self.misfit is not None or self.unfollowed():
            return False
        return not (self.unreceived() or self.unjoined() or self.partner.keys() - self.done_s.keys())

    def unreceived(self) -> list[Key]:
        """Return the sends that nobody has received."""
        return sorted(key for keys in self._sends.values() for key in keys)

    def unjoined(self) -> list[Key]:
        """Return the calls of the first collective operation that some ranks of its communicator did not join."""
        first = next((slots[0] for slots in self._slots.values() if slots), {})
        return sorted((rank, call.number) for rank, call in first.items())

    def pending(self, rank: int) -> list[Call]:
        """Return the calls for which a rank waits in vain."""
        numbers = self.waiting[rank].numbers
        return [self.calls[rank, number] for number in numbers if (rank, number) not in self.matches]

    def world_rank(self, comm: str, peer: int) -> int:
        """Return the rank of the whole team that `peer` of a communicator is; `ANY` and `NOBODY` stay."""
        return self.members[comm][peer] if peer >= 0 else peer

    def _note_news(self, rank: int) -> None:
        """Note that a rank does something else than look in vain."""
        self._looks[rank] = 0
        self._news_s = time.monotonic()

    def _match_of(self, rank: int, number: int) -> Match | None:
        call = self.calls[rank, number]
        if call.kind != PROBE:
            return self.matches.get((rank, number))
        send = self._find_send(rank, call)
        return self._as_match(number, send) if send else None

    def _send(self, key: Key, call: Call) -> None:
        receiver = self.world_rank(call.comm, call.peer)
        if "bsend" in call.name.lower():  # buffered: it is over, whoever receives it
            self.matches[key] = Match(call.number)
        for other in self._receives[call.comm, receiver]:
            if self._accepts(self.calls[other], key):
                self._receives[call.comm, receiver].remove(other)
                self._join(key, other)
                return
        self._sends[call.comm, receiver].append(key)

    def _receive(self, key: Key, call: Call) -> None:
        if send := self._find_send(key[0], call):
            self._sends[call.comm, key[0]].remove(send)
            self._join(send, key)
        else:
            self._receives[call.comm, key[0]].append(key)

    def _find_send(self, rank: int, call: Call) -> Key | None:
        return next((key for key in self._sends[call.comm, rank] if self._accepts(call, key)), None)

    def _accepts(self, receive: Call, send: Key) -> bool:
        call = self.calls[send]
        source = self.members[call.comm].index(send[0])
        return receive.peer in {ANY, source} and receive.tag in {ANY, call.tag}

    def _join(self, send: Key, receive: Key) -> None:
        self.matches[send] = Match(send[1])
        self.matches[receive] = self._as_match(receive[1], send)
        self.partner[receive] = send
        self.misfit = self.misfit or _check_message(send[0], self.calls[send], receive[0], self.calls[receive])

    def _as_match(self, number: int, send: Key) -> Match:
        call = self.calls[send]
        source = self.members[call.comm].index(send[0])
        return Match(number, source, call.tag, send[1], size_bytes=call.size_bytes, pickled=call.pickled)

    def _enter(self, rank: int, call: Call) -> None:
        slots = self._slots[call.comm]
        slot = next((slot for slot in slots if rank not in slot), None)
        if slot is None:
            slots.append(slot := {})
        slot[rank] = call
        members = self.members[call.comm]
        self.misfit = self.misfit or _check_collective(slot, members)
        if len(slot) == len(members) and self.misfit is None:
            slots.remove(slot)
            self.matches |= {(member, each.number): Match(each.number) for member, each in slot.items()}


def _check_message(sender: int, send: Call, receiver: int, receive: Call) -> Misfit | None:
    """Return why a message does not fit the call that receives it; None if it does."""
    both = ((sender, send), (receiver, receive))
    if send.pickled != receive.pickled:
        return Misfit("pickled", both)
    if send.pickled:
        return None
    if send.size_bytes > receive.size_bytes:
        return Misfit("room", both)
    return Misfit("types", both) if _differ(send.dtype, receive.dtype) and send.size_bytes else None


def _check_collective(calls: Mapping[int, Call], members: Sequence[int]) -> Misfit | None:
    """Return why the calls of a collective operation, as far as they are there, do not fit; None if they do."""
    (first, call), *others = calls.items()
    for rank, other in others:
        both = ((first, call), (rank, other))
        if other.name != call.name:
            return Misfit("operations", tuple(calls.items()))
        if other.peer != call.peer:
            return Misfit("roots", tuple(calls.items()))
        if other.reduction != call.reduction:
            return Misfit("reductions", both)
        if _differ(call.dtype, other.dtype):
            return Misfit("types", both)
        is_alike = flow_of(call.name) in ALIKE and not call.name.endswith("v")
        if not call.pickled and is_alike and other.size_bytes != call.size_bytes:
            return Misfit("counts", both)
    return _check_parts(calls, members) if len(calls) == len(members) else None


def _check_parts(calls: Mapping[int, Call], members: Sequence[int]) -> Misfit | None:
    """Compare what a root deals out, or has room for, with what each rank can take, or gives."""
    call = next(iter(calls.values()))
    flow = flow_of(call.name)
    if flow not in IN_PARTS:
        return None
    root = members[call.peer]
    for place, rank in enumerate(members):
        other, parts = calls[rank], calls[root].parts
        if rank == root or place >= len(parts):
            continue
        is_short = other.size_bytes < parts[place] if flow == DEAL else other.size_bytes > parts[place]
        if is_short or (not call.name.endswith("v") and other.size_bytes != parts[place]):
            return Misfit("parts", ((root, calls[root]), (rank, other)))
    return None


def _differ(first: str, second: str) -> bool:
    return first != second and not {first, second} & _BYTES
