"""What calls return that do not wait: requests, and the statuses of messages, named and used as in mpi4py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from mpi4py import MPI

from grader.ranks.buffers import take_items
from grader.ranks.calls import ALL, FIRST, LOOK, Match
from grader.ranks.frozen import Firm, Frozen, Unfollowed, put
from grader.ranks.link import Link

_REAL = {"Request": MPI.Request, "Prequest": MPI.Prequest, "Status": MPI.Status}
"""mpi4py's own classes: a rank puts ours in their place."""
_UNKNOWN = int(MPI.UNDEFINED)

Done = list[tuple[int, Match]]
"""Places of requests that are over, and their partners."""


def _refuse(kind: str, name: str) -> NoReturn:
    """Raise what tells a name that is mpi4py's from one that nobody knows.

    Raises:
        Unfollowed: mpi4py has it.
        AttributeError: mpi4py does not have it either.
    """
    if not name.startswith("_") and hasattr(_REAL[kind], name):
        raise Unfollowed(f"{kind}.{name}")
    raise AttributeError(f"{kind!r} has no attribute {name!r}")


class _Named(Frozen):
    """A class of which every name is ours, mpi4py's, or nobody's."""

    def __getattr__(cls, name: str) -> NoReturn:  # noqa: N805 - a metaclass, which ruff does not see
        _refuse(cls.__name__, name)


class Status(Firm, metaclass=_Named):
    """Who sent a message, with which tag, and how long it is."""

    __slots__ = ("_mpi_match",)
    _mpi_match: Match

    def __init__(self) -> None:
        put(self, "_mpi_match", Match(0))

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

    def Get_error(self) -> int:
        """Return `MPI.SUCCESS`: a call that fails raises."""
        return int(MPI.SUCCESS)

    def Is_cancelled(self) -> bool:
        """Return False: no call is cancelled here."""
        return False

    Get_elements = Get_count
    source, tag, error = property(Get_source), property(Get_tag), property(Get_error)
    count, cancelled = property(Get_count), property(Is_cancelled)


def tell(status: Any, match: Match) -> None:
    """Write into a status of ours what a message was."""
    if isinstance(status, Status):
        put(status, "_mpi_match", match)


def _end_all(some: list[Request], name: str, statuses: list[Any]) -> tuple[list[Any], Any]:
    """Return whether all are over, and what they received."""
    for place, match in _wait_for(some, LOOK if name[0] in "Tt" else ALL, name):
        tell(statuses[place] if place < len(statuses) else None, match)
    is_over = not any(one._mpi_number for one in some)
    values = [one._mpi_value for one in some] if is_over else None
    return [] if name == "waitall" else [is_over], values


def _end_one(some: list[Request], name: str, statuses: list[Any]) -> tuple[list[Any], Any]:
    """Return the place of one that is over, for a test whether there is any, and what it received."""
    active = [(place, one) for place, one in enumerate(some) if one._mpi_number]
    done = [] if name[0] in "Tt" else _wait_for(some, FIRST, name)
    for place, one in active if name[0] in "Tt" else []:
        if found := _wait_for([one], LOOK, name):
            done = [(place, found[0][1])]
            break
    for place, match in done:
        tell(statuses[0] if statuses else None, match)
        return [place, True] if name[0] in "Tt" else [place], some[place]._mpi_value
    return [_UNKNOWN, not active] if name[0] in "Tt" else [_UNKNOWN], None


def _end_some(some: list[Request], name: str, statuses: list[Any]) -> tuple[list[Any], Any]:
    """Return the places of those that are over, and what they received; two times None if all were before."""
    if not any(one._mpi_number for one in some):
        return [None], None
    done = [] if name[0] in "Tt" else _wait_for(some, FIRST, name)
    done += _wait_for(some, LOOK, name)
    for status, (_, match) in zip(statuses, done, strict=False):
        tell(status, match)
    return [[place for place, _ in done]], [some[place]._mpi_value for place, _ in done]


