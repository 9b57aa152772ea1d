"""Requests, messages that a probe took, and statuses, which calls return that do not wait; used as in mpi4py.

Their classes are derived from mpi4py's. Calls that wait for several requests also accept the library's among ours.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from mpi4py import MPI

from grader.mpi.calls import ALL, FIRST, LOOK, NOBODY, Match
from grader.mpi.link import Begun
from grader.mpi.objects import Firm, Unfollowed, put, read_spec, take_items

_REQUEST, _MESSAGE, _STATUS = MPI.Request, MPI.Message, MPI.Status  # mpi4py's own classes; a rank replaces them by ours
_NAP_S = 0.0001

Done = list[tuple[int, Match]]  # indices of requests that are over, and the messages that they found


class Status(Firm, MPI.Status):  # type: ignore[misc] # a class written in C
    """The sender of a message, its tag, and its length."""

    __slots__ = ()


def write_status(status: Any, match: Match) -> None:
    """Write sender, tag and length of a message into a status."""
    if isinstance(status, _STATUS):
        _STATUS.Set_source(status, match.source)
        _STATUS.Set_tag(status, MPI.ANY_TAG if match.source == NOBODY else match.tag)
        _STATUS.Set_elements(status, MPI.BYTE, match.size_bytes)
        _STATUS.Set_error(status, MPI.SUCCESS)


class _Pending(Firm):
    """An object with a call that may not be over; without a call, it is over, or the library's own."""

    __slots__ = ()
    _mpi_call: Begun | None

    def __new__(cls, of_library: Any = None) -> Any:
        """Return an object without a call, or one for an object of the library."""
        library = _REQUEST if issubclass(cls, _REQUEST) else _MESSAGE  # `Prequest` has further bases of mpi4py's
        return library.__new__(cls, of_library)

    def __bool__(self) -> bool:
        return _is_held(self) or super().__bool__()  # type: ignore[misc] # of the class written in C

    def __eq__(self, other: object) -> bool:
        return self is other or not (_is_held(self) or _is_held(other) or super().__ne__(other))

    def __ne__(self, other: object) -> bool:
        return not self == other  # the class written in C has its own

    __hash__ = object.__hash__


def _call_of(request: Any) -> Begun | None:
    return getattr(request, "_mpi_call", None)


def _is_held(request: Any) -> bool:
    """Return whether it is ours, and under way, or can begin again."""
    return bool(_call_of(request) or getattr(request, "_mpi_begin", None))


def _is_open(request: Any) -> bool:
    return bool(_call_of(request)) or _REQUEST.__bool__(request)


def _ending(name: str) -> Any:
    """Return the method `name`, which waits for requests or tests them; in lower case, it returns received objects."""
    tests, which = name[0] in "Tt", name[4:]
    how = LOOK if tests else FIRST if which in {"any", "some"} else ALL

    def call(_cls: type, requests: Sequence[Request], statuses: Any = None, *, status: Any = None) -> Any:
        some = take_items(requests)
        if wrong := [type(request).__name__ for request in some if not isinstance(request, _REQUEST)]:
            raise TypeError(f"expected Request, got {wrong[0]}")
        if which == "all" and isinstance(statuses, list):
            list.extend(statuses, (Status() for _ in range(len(some) - list.__len__(statuses))))
        is_active = any(map(_is_open, some))
        done = _wait_for(some, how, name, most=1 if which == "any" else len(some))
        if which == "some" and not tests:
            done += _wait_for(some, LOOK, name, most=len(some))
        targets = [status if statuses is None else statuses] if which == "any" else take_items(statuses or [])
        for order, (place, match) in enumerate(done):
            at = place if which == "all" else order
            write_status(targets[at] if at < len(targets) else None, match)
        answer = _answer(name, [place for place, _ in done], some, is_active)
        answer = answer if name.islower() else answer[:-1] or [True]
        return answer[0] if len(answer) == 1 else tuple(answer)

    def call_alone(self: Request, status: Any = None) -> Any:
        return call(type(self), [self], [status])

    method: Any = call if which else call_alone
    method.__name__, method.__doc__ = name, getattr(MPI.Request, name).__doc__
    return classmethod(method) if which else method


def _answer(name: str, places: list[int], some: list[Any], is_active: bool) -> list[Any]:
    """Return the result of the method `name` for requests that are over, at `places`; last, what these received."""
    tests, which = name[0] in "Tt", name[4:]
    values = [getattr(request, "_mpi_value", None) for request in some]
    if which == "some":
        return [places, [values[place] for place in places]] if is_active else [None, None]
    if which == "any":
        place, value = (places[0], values[places[0]]) if places else (int(MPI.UNDEFINED), None)
        return [place, bool(places) or not is_active, value] if tests else [place, value]
    is_over = not any(map(_is_open, some))
    received = (values if which else values[0]) if is_over else None
    return [is_over, received] if tests else [received]


