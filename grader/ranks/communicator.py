"""What functions are handed in place of mpi4py's communicator: the same calls, each announced before it is done.

Student code cannot reach the line behind it: objects have no attributes but these methods, and fields that no slice
can name (`grader/slices/privatenames.py`). Nor can it change them: see `frozen`.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from mpi4py import MPI

from grader.ranks.buffers import take_items
from grader.ranks.calls import COLLECTIVE, COLLECTIVES, NEAR, NOBODY, SYNC
from grader.ranks.collectives import array_calls, object_call
from grader.ranks.frozen import Firm, Unfollowed, put
from grader.ranks.messages import Line, message_call, prepared_call, probe_call

_MADE = {
    r"(?i)i?([sbr]?send(recv)?(_replace)?|recv)": message_call,
    r"(?i)i?probe": probe_call,
    r"([SBR]?send|Recv)_init": prepared_call,
}
"""Names of mpi4py's calls, and what makes them here."""


def _calls() -> dict[str, Callable[..., Any]]:
    """Return all methods that are made by rows."""
    names = dir(MPI.Intracomm)
    made = [make(name) for pattern, make in _MADE.items() for name in names if re.fullmatch(pattern, name)]
    for name, row in COLLECTIVES.items():
        if row.flow != NEAR:
            made += array_calls(name)
        if row.flow not in {NEAR, SYNC} and name.lower() in names:
            made.append(object_call(name.lower()))
    return {call.__name__: call for call in [*made, array_calls("barrier")[0]]}


class Communicator(Firm):
    """A communicator of some ranks."""

    __slots__ = ("_mpi_line",)
    _mpi_line: Line
    vars().update(_calls())

    def __init__(self, *_given: Any) -> None:
        raise Unfollowed("a communicator that is made of another")

    def Get_rank(self) -> int:
        """Return this rank."""
        return self._mpi_line.rank

    def Get_size(self) -> int:
        """Return the number of ranks."""
        return len(self._mpi_line.members)

    def Get_name(self) -> str:
        """Return the name that the library gives it, which is empty for communicators of one's own."""
        return "" if self._mpi_line.number else "MPI_COMM_WORLD"

    rank, size, name = property(Get_rank), property(Get_size), property(Get_name)

    def __getattr__(self, name: str) -> NoReturn:
        if not name.startswith("_") and hasattr(self._mpi_line.real, name):
            self._mpi_line.link.refused.append(f"comm.{name}")
        raise AttributeError(f"the communicator has no {name!r} here")

    def Split(self, color: int = 0, key: int = 0) -> Any:
        """Return the communicator of those that name the same colour."""
        colour = operator.index(color)
        if colour < 0 and colour != MPI.UNDEFINED:
            raise MPI.Exception(MPI.ERR_ARG)
        return self._mpi_divide("Split", NOBODY if colour < 0 else colour, operator.index(key))

    def Split_type(self, split_type: int, key: int = 0, info: Any = None) -> Any:
        """Return the communicator of those that share a machine: all ranks do."""
        del info
        colour = NOBODY if operator.index(split_type) == MPI.UNDEFINED else 0
        return self._mpi_divide("Split_type", colour, operator.index(key))

    def Dup(self, info: Any = None) -> Any:
        """Return another communicator of the same ranks."""
        del info
        return self._mpi_divide("Dup", 0, self.Get_rank())

    Clone = Dup

    @classmethod
    def Compare(cls, comm1: Communicator, comm2: Communicator) -> int:
        """Return whether two communicators are the same, or have the same ranks, in the same order or another."""
        one, other = comm1._mpi_line, comm2._mpi_line
        if one.number == other.number:
            return int(MPI.IDENT)
        if one.members == other.members:
            return int(MPI.CONGRUENT)
        return int(MPI.SIMILAR if {*one.members} == {*other.members} else MPI.UNEQUAL)

    def Is_inter(self) -> bool:
        """Return False: there is no other group."""
        return False

    def Is_intra(self) -> bool:
        """Return True: all ranks are of one group."""
        return True

    is_inter, is_intra = property(Is_inter), property(Is_intra)

    def Create_cart(self, dims: Any, periods: Any = None, reorder: Any = False) -> Any:
        """Return a communicator whose ranks stand in a grid; they keep their order."""
        del reorder
        lengths = [operator.index(length) for length in take_items(dims if hasattr(dims, "__len__") else [dims])]
        rings = take_items(periods if hasattr(periods, "__len__") else [periods] * len(lengths))
        if math.prod(lengths) > self.Get_size() or len(rings) != len(lengths) or min(lengths, default=0) < 1:
            raise MPI.Exception(MPI.ERR_DIMS)
        colour = 0 if self.Get_rank() < math.prod(lengths) else NOBODY
        made = self._mpi_divide("Create_cart", colour, self.Get_rank(), Cartesian)
        if colour != NOBODY:
            put(made, "_mpi_grid", (tuple(lengths), tuple(bool(ring) for ring in rings)))
        return made

    def Free(self) -> None:
        """Do nothing: a communicator is given back at the end."""

    def Abort(self, errorcode: int = 1) -> NoReturn:
        """End this rank."""
        raise SystemExit(errorcode)

    def _mpi_divide(self, name: str, colour: int, key: int, kind: type[Communicator] | None = None) -> Any:
        """Return the communicator of those that name the same colour, in the order of their keys; none for `NOBODY`."""
        number = self._mpi_line.link.begin(name, COLLECTIVE, comm=self._mpi_line.number, choice=(colour, key))
        match = self._mpi_line.link.wait((number,), name)[number]
        real = self._mpi_line.real.Split(MPI.UNDEFINED if colour == NOBODY else colour, key)
        if not match.members:
            return MPI.COMM_NULL
        return make_communicator(Line(self._mpi_line.link, real, match.comm, match.members), kind or Communicator)