_ENDS = {"all": _end_all, "any": _end_one, "some": _end_some}


def _several(name: str) -> Any:
    """Return the method `name`, which waits for requests or tests them; in lower case, with what they received."""

    def call(_cls: type, requests: Sequence[Request], statuses: Any = None, *, status: Any = None) -> Any:
        given = [status if statuses is None else statuses] if name[4:] == "any" else take_items(statuses or [])
        heads, value = _ENDS[name[4:]](_read(requests), name, given)
        found = [*heads, value] if name.islower() else heads
        return found[0] if len(found) == 1 else tuple(found)

    call.__name__, call.__doc__ = name, getattr(MPI.Request, name).__doc__
    return classmethod(call)


class Request(Firm, metaclass=_Named):
    """A call that may not be over; one that was never begun is."""

    __slots__ = ("_mpi_finish", "_mpi_link", "_mpi_number", "_mpi_value")
    _mpi_finish: Callable[[Match], Any]
    _mpi_link: Link
    _mpi_number: int
    _mpi_value: Any

    def __init__(self) -> None:
        _fill(self, None, 0, None)

    def __getattr__(self, name: str) -> NoReturn:
        _refuse(type(self).__name__, name)

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

    def Free(self) -> None:
        """Ask for its end no more: a message that was sent arrives all the same."""
        put(self, "_mpi_number", 0)

    free = Free

    Waitall, waitall, Testall, testall = map(_several, ("Waitall", "waitall", "Testall", "testall"))
    Waitany, waitany, Testany, testany = map(_several, ("Waitany", "waitany", "Testany", "testany"))
    Waitsome, waitsome, Testsome, testsome = map(_several, ("Waitsome", "waitsome", "Testsome", "testsome"))


class Prequest(Request):
    """A call that is begun again and again."""

    __slots__ = ("_mpi_begin",)
    _mpi_begin: Callable[[], Request]

    def Start(self) -> None:
        """Begin it once more."""
        begun_now = self._mpi_begin()
        _fill(self, begun_now._mpi_link, begun_now._mpi_number, begun_now._mpi_finish)

    @classmethod
    def Startall(cls, requests: Sequence[Prequest]) -> None:
        """Begin all of them once more."""
        for request in take_items(requests):
            request.Start()


def _fill(request: Request, link: Link | None, number: int, finish: Callable[[Match], Any] | None) -> None:
    for name, value in (("link", link), ("number", number), ("finish", finish), ("value", None)):
        put(request, f"_mpi_{name}", value)


def begun(link: Link, number: int, finish: Callable[[Match], Any]) -> Request:
    """Return the request of a call that was announced; `finish` does what is left when it has its partner."""
    request = Request()
    _fill(request, link, number, finish)
    return request


def prepared(begin: Callable[[], Request]) -> Prequest:
    """Return a request that `begin` begins, as often as it is started."""
    request = Prequest()
    put(request, "_mpi_begin", begin)
    return request


def _read(requests: Sequence[Request]) -> list[Request]:
    """Return the requests in a list, read once.

    Raises:
        TypeError: something else is among them.
    """
    some = take_items(requests)
    for request in some:
        if not isinstance(request, Request):
            raise TypeError(f"expected Request, got {type(request).__name__}")
    return some


def _wait_for(requests: list[Request], how: str, name: str, statuses: Any = None) -> Done:
    """Wait, finish what is over, and return its places and partners; those that were begun no more count as over."""
    open_ones = {one._mpi_number: (place, one) for place, one in enumerate(requests) if one._mpi_number}
    if not open_ones:
        return []
    told = take_items(statuses or [])
    found = next(iter(open_ones.values()))[1]._mpi_link.wait(tuple(open_ones), name, how)
    done = []
    for number, match in found.items():
        place, request = open_ones[number]
        put(request, "_mpi_value", request._mpi_finish(match))
        put(request, "_mpi_number", 0)
        if place < len(told):
            tell(told[place], match)
        done.append((place, match))
    return done
