"""Which calls of the ranks belong together, who can go on, and what does not fit.

Point-to-point messages are matched as MPI does: in the order in which they were sent and asked for, by source and tag.
The n-th collective call of each rank in a communicator belongs together. A rank that waits can go on as soon as its
calls have their partners; where all ranks wait or have ended, and none can go on, nobody ever will.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.mpi.calls import (
    ALL,
    ANY,
    BYTES,
    COLLECTIVE,
    DEAL,
    IN_PARTS,
    LOOK,
    NOBODY,
    OTHER,
    PROBE,
    RECEIVE,
    SEND,
    Call,
    Done,
    Match,
    Wait,
    flow_of,
    note_of,
    tell_apart,
)

_LOOKING_S = 2.0
"""A rank that has looked often and in vain, while no rank has done anything for so long, waits."""

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
        self.waits: dict[int, Wait] = {}
        """What ranks wait for."""
        self.waiting: dict[int, Wait] = {}
        """Those of them that cannot go on, as far as `match` knows."""
        self.calls: dict[Key, Call] = {}
        self.inside: dict[int, Call] = {}
        """Ranks that the library has, in a call that is not followed."""
        self.partner: dict[Key, Key] = {}
        """Receive -> send, where the library has found it."""
        self.done_s: dict[Key, float] = {}
        """When the rank went on, for calls that are over."""
        self.misfit: Misfit | None = None
        self.members: dict[str, tuple[int, ...]] = {"": tuple(range(size))}
        """Communicator -> its ranks."""
        self._matched: set[Key] = set()
        self.expected: dict[Key, Key] = {}
        self._coming: set[Key] = set()
        """Receive -> send that nobody has received, and that will come to it; and all of these sends."""
        self._sends: dict[tuple[str, int], list[Key]] = defaultdict(list)
        """Communicator and world rank of the receiver -> sends that nobody has received."""
        self._receives: dict[tuple[str, int], list[Key]] = defaultdict(list)
        self._found: list[tuple[int, Match]] = []
        """What receives have found, while the sends were not read."""
        self._slots: dict[str, list[dict[int, Call]]] = defaultdict(list)
        """Communicator -> the calls, by rank, of each collective operation that some ranks have not joined."""

    def begin(self, rank: int, call: Call) -> None:
        """Take in a call."""
        key = rank, call.number
        self.calls[key] = call
        if call.comm not in self.members:
            self.members[call.comm] = tuple(map(int, call.comm.partition("#")[0].split(".")))
        wait = self.waits.pop(rank, None)
        if call.waits:  # as `Sendrecv` for both of its calls
            numbers = wait.numbers if wait and wait.how == ALL else ()
            self.waits[rank] = Wait((*numbers, call.number), ALL, call.name, call.line)
        if call.kind in {SEND, RECEIVE}:
            self._begin_message(key, call)
        elif call.kind == COLLECTIVE:
            self._enter(rank, call)
        elif call.kind == OTHER:
            self.inside[rank] = call

    def wait(self, rank: int, wait: Wait) -> None:
        """Note that a rank waits."""
        self.waits[rank] = wait

    def finish(self, rank: int, done: Done) -> None:
        """Note that calls are over, or have found their messages."""
        self._found += [(rank, match) for match in done.found]
        self.done_s |= {(rank, number): done.at_s for number in done.numbers}
        if done.numbers:
            self.waits.pop(rank, None)
            self.inside.pop(rank, None)

    def end(self, rank: int, how: str) -> None:
        """Note that a rank has returned, raised, or died."""
        self.state[rank] = how
        self.waits.pop(rank, None)

    def match(self) -> None:
        """Find out, from all that was read, which messages belong together, and which ranks cannot go on."""
        self._found = [(rank, match) for rank, match in self._found if not self._join(rank, match)]
        self.expected = {}
        for (comm, receiver), receives in self._receives.items():
            left = [*self._sends[comm, receiver]]
            for receive in receives if self.state[receiver] != DIED else ():
                if send := next((send for send in left if self._accepts(receive, send)), None):
                    left.remove(send)
                    self.expected[receive] = send
        self._coming = {*self.expected.values()}
        self.waiting = {rank: wait for rank, wait in self.waits.items() if not self._can_go_on(rank, wait)}

    def unfollowed(self) -> list[str]:
        """Return the names of calls that went to the library and were not followed, one for each call."""
        return [call.name for call in self.calls.values() if call.kind == OTHER]

    def is_stuck(self, quiet_s: float) -> bool:
        """Return whether somebody waits, and nobody can ever go on; no rank has done anything for `quiet_s`."""
        looks = any(wait.how == LOOK for wait in self.waiting.values())
        return bool(self.waiting) and not self.running() and (quiet_s > _LOOKING_S or not looks)

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
        is_left = any(self._sends.values()) or any(self._receives.values()) or self.partner.keys() - self.done_s.keys()
        return not (is_left or self.unjoined())

    def unreceived(self) -> list[Key]:
        """Return the sends that nobody receives."""
        return sorted(key for keys in self._sends.values() for key in keys if key not in self._coming)

    def unjoined(self) -> list[Key]:
        """Return the calls of the first collective operation that some ranks of its communicator did not join."""
        first = next((slots[0] for slots in self._slots.values() if slots), {})
        return sorted((rank, call.number) for rank, call in first.items())

    def pending(self, rank: int, wait: Wait) -> list[Call]:
        """Return the calls for which a rank waits in vain."""
        return [self.calls[rank, number] for number in wait.numbers if not self._has_partner((rank, number))]

    def world_rank(self, comm: str, peer: int) -> int:
        """Return the rank of the whole team that `peer` of a communicator is; `ANY` and `NOBODY` stay."""
        return self.members[comm][peer] if peer >= 0 else peer

    def _begin_message(self, key: Key, call: Call) -> None:
        if call.peer == NOBODY or "bsend" in call.name.lower():  # MPI.PROC_NULL; buffered, whoever receives it
            self._matched.add(key)
        if call.peer != NOBODY:
            receiver = self.world_rank(call.comm, call.peer) if call.kind == SEND else key[0]
            (self._sends if call.kind == SEND else self._receives)[call.comm, receiver].append(key)

    def _can_go_on(self, rank: int, wait: Wait) -> bool:
        near = [self._has_partner((rank, number)) for number in wait.numbers]
        return all(near) if wait.how == ALL else any(near)

    def _has_partner(self, key: Key) -> bool:
        """Return whether a call is over, or will be without anything that a rank has yet to do."""
        if key in self._matched or key in self.expected or key in self._coming:
            return True
        call = self.calls[key]
        sends = self._sends[call.comm, key[0]] if call.kind == PROBE else []
        return any(self._accepts(key, send) and send not in self._coming for send in sends)

    def _accepts(self, receive: Key, send: Key) -> bool:
        wanted, call = self.calls[receive], self.calls[send]
        source = self.members[call.comm].index(send[0])
        return wanted.peer in {ANY, source} and wanted.tag in {ANY, call.tag}

    def _join(self, rank: int, match: Match) -> bool:
        """Join a receive with the send that it has found, if that was read."""
        key = rank, match.number
        comm = self.calls[key].comm
        for send in self._sends[comm, rank]:
            call = self.calls[send]
            source = self.members[comm].index(send[0])
            if (source, call.tag, call.size_bytes) == (match.source, match.tag, match.size_bytes):
                self._sends[comm, rank].remove(send)
                self._receives[comm, rank].remove(key)
                self._matched |= {send, key}
                self.partner[key] = send
                self.misfit = self.misfit or _check_message(send[0], call, rank, self.calls[key])
                return True
        return False

    def _enter(self, rank: int, call: Call) -> None:
        slots = self._slots[call.comm]
        slot = next((slot for slot in slots if rank not in slot), None)
        if slot is None:
            slots.append(slot := {})
        slot[rank] = call
        members = self.members[call.comm]
        self.misfit = self.misfit or _check_collective(slot, rank, members)
        if len(slot) == len(members) and self.misfit is None:
            slots.remove(slot)
            self._matched |= {(member, each.number) for member, each in slot.items()}


def _check_message(sender: int, send: Call, receiver: int, receive: Call) -> Misfit | None:
    """Return why a message does not fit the call that receives it; None if it does."""
    both = ((sender, send), (receiver, receive))
    if send.pickled != receive.pickled:
        return Misfit("pickled", both)
    if send.pickled:
        return None
    if send.size_bytes > receive.size_bytes:
        return Misfit("room", both)
    types = {each.dtype for each in (send, receive)} - {"", *BYTES}
    return Misfit("types", both) if len(types) > 1 and send.size_bytes else None


def _check_collective(calls: Mapping[int, Call], rank: int, members: Sequence[int]) -> Misfit | None:
    """Return why the call of a rank does not fit those that are there of a collective operation; None if it does."""
    call, note = calls[rank], note_of(calls[rank])
    for other, others in calls.items():
        if what := tell_apart(note_of(others), note):
            shown = calls if what in {"operations", "roots"} else {other: others, rank: call}
            return Misfit(what, tuple(shown.items()))
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
