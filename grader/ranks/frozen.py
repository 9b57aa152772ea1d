"""Objects that take no attributes: whatever of MPI a function is handed is as firm as mpi4py's own types written in C.

A class that inherits from one of ours would be taken for a communicator or a request wherever these are asked for, so
that there are none besides ours, once a rank has sealed them.
"""

from __future__ import annotations

from typing import Any, NoReturn

from mpi4py import MPI

from grader.worker.sliced.book import current


class Unfollowed(Exception):  # noqa: N818 - an event: a person has to look
    """The call is MPI's, and this tracer does not know it."""


put = object.__setattr__
"""Sets a field of an object of ours; only our own code has it."""


def _refuse(owner: str, name: str, kind: type[Exception]) -> NoReturn:
    """Keep that a slice tried to change something, and raise what mpi4py raises."""
    current.book.refuse(f"MPI.{owner}.{name} =")
    raise kind(f"cannot change {name!r} of MPI.{owner}")


class Frozen(type):
    """A class whose attributes stay as they were defined."""

    is_sealed = False
    """Whether no further class may inherit from these."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        """Make a class, unless they are sealed.

        Raises:
            Unfollowed: they are; what a class of a submission does with a communicator, a person reads.
        """
        if Frozen.is_sealed:
            raise Unfollowed(f"a class {name} derived from {bases[0].__name__}")
        return super().__new__(cls, name, bases, body)

    def __setattr__(cls, name: str, value: Any) -> NoReturn:
        _refuse(cls.__name__, name, TypeError)

    def __delattr__(cls, name: str) -> NoReturn:
        _refuse(cls.__name__, name, TypeError)


class Firm(metaclass=Frozen):
    """An object whose fields only our own code sets, by `put`."""

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        _refuse(type(self).__name__, name, AttributeError)

    def __delattr__(self, name: str) -> NoReturn:
        _refuse(type(self).__name__, name, AttributeError)


class _Datatype(MPI.Datatype):  # type: ignore[misc] # a class written in C
    """A type of numbers whose name cannot be set, which mpi4py's own allows."""

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        _refuse("Datatype", name, AttributeError)


def freeze_datatypes() -> None:
    """Put types of numbers that cannot be changed in the place of mpi4py's."""
    for name, value in vars(MPI).copy().items():
        if type(value) is MPI.Datatype and value != MPI.DATATYPE_NULL:
            setattr(MPI, name, _Datatype(value))
