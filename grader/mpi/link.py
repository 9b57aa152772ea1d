"""The log that a rank writes for the coordinator, and how a rank waits: it keeps the MPI library working.

All that comes from other ranks, by any call, is counted here, and exchanged if the run asks for it.
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
"""Pause of a rank that has ended before it lets the MPI library work; for how long; and the pause after that."""
_ENVELOPE_BYTES = 16  # counted for each message or collective call: sender, tag and length are information, too
_WORD_BYTES = 8
_TURNS = 2000  # how often a waiting rank only yields the processor before it sleeps: most calls end before a sleep does
_NAP_S = 0.00003
"""Sleep between two looks: there may be more ranks than cores, so ranks must not spin; long messages come in pieces."""


class Exchange:
    """Exchanges numbers that other ranks know for other numbers, wherever this rank receives them.

    So other ranks do not know the numbers that this one works with.
    """

    def __init__(self, known: np.ndarray[Any, Any], others: np.ndarray[Any, Any]) -> None:
        both = np.concatenate([known.ravel(), others.ravel()]).view(np.uint64)  # new ones that are passed on stay
        new, order = np.tile(both[known.size :], 2), np.argsort(both)
        self._known, self._new = both[order], new[order]
        both[:] = new[:] = 0  # a slice may read memory that was freed
        self._places = order % known.size
        self.arrived = np.zeros(known.shape, bool)  # for each number, whether it has come

    def apply(self, data: np.ndarray[Any, Any]) -> None:
        """Exchange them anywhere in some bytes, in the byte order of arrays or of pickled numbers."""
        # The order of arrays first: backwards and one byte earlier, a number's bytes may be a known number, too.
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
        self.request = request  # the library's request; None if there is nothing to wait for
        self.finish = finish  # does the rest when the call is over, and returns what was received
        self.match = Match(number)  # the message that a receive or a probe has found

    def is_over(self) -> bool:
        """Return whether the library has done the call."""
        return self.request is None or bool(self.request.Test())


class Link:
    """Connects one rank with the coordinator, and with the MPI library."""

    def __init__(self, channel: socket.socket, log_fd: int, rank: int) -> None:
        self._channel = Channel[Run](channel, Run)
        self._log_fd = log_fd
        self.rank = rank  # the rank in the world of all ranks
        self.poke: Callable[[], Any] = int  # lets the library work on all its calls; set when MPI has started
        self._number = 0  # never begins again: a request that is kept from an earlier run is no call of a later one
        self.reset("")

    def reset(self, folder: str) -> None:
        """Begin a new run; calls name lines of the files in `folder`."""
        self.folder = folder
        self.exchange: Exchange | None = None
        self.received_bytes = 0  # how much came from other ranks in this run
        self.receives: list[Any] = []  # receives that have not found their messages, in the order in which they began
        self.found: list[Match] = []  # messages that receives have found, and that are not announced yet
        self._log = Channel[Record](FileEnd(self._log_fd), Record)
        self._looks = 0
        self._under_way = deque[tuple[Any, Any]]()

    def number(self, name: str, kind: str, **fields: Any) -> Call:
        """Return a call with its number and line; it is not announced yet."""
        self._number += 1
        return Call(self._number, name, kind, line=find_line(self.folder), at_s=time.monotonic(), **fields)

    def wait(self, calls: Sequence[Begun], how: str = ALL, name: str = "") -> list[Begun]:
        """Return those of some calls that are over: all, one, or, for a look, those that are over now.

        Args:
            calls: Calls that were announced.
            how: See `calls.ALL`.
            name: The call that waits for them, which is announced if needed; empty if it was announced.
        """
        least = len(calls) if how == ALL else int(how == FIRST)
        self.progress()
        over = [call for call in calls if call.is_over()]
        if name and len(over) < max(least, 1):
            wait = Wait(tuple([call.number for call in calls]), how, name, find_line(self.folder))
            self.look_in_vain(wait) if how == LOOK else self.write(wait)
        if len(over) < least:
            for _ in self._turns():
                over = [call for call in calls if call.is_over()]
                if len(over) >= least:
                    break
        over = over[:1] if how == FIRST else over
        if over:
            self.finish(*[call.number for call in over])
        return over

    def finish(self, *numbers: int) -> None:
        """Announce that these calls are over, so this rank goes on, and which messages receives have found."""
        self.write(Done(numbers, tuple(self.found), time.monotonic()))
        self.found = []

    def settle(self, request: Any) -> None:
        """Return when a call of the MPI library is over."""
        if not request.Test():
            for _ in self._turns():
                if request.Test():
                    return

    def stay(self) -> NoReturn:
        """Wait until the coordinator ends this rank: it reads in the logs why the rank cannot go on."""
        for _ in self._turns():
            pass
        raise AssertionError

    def _turns(self) -> Iterator[None]:
        """Pause and let the MPI library work, and yield, for ever."""
        for turn in itertools.count():
            if turn < _TURNS:
                os.sched_yield()
            else:
                time.sleep(_NAP_S)
            self.progress()
            yield

    def progress(self) -> None:
        """Let the MPI library work on the calls under way, and take the messages that receives wait for."""
        if self.found:
            self.finish()
        self.poke()
        while self._under_way and self._under_way[0][0].Test():  # the library goes on with all of them
            self._under_way.popleft()
        for receive in tuple(self.receives):
            receive.look()

    def keep(self, request: Any, memory: Any) -> None:
        """Let the MPI library work on `request`, which needs `memory`, whenever this rank waits."""
        self._under_way.append((request, memory))

    def count(self, size_bytes: int) -> None:
        """Count the bytes that a call brings from other ranks."""
        self.received_bytes += size_bytes + _ENVELOPE_BYTES

    def exchange_in(self, memory: Any) -> None:
        """Exchange the numbers that have come into some memory, if this run exchanges any."""
        if self.exchange is not None and len(memory):
            self.exchange.apply(np.frombuffer(memory, np.uint8))

    def write(self, record: Record) -> None:
        """Write a record into the log, which the coordinator reads now and then."""
        self._looks = 0
        self._log.send(record)

    def look_in_vain(self, *records: Record) -> None:
        """Count a look in vain; after `MANY_LOOKS` of them, with no record between, write `records` into the log."""
        self._looks += 1
        for record in records if self._looks == MANY_LOOKS else ():
            self._log.send(record)

    def send(self, event: Event) -> None:
        """Send a message to the coordinator."""
        if self.found:
            self.finish()
        self._channel.send(event)

    def receive(self) -> Run:
        """Return the coordinator's next order; until then, let the library work, because other ranks may need it."""
        soon_s = time.monotonic() + _SOON_S
        while not self._channel.is_ready(_PROGRESS_S if time.monotonic() < soon_s else _LONGEST_PAUSE_S):
            self.progress()
        return self._channel.receive()


class Line(NamedTuple):
    """The data behind a communicator of a rank."""

    link: Link
    real: Any  # the library's own communicator
    name: str  # the name of the communicator, as in `Call.comm`
    members: tuple[int, ...]  # world ranks, in the order of this communicator
    rank: int  # the index of this rank among these, from the coordinator's numbers; no communicator is asked

    def take(self, body: bytearray | memoryview, source: int) -> None:
        """Count a message or a pickle, and exchange the numbers in it; those from this rank itself stay."""
        if source != self.rank:
            self.link.count(len(body))
            self.link.exchange_in(body)