class Cartesian(Communicator):
    """A communicator whose ranks stand in a grid, the last direction fastest."""

    __slots__ = ("_mpi_grid",)
    _mpi_grid: tuple[tuple[int, ...], tuple[bool, ...]]

    def Get_dim(self) -> int:
        """Return the number of directions."""
        return len(self._mpi_grid[0])

    def Get_coords(self, rank: int) -> list[int]:
        """Return where a rank stands."""
        return [int(place) for place in np.unravel_index(rank, self._mpi_grid[0])]

    def Get_cart_rank(self, coords: Any) -> int:
        """Return the rank that stands there; directions that are rings go round.

        Raises:
            MPI.Exception: there is none.
        """
        rank, places = 0, [operator.index(place) for place in take_items(coords)]
        for place, length, is_ring in zip(places, *self._mpi_grid, strict=True):
            if not is_ring and not 0 <= place < length:
                raise MPI.Exception(MPI.ERR_ARG)
            rank = rank * length + place % length
        return rank

    def Get_topo(self) -> tuple[list[int], list[bool], list[int]]:
        """Return the lengths of all directions, which of them are rings, and where this rank stands."""
        return [*self._mpi_grid[0]], [*self._mpi_grid[1]], self.Get_coords(self.Get_rank())

    def Shift(self, direction: int, disp: int) -> tuple[int, int]:
        """Return the ranks that are so far before and behind this one; `MPI.PROC_NULL` beyond an end."""
        return self._mpi_neighbour(direction, -disp), self._mpi_neighbour(direction, disp)

    def Sub(self, remain_dims: Any) -> Any:
        """Return the grid of the ranks that differ from this one in the remaining directions only."""
        remains, (lengths, rings) = take_items(remain_dims), self._mpi_grid
        colour, key = 0, 0
        for place, length, is_kept in zip(self.Get_coords(self.Get_rank()), lengths, remains, strict=True):
            colour, key = (colour, key * length + place) if is_kept else (colour * length + place, key)
        made = self._mpi_divide("Sub", colour, key, Cartesian)
        kept = [place for place, is_kept in enumerate(remains) if is_kept]
        put(made, "_mpi_grid", (tuple(lengths[place] for place in kept), tuple(rings[place] for place in kept)))
        return made

    ndim = dim = property(Get_dim)
    topo = property(Get_topo)
    dims = property(lambda self: self.Get_topo()[0])
    periods = property(lambda self: self.Get_topo()[1])
    coords = property(lambda self: self.Get_topo()[2])

    def _mpi_neighbour(self, direction: int, step: int) -> int:
        coords = self.Get_coords(self.Get_rank())
        coords[direction] += step
        try:
            return self.Get_cart_rank(coords)
        except MPI.Exception:
            return int(MPI.PROC_NULL)


def make_communicator(line: Line, kind: type[Communicator] = Communicator) -> Any:
    """Return a communicator that works with `line`."""
    made = kind.__new__(kind)
    put(made, "_mpi_line", line)
    return made
