"""One rank's line to the coordinator: it announces each call, and waits until the call has its partners.

All that comes from another rank is counted here, and exchanged where the run says so, by whatever call it comes.
"""

from __future__ import annotations

import itertools
import os
import socket
import time
from typing import Any, NamedTuple

import numpy as np

from grader.mpi.calls import ALL, COLLECTIVE, Call, Event, Go, Match, Order, Wait
from grader.worker.channel import Channel, Closed
from grader.worker.sliced.calllog import find_line

_PROGRESS_S = 0.0005
"""How often a waiting rank lets the MPI library go on with messages of which a part has left."""
_ENVELOPE_BYTES = 16
"""Of a message or a collective call: sender, tag and length tell something, too."""
_WORD_BYTES = 8
_NAP_S = 0.00003
"""Between two looks at a call of the library that is under way: ranks may be more than cores, and must not spin."""
_TURNS = 100
"""So often a rank only lets others have their turn first: most calls are over before a nap would be."""


def settle(request: Any) -> None:
    """Return when a call of the MPI library is over."""
    for _ in range(_TURNS):
        if request.Test():
            return
        os.sched_yield()
    while not request.Test():
        time.sleep(_NAP_S)


class Exchange:
    """Other numbers in the place of those that another rank holds: what this rank receives of these is exchanged.

    So the other rank does not know what this one works with.
    """

    def __init__(self, known: np.ndarray[Any, Any], others: np.ndarray[Any, Any]) -> None:
        both = np.concatenate([known.ravel(), others.ravel()]).view(np.uint64)  # those that are passed on stay
        order = np.argsort(both)
        self._known, self._new = both[order], np.tile(both[known.size :], 2)[order]
        self._places = order % known.size
        self.arrived = np.zeros(known.shape, bool)
        """Which of the numbers have come."""

    def apply(self, data: np.ndarray[Any, Any]) -> None:
        """Exchange them wherever they stand in bytes, as arrays have them or as pickled numbers do."""
        # As arrays have them first: a number's bytes may be a known number, too, backwards and one byte earlier.
        for code, start in itertools.product(("<u8", ">u8"), range(min(_WORD_BYTES, data.size))):
            words = data[start : start + (data.size - start) // _WORD_BYTES * _WORD_BYTES].view(code)
            likely = np.flatnonzero((words >= self._known[0]) & (words <= self._known[-1]))
            places = np.searchsorted(self._known, words[likely])
            is_known = self._known[places] == words[likely]
            words[likely[is_known]] = self._new[places[is_known]]
            self.arrived.flat[self._places[places[is_known]]] = True


class Link:
    """The line of one rank."""

    def __init__(self, channel: socket.socket, rank: int) -> None:
        self._channel = Channel[Order](channel, Order)
        self.rank = rank
        """Of the whole team."""
        self.folder = ""
        """Where the files lie whose lines are named; empty for none."""
        self.exchange: Exchange | None = None
        self.received_bytes = 0
        """What came from other ranks in this run."""
        self._number = 0
        self._outstanding: list[tuple[Any, Any]] = []

    def reset(self, folder: str) -> None:
        """Begin a new run."""
        self.folder, self.exchange = folder, None
        self._number = self.received_bytes = 0

    def number(self, name: str, kind: str, **fields: Any) -> Call:
        """Return a call with its number and line, which is still to be announced."""
        self._number += 1
        return Call(self._number, name, kind, line=find_line(self.folder), at_s=time.monotonic(), **fields)

    def begin(self, *calls: Call, how: str = "") -> None:
        """Announce calls; where `how` says so, also that this rank waits for them, in one message."""
        if how:
            self.send(Wait(tuple(call.number for call in calls), how, calls[0].name, calls[0].line, begins=calls))
        else:
            for call in calls:
                self.send(call)

    def wait(self, numbers: tuple[int, ...], name: str, how: str) -> dict[int, Match]:
        """Return the partners of calls that were announced, as soon as there are any, or at once for a look."""
        self.send(Wait(numbers, how, name, find_line(self.folder)))
        return self.partners()

    def partners(self) -> dict[int, Match]:
        """Return the partners of the calls that this rank waits for."""
        order = self.receive()
        if not isinstance(order, Go):
            raise Closed(f"the coordinator said {order}")
        return {match.number: match for match in order.done}

    def keep(self, request: Any, memory: Any) -> None:
        """Let the MPI library go on with `request`, which needs `memory`, whenever this rank waits."""
        self._outstanding.append((request, memory))

    def count(self, size_bytes: int) -> None:
        """Count what a call of another rank brings."""
        self.received_bytes += size_bytes + _ENVELOPE_BYTES

    def exchange_in(self, memory: Any) -> None:
        """Exchange what has come into some memory, if this run exchanges anything."""
        if self.exchange is not None and len(memory):
            self.exchange.apply(np.frombuffer(memory, np.uint8))

    def send(self, event: Event) -> None:
        """Tell the coordinator something."""
        self._channel.send(event)

    def receive(self) -> Order:
        """Return what the coordinator says next."""
        while self._outstanding:
            self._outstanding = [pair for pair in self._outstanding if not pair[0].Test()]
            if self._outstanding and self._channel.is_ready(_PROGRESS_S):
                break
        return self._channel.receive()


class Line(NamedTuple):
    """What a communicator of a rank works with."""

    link: Link
    real: Any
    """The library's own communicator."""
    name: str
    """As `Call.comm` has it."""
    members: tuple[int, ...]
    """Ranks of the whole team, in the order of this communicator."""
    rank: int
    """Its place among these, by what the coordinator said; no communicator is asked."""

    def take(self, body: bytearray, source: int) -> None:
        """Count a message or a pickle from a rank, and exchange what is in it; what is this rank's own stays."""
        if source != self.rank:
            self.link.count(len(body))
            self.link.exchange_in(body)

    def number(self, name: str, kind: str, **fields: Any) -> Call:
        """Return a call of this communicator, which is still to be announced."""
        return self.link.number(name, kind, comm=self.name, **fields)

    def meet(self, name: str, *, waits: bool = True, **fields: Any) -> int:
        """Announce a collective call and return its number; where it waits, as soon as all ranks have come."""
        call = self.number(name, COLLECTIVE, **fields)
        self.link.begin(call, how=ALL if waits else "")
        if waits:
            self.link.partners()
        return call.number
