"""What calls return that do not wait: requests, and the statuses of messages, named and used as in mpi4py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from mpi4py import MPI

from grader.ranks.buffers import Unfollowed
from grader.ranks.calls import ALL, FIRST, LOOK, Match
from grader.ranks.link import Link

_REAL = {"Request": MPI.Request, "Status": MPI.Status}
"""mpi4py's own classes: a rank puts ours in their place."""


def _refuse(kind: str, name: str) -> NoReturn:
    """Raise what tells a name that is mpi4py's from one that nobody knows.

    Raises:
        Unfollowed: mpi4py has it.
        AttributeError: mpi4py does not have it either.
    """
    if not name.startswith("_") and hasattr(_REAL[kind], name):
        msg = f"{kind}.{name}"
        raise Unfollowed(msg)
    msg = f"{kind!r} has no attribute {name!r}"
    raise AttributeError(msg)


class _Named(type):
    """A class of which every name is ours, mpi4py's, or nobody's."""

    def __getattr__(cls, name: str) -> NoReturn:
        _refuse(cls.__name__, name)


class Status(metaclass=_Named):
    """Who sent a message, with which tag, and how long it is."""

    __slots__ = ("_mpi_match",)

    def __init__(self) -> None:
        self._mpi_match = Match(0)

    def __getattr__(self, name: str) -> NoReturn:
        _refuse("Status", name)

    def Get_source(self) -> int:
        """Return the sender."""
        return self._mpi_match.source

    def Get_tag(self) -> int:
        """Return the tag."""
        return self._mpi_match.tag

    def Get_count(self, datatype: Any = MPI.BYTE) -> int:
        """Return how many items came."""
        return int(self._mpi_match.size_bytes // datatype.Get_size())

    source, tag = property(Get_source), property(Get_tag)
    count = property(Get_count)


def tell(status: Any, match: Match) -> None:
    """Write into a status of ours what a message was."""
    if isinstance(status, Status):
        status._mpi_match = match


class Request(metaclass=_Named):
    """A call that may not be over."""

    __slots__ = ("_mpi_finish", "_mpi_link", "_mpi_number", "_mpi_value")

    def __init__(self, link: Link, number: int, finish: Callable[[Match], Any]) -> None:
        self._mpi_link, self._mpi_number, self._mpi_finish = link, number, finish
        self._mpi_value: Any = None

    def __getattr__(self, name: str) -> NoReturn:
        _refuse("Request", name)

    def wait(self, status: Any = None) -> Any:
        """Return when it is over; what was received, for a lower-case receive."""
        _wait_for([self], ALL, "wait", [status])
        return self._mpi_value

    def Wait(self, status: Any = None) -> bool:
        """Return when it is over."""
        _wait_for([self], ALL, "Wait", [status])
        return True

    def Test(self, status: Any = None) -> bool:
        """Return whether it is over."""
        return not self._mpi_number or bool(_wait_for([self], LOOK, "Test", [status]))

    def test(self, status: Any = None) -> tuple[bool, Any]:
        """Return whether it is over, and what was received."""
        return self.Test(status), self._mpi_value

    @classmethod
    def Waitall(cls, requests: Sequence[Request], statuses: Any = None) -> bool:
        """Return when all are over."""
        _wait_for(requests, ALL, "Waitall", statuses or [])
        return True

    @classmethod
    def waitall(cls, requests: Sequence[Request], statuses: Any = None) -> list[Any]:
        """Return what all received."""
        _wait_for(requests, ALL, "waitall", statuses or [])
        return [request._mpi_value for request in requests]

    @classmethod
    def Waitany(cls, requests: Sequence[Request], status: Any = None) -> int:
        """Return the place of one that is over."""
        done = _wait_for(requests, FIRST, "Waitany", [])
        tell(status, done[0][1]) if done else None
        return done[0][0] if done else int(MPI.UNDEFINED)

    @classmethod
    def waitany(cls, requests: Sequence[Request], status: Any = None) -> tuple[int, Any]:
        """Return the place of one that is over, and what it received."""
        place = cls.Waitany(requests, status)
        return place, requests[place]._mpi_value if place >= 0 else None

    @classmethod
    def Testall(cls, requests: Sequence[Request], statuses: Any = None) -> bool:
        """Return whether all are over."""
        del statuses
        return all(request.Test() for request in requests)


def _wait_for(requests: Sequence[Request], how: str, name: str, statuses: Sequence[Any]) -> list[tuple[int, Match]]:
    """Wait, finish what is over, and return its places and partners."""
    open_ones = {one._mpi_number: (place, one) for place, one in enumerate(requests) if one._mpi_number}
    if not open_ones:
        return []
    link = next(iter(open_ones.values()))[1]._mpi_link
    found = link.wait(tuple(open_ones), name, how)
    done = []
    for number, match in found.items():
        place, request = open_ones[number]
        request._mpi_value = request._mpi_finish(match)
        request._mpi_number = 0
        if place < len(statuses):
            tell(statuses[place], match)
        done.append((place, match))
    return done
