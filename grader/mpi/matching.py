"""Find out which calls of the ranks belong together, which ranks can go on, and which calls do not match.

Point-to-point messages are matched as MPI does: in the order of sends and receives, by source and tag. The n-th
collective calls of all ranks in a communicator belong together. A rank that waits can go on as soon as its calls have
their partners. If all ranks wait or have ended, and none can go on, none ever will.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

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
    find_mismatch,
    flow_of,
    note_of,
)

_LOOKING_S = 2.0  # a rank that tests in vain counts as waiting when no rank has done anything for so long

RUNNING, RETURNED, RAISED, DIED = "computes", "returned", "raised", "died"
Key = tuple[int, int]  # rank and number of a call


@dataclass(frozen=True, slots=True)
class Misfit:
    """Calls that belong together and do not match; `what` is the difference, in one word."""

    what: str
    calls: tuple[tuple[int, Call], ...]  # world ranks and calls: the two that show it, or all


class Matching:
    """The calls of one run by `size` ranks."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.state = dict.fromkeys(range(size), RUNNING)
        self.waits: dict[int, Wait] = {}  # rank -> the calls for which it waits
        self.waiting: dict[int, Wait] = {}  # those whose ranks cannot go on, by the last `match`
        self.calls: dict[Key, Call] = {}
        self.inside: dict[int, Call] = {}  # rank -> its call in the library that is not followed
        self.partner: dict[Key, Key] = {}  # receive -> the send that the library has found for it
        self.done_s: dict[Key, float] = {}  # call that is over -> when the rank went on
        self.misfit: Misfit | None = None
        self.members: dict[str, tuple[int, ...]] = {"": tuple(range(size))}  # communicator -> its ranks
        self._matched: set[Key] = set()
        self.expected: dict[Key, Key] = {}
        self._coming: set[Key] = set()
        """Receive -> a send that it will get, and that no rank has received; and all of these sends."""
        self._sends: dict[tuple[str, int], list[Key]] = defaultdict(list)
        """Communicator and world rank of the receiver -> sends that it has not received."""
        self._receives: dict[tuple[str, int], list[Key]] = defaultdict(list)
        self._found: list[tuple[int, Match]] = []
        """Messages that receives have found, if their sends have not been read."""
        self._slots: dict[str, list[dict[int, Call]]] = defaultdict(list)
        """Communicator -> the calls, by rank, of each collective operation that some ranks have not joined."""

    def begin(self, rank: int, call: Call) -> None:
        """Add a call."""
        key = rank, call.number
        self.calls[key] = call
        if call.comm not in self.members:
            self.members[call.comm] = tuple(map(int, call.comm.partition("#")[0].split(".")))
        self.waits.pop(rank, None)
        if call.waits:
            self.waits[rank] = Wait((call.number,), ALL, call.name, call.line)
        if call.kind in {SEND, RECEIVE}:
            self._begin_message(key, call)
        elif call.kind == COLLECTIVE:
            self._enter(rank, call)
        elif call.kind == OTHER:
            self.inside[rank] = call

    def wait(self, rank: int, wait: Wait) -> None:
        """Note that a rank waits; calls of earlier runs are left out."""
        numbers = tuple(number for number in wait.numbers if (rank, number) in self.calls)
        self.waits[rank] = msgspec.structs.replace(wait, numbers=numbers)

    def finish(self, rank: int, done: Done) -> None:
        """Note that calls are over, or have found their messages."""
        self._found += [(rank, match) for match in done.found]
        self.done_s |= {(rank, number): done.at_s for number in done.numbers if (rank, number) in self.calls}
        if done.numbers:
            self.waits.pop(rank, None)
            self.inside.pop(rank, None)

    def end(self, rank: int, how: str) -> None:
        """Note that a rank has returned, raised, or died."""
        self.state[rank] = how
        self.waits.pop(rank, None)

    def match(self) -> None:
        """Find out, from all records so far, which messages belong together, and which ranks cannot go on."""
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
        """Return whether ranks wait, and none can ever go on; no rank has done anything for `quiet_s`."""
        looks = any(wait.how == LOOK for wait in self.waiting.values())
        return bool(self.waiting) and not self.running() and (quiet_s > _LOOKING_S or not looks)

    def running(self) -> list[int]:
        """Return the ranks that have not ended, and can go on."""
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
        """Return the world rank of `peer`, a rank in a communicator; `ANY` and `NOBODY` stay."""
        return self.members[comm][peer] if peer >= 0 else peer

    def _begin_message(self, key: Key, call: Call) -> None:
        if call.peer == NOBODY or "bsend" in call.name.lower():  # MPI.PROC_NULL; buffered: over at once
            self._matched.add(key)
        if call.peer != NOBODY:
            receiver = self.world_rank(call.comm, call.peer) if call.kind == SEND else key[0]
            (self._sends if call.kind == SEND else self._receives)[call.comm, receiver].append(key)

    def _can_go_on(self, rank: int, wait: Wait) -> bool:
        near = [self._has_partner((rank, number)) for number in wait.numbers]
        return all(near) if wait.how == ALL else any(near)

    def _has_partner(self, key: Key) -> bool:
        """Return whether a call is over, or will be without a further call of any rank."""
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
        """Join a receive with the send that it has found; return False if that has not been read."""
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
    """Return why a message does not match the call that receives it; None if it does."""
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
    """Return why a rank's call does not match those of other ranks so far; None if it does."""
    call, note = calls[rank], note_of(calls[rank])
    for other, others in calls.items():
        if what := find_mismatch(note_of(others), note):
            shown = calls if what in {"operations", "roots"} else {other: others, rank: call}
            return Misfit(what, tuple(shown.items()))
    return _check_parts(calls, members) if len(calls) == len(members) else None


def _check_parts(calls: Mapping[int, Call], members: Sequence[int]) -> Misfit | None:
    """Compare the parts that a root sends, or has room for, with the room of each rank, or what it sends."""
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
