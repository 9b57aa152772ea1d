"""One rank's line to the conductor: it announces each call, and waits until the call has its partners."""

from __future__ import annotations

import socket
import sys
import time
from typing import Any

from grader.ranks.calls import ALL, Call, Event, Go, Match, Order, Wait
from grader.worker.channel import Channel, Closed

_PROGRESS_S = 0.0005
"""How often a waiting rank lets the MPI library go on with messages of which a part has left."""

_NAP_S = 0.00003
"""Between two looks at a call of the library that is under way: ranks may be more than cores, and must not spin."""


def settle(request: Any) -> None:
    """Return when a call of the MPI library is over."""
    while not request.Test():
        time.sleep(_NAP_S)


class Link:
    """The line of one rank."""

    def __init__(self, channel: socket.socket, rank: int = 0) -> None:
        self._channel = Channel[Order](channel, Order)
        self.rank = rank
        """Of the whole team."""
        self.folder = "\0"
        """Where the files lie whose lines are named."""
        self.refused: list[str] = []
        self.spoil_bytes = 0
        """From how many bytes on what is received is falsified; 0 for never."""
        self.spoilt = 0
        """How many arrays were."""
        self._number = 0
        self._orders: dict[tuple[int, int], int] = {}
        """Communicator and receiver -> messages so far."""
        self._outstanding: list[tuple[Any, Any]] = []

    def reset(self, folder: str, spoil_bytes: int) -> None:
        """Begin a new run."""
        self.folder, self.spoil_bytes, self.refused = folder, spoil_bytes, []
        self._number = self.spoilt = 0
        self._orders.clear()

    def begin(self, name: str, kind: str, **fields: Any) -> int:
        """Announce a call and return its number."""
        self._number += 1
        self.send(Call(self._number, name, kind, line=self.line(), at_s=time.monotonic(), **fields))
        return self._number

    def wait(self, numbers: tuple[int, ...], name: str, how: str = ALL) -> dict[int, Match]:
        """Return the partners of calls as soon as there are any, or at once for a look."""
        self.send(Wait(numbers, how, name, self.line()))
        order = self.receive()
        if not isinstance(order, Go):
            raise Closed(f"the conductor said {order}")
        return {match.number: match for match in order.done}

    def next_order(self, comm: int, receiver: int) -> int:
        """Return which message to `receiver` this is."""
        order = self._orders.get((comm, receiver), 0)
        self._orders[comm, receiver] = order + 1
        return order

    def keep(self, request: Any, memory: Any) -> None:
        """Let the MPI library go on with `request`, which needs `memory`, whenever this rank waits."""
        self._outstanding.append((request, memory))

    def send(self, event: Event) -> None:
        """Tell the conductor something."""
        self._channel.send(event)

    def receive(self) -> Order:
        """Return what the conductor says next."""
        while self._outstanding:
            self._outstanding = [pair for pair in self._outstanding if not pair[0].Test()]
            if self._channel.is_ready(_PROGRESS_S):
                break
        return self._channel.receive()

    def line(self) -> str:
        """Return `file:line` of the innermost line of the student's code that is being executed; empty for none."""
        frame = sys._getframe(1)
        while frame is not None:
            path = frame.f_code.co_filename
            if path.startswith(self.folder):
                return f"{path[len(self.folder) + 1 :]}:{frame.f_lineno}"
            frame = frame.f_back  # type: ignore[assignment] # None ends the loop
        return ""
