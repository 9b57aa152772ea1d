"""Objects that take no attributes: whatever of MPI a function is handed is as firm as mpi4py's own types written in C.

A class that inherits from one of ours would be taken for a communicator or a request wherever these are asked for, so
that there are none besides ours, once a rank has sealed them.
"""

from __future__ import annotations

from typing import Any, NoReturn

from mpi4py import MPI

from grader.worker.sliced.book import current

DATATYPE = MPI.Datatype
"""mpi4py's own: a submission finds ours in its place."""


class Unfollowed(Exception):  # noqa: N818 - an event: a person has to look
    """The call is MPI's, and this tracer does not know it."""


put = object.__setattr__
"""Sets a field of an object of ours; only our own code has it."""


def _refuse(owner: str, name: str, kind: type[Exception]) -> NoReturn:
    """Keep that a slice tried to change something, and raise what mpi4py raises."""
    current.book.refuse(f"MPI.{owner}.{name} =")
    raise kind(f"cannot change {name!r} of MPI.{owner}")


class Frozen(type):
    """A class whose attributes stay as they were defined, once they are sealed."""

    is_sealed = False
    """Whether no further class may inherit from these, and none of their attributes be changed."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        """Make a class, unless they are sealed.

        Raises:
            Unfollowed: they are; what a class of a submission does with a communicator, a person reads.
        """
        if Frozen.is_sealed:
            raise Unfollowed(f"a class {name} derived from {bases[0].__name__}")
        return super().__new__(cls, name, bases, body)

    def __setattr__(cls, name: str, value: Any) -> None:
        if Frozen.is_sealed:
            _refuse(cls.__name__, name, TypeError)
        super().__setattr__(name, value)

    def __delattr__(cls, name: str) -> NoReturn:
        _refuse(cls.__name__, name, TypeError)


class Firm(metaclass=Frozen):
    """An object whose fields only our own code sets, by `put`, once these are sealed."""

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        if Frozen.is_sealed:
            _refuse(type(self).__name__, name, AttributeError)
        put(self, name, value)

    def __delattr__(self, name: str) -> NoReturn:
        _refuse(type(self).__name__, name, AttributeError)


def seal() -> None:
    """Let nothing of MPI be changed from now on: a submission runs here."""
    if not Frozen.is_sealed:
        for name, value in vars(MPI).copy().items():
            if type(value) is DATATYPE and value != MPI.DATATYPE_NULL:  # mpi4py's own let their name be set
                setattr(MPI, name, Datatype(value))
        MPI.Datatype = Datatype  # a type of a submission's own could lie about its size
        Frozen.is_sealed = True  # once: after Numba is imported, classes of ours are immutable


class Datatype(Firm, MPI.Datatype):  # type: ignore[misc] # a class written in C
    """A type of numbers whose name cannot be set."""

    __slots__ = ()