class Request(_Pending, MPI.Request):  # type: ignore[misc] # a class written in C
    """A request; it is over if its call never began."""

    __slots__ = ("_mpi_call", "_mpi_value")

    wait, Wait, test, Test = map(_ending, ("wait", "Wait", "test", "Test"))
    Waitall, waitall, Testall, testall = map(_ending, ("Waitall", "waitall", "Testall", "testall"))
    Waitany, waitany, Testany, testany = map(_ending, ("Waitany", "waitany", "Testany", "testany"))
    Waitsome, waitsome, Testsome, testsome = map(_ending, ("Waitsome", "waitsome", "Testsome", "testsome"))

    def Get_status(self, status: Any = None) -> bool:
        """Return whether it is over, without completing it."""
        if (call := _call_of(self)) is None:
            return bool(_REQUEST.Get_status(self, status))
        is_over = bool(call.link.wait([call], LOOK, "Get_status"))
        if is_over:
            write_status(status, call.match)
        return is_over

    def Free(self) -> None:
        """Forget its call; a message that was sent arrives nevertheless."""
        put(self, "_mpi_call", None)

    def Cancel(self) -> NoReturn:
        """Refuse to cancel it."""
        raise Unfollowed("Request.Cancel")

    free, get_status, cancel = Free, Get_status, Cancel


class Prequest(Request, MPI.Prequest):  # type: ignore[misc] # the same
    """A request whose call can begin again and again."""

    __slots__ = ("_mpi_begin",)
    _mpi_begin: Callable[[], Request] | None  # begins the call, at each start

    def Start(self) -> None:
        """Begin the call once more."""
        if begin := getattr(self, "_mpi_begin", None):
            put(self, "_mpi_call", begin()._mpi_call)
        else:
            super().Start()

    def Free(self) -> None:
        """Forget the call, so that it cannot begin any more."""
        super().Free()
        put(self, "_mpi_begin", None)

    free = Free

    @classmethod
    def Startall(cls, requests: Sequence[Prequest]) -> None:
        """Begin the calls of all requests once more."""
        for request in take_items(requests):
            request.Start()


def _of_comm(name: str) -> Any:
    """Return a class method that calls the method `name` of its communicator."""
    return classmethod(lambda _cls, comm, *args, **options: getattr(comm, name)(*args, **options))


class Message(_Pending, MPI.Message):  # type: ignore[misc] # a class written in C
    """A message that a probe has taken, and that is still to be received."""

    __slots__ = ("_mpi_call",)
    Probe, Iprobe, probe, iprobe = map(_of_comm, ("Mprobe", "Improbe", "mprobe", "improbe"))

    def Irecv(self, buf: Any) -> Any:
        """Begin to receive it into a buffer."""
        return self._mpi_receive(read_spec(buf))

    def irecv(self) -> Any:
        """Begin to receive it as an object."""
        return self._mpi_receive(None)

    def Recv(self, buf: Any, status: Any = None) -> None:
        """Receive it into a buffer."""
        self.Irecv(buf).Wait(status)

    def recv(self, status: Any = None) -> Any:
        """Receive it as an object, and return that."""
        return self.irecv().wait(status)

    def _mpi_receive(self, room: Any) -> Any:
        if (call := _call_of(self)) is None:
            raise MPI.Exception(MPI.ERR_REQUEST)
        put(self, "_mpi_call", None)
        return begun(call.receive(room))  # type: ignore[attr-defined] # a probe took it


def begun(call: Begun, kind: type = Request) -> Any:
    """Return the request, or the message, of a call that was announced."""
    made = kind()
    put(made, "_mpi_call", call)
    return made


def _wait_for(requests: Sequence[Any], how: str, name: str, *, most: int) -> Done:
    """Wait, finish at most `most` requests that are over, and return their indices and messages."""
    calls = {place: call for place, request in enumerate(requests) if (call := _call_of(request))}
    others = [place for place, request in enumerate(requests) if place not in calls and _is_open(request)]
    announced = {call.number: place for place, call in calls.items()}
    done: Done = []
    while (announced or others) and not done:
        if announced:
            link = next(iter(calls.values())).link
            over = link.wait([*calls.values()], LOOK if others and how == FIRST else how, name)
            done = [(announced[call.number], call.match) for call in over[:most]]
            for place, _ in done:
                put(requests[place], "_mpi_value", calls[place].finish())
                put(requests[place], "_mpi_call", None)
        for place in others[: most - len(done)]:
            done += _finish_other(requests[place], place, how)
        if how != FIRST or not others:
            break
        time.sleep(_NAP_S)
    return done


def _finish_other(request: Any, place: int, how: str) -> Done:
    """Wait for a request of the library, or test it."""
    status = _STATUS()
    is_over, value = (True, _REQUEST.wait(request, status)) if how == ALL else _REQUEST.test(request, status)
    if is_over and isinstance(request, Request):
        put(request, "_mpi_value", value)
    size = max(status.Get_count(MPI.BYTE), 0)
    return [(place, Match(0, status.source, status.tag, size_bytes=size))] if is_over else []
