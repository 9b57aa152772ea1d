"""What one rank writes into its log for the coordinator, and how it waits: in the MPI library, which it keeps going.

All that comes from another rank is counted here, and exchanged where the run says so, by whatever call it comes.
"""

from __future__ import annotations

import itertools
import os
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from grader.mpi.calls import ALL, FIRST, LOOK, MANY_LOOKS, Call, Done, Event, Match, Record, Run, Wait
from grader.worker.channel import Channel, FileEnd
from grader.worker.sliced.calllog import find_line

_PROGRESS_S, _SOON_S, _LONGEST_PAUSE_S = 0.0005, 2.0, 0.01
"""How often a rank that has ended lets the MPI library go on; for how long it does so often; and later."""
_ENVELOPE_BYTES = 16
"""Of a message or a collective call: sender, tag and length tell something, too."""
_WORD_BYTES = 8
_TURNS = 2000
"""So often a rank that waits only lets others have their turn: most calls are over before a nap would be."""
_NAP_S = 0.00003
"""Between two looks: ranks may be more than cores, and must not spin; and long messages come in many pieces."""


def _pauses() -> Iterator[None]:
    """Pause before each look at what is under way."""
    for _ in range(_TURNS):
        os.sched_yield()
        yield
    while True:
        time.sleep(_NAP_S)
        yield


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


class Begun:
    """A call that was announced, and may not be over."""

    def __init__(self, link: Link, number: int, request: Any = None, finish: Callable[[], Any] = lambda: None) -> None:
        self.link, self.number = link, number
        self.request = request
        """The library's; None if there is nothing to wait for."""
        self.finish = finish
        """Does what is left when it is over, and returns what was received."""
        self.match = Match(number)
        """Of a receive or a probe, what was found."""

    def is_over(self) -> bool:
        """Return whether the library has done it."""
        return self.request is None or bool(self.request.Test())


class Link:
    """What connects one rank with the coordinator, and with the MPI library."""

    def __init__(self, channel: socket.socket, log_fd: int, rank: int) -> None:
        self._channel = Channel[Run](channel, Run)
        self._log_fd = log_fd
        self.rank = rank
        """Of the whole team."""
        self.poke: Callable[[], Any] = int
        """Lets the library go on, whatever it is about; set when there is one."""
        self.reset("")

    def reset(self, folder: str) -> None:
        """Begin a new run; lines of the files in `folder` are named."""
        self.folder = folder
        self.exchange: Exchange | None = None
        self.received_bytes = 0
        """What came from other ranks in this run."""
        self.receives: list[Any] = []
        """Receives that have not found their messages, in the order in which they began."""
        self.found: list[Match] = []
        """What receives have found, and was not announced."""
        self._log = Channel[Record](FileEnd(self._log_fd), Record)
        self._number = self._looks = 0
        self._under_way = deque[tuple[Any, Any]]()

    def number(self, name: str, kind: str, **fields: Any) -> Call:
        """Return a call with its number and line, which is still to be announced."""
        self._number += 1
        return Call(self._number, name, kind, line=find_line(self.folder), at_s=time.monotonic(), **fields)

    def wait(self, calls: Sequence[Begun], how: str = ALL, name: str = "") -> list[Begun]:
        """Return those of some calls that are over: all of them, one, or, for a look, whichever are.

        Args:
            calls: They were announced.
            how: See `calls.ALL`.
            name: Of the call that waits for them, which is announced if need be; empty if that was done.
        """
        least = len(calls) if how == ALL else int(how == FIRST)
        self.progress()
        over = [call for call in calls if call.is_over()]
        if name and len(over) < max(least, 1):
            wait = Wait(tuple([call.number for call in calls]), how, name, find_line(self.folder))
            self.look_in_vain(wait) if how == LOOK else self.write(wait)
        if len(over) < least:
            for _ in _pauses():
                self.progress()
                over = [call for call in calls if call.is_over()]
                if len(over) >= least:
                    break
        over = over[:1] if how == FIRST else over
        if over:
            self.finish(*[call.number for call in over])
        return over

    def finish(self, *numbers: int) -> None:
        """Announce that this rank goes on, as these calls are over, and what receives have found."""
        self.write(Done(numbers, tuple(self.found), time.monotonic()))
        self.found = []

    def settle(self, request: Any) -> None:
        """Return when a call of the MPI library is over."""
        if not request.Test():
            for _ in _pauses():
                self.progress()
                if request.Test():
                    return

    def stay(self) -> NoReturn:
        """Wait for the coordinator, which has read why this rank cannot go on, and ends it."""
        for _ in _pauses():
            self.progress()
        raise AssertionError

    def progress(self) -> None:
        """Let the MPI library go on with what is under way, and take the messages that receives wait for."""
        if self.found:
            self.finish()
        self.poke()
        while self._under_way and self._under_way[0][0].Test():  # the library goes on with all of them
            self._under_way.popleft()
        for receive in tuple(self.receives):
            receive.look()

    def keep(self, request: Any, memory: Any) -> None:
        """Let the MPI library go on with `request`, which needs `memory`, whenever this rank waits."""
        self._under_way.append((request, memory))

    def count(self, size_bytes: int) -> None:
        """Count what a call of another rank brings."""
        self.received_bytes += size_bytes + _ENVELOPE_BYTES

    def exchange_in(self, memory: Any) -> None:
        """Exchange what has come into some memory, if this run exchanges anything."""
        if self.exchange is not None and len(memory):
            self.exchange.apply(np.frombuffer(memory, np.uint8))

    def write(self, record: Record) -> None:
        """Write something into the log, which the coordinator reads now and then."""
        self._looks = 0
        self._log.send(record)

    def look_in_vain(self, *records: Record) -> None:
        """Write into the log that this rank looks for something, if it has done so often and done nothing else."""
        self._looks += 1
        for record in records if self._looks == MANY_LOOKS else ():
            self._log.send(record)

    def send(self, event: Event) -> None:
        """Tell the coordinator something."""
        if self.found:
            self.finish()
        self._channel.send(event)

    def receive(self) -> Run:
        """Return what the coordinator asks for next; until then, other ranks may need what the library has to say."""
        soon_s = time.monotonic() + _SOON_S
        while not self._channel.is_ready(_PROGRESS_S if time.monotonic() < soon_s else _LONGEST_PAUSE_S):
            self.progress()
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
