"""The program of one rank: start MPI, take a function, call it with a traced communicator, say what came of it.

As in `grader.worker.child`, our own imports come first and student code last.
"""

from __future__ import annotations

import importlib
import os
import signal
import socket
import sys
import time
from typing import Any, NamedTuple

from grader.ranks.calls import At, Ended, Ready, Run
from grader.ranks.pmi import read_place
from grader.worker import wire
from grader.worker.launcher import Settings, read_settings

ARENA_BYTES = 128 << 20


class Here(NamedTuple):
    """What a function of the staff is given first; rank and size are the conductor's own, whatever `comm` says."""

    comm: Any
    rank: int
    size: int


class Rank:
    """One rank, ready to call functions."""

    def __init__(self, settings: Settings) -> None:
        from grader.ranks.link import Link

        self._settings = settings
        self._rank, self._size = read_place()
        self.link = Link(socket.socket(fileno=settings.channel_fd), self._rank)
        self._inbound = wire.Arena(settings.arena_in_fd, ARENA_BYTES)
        self._outbound = wire.Arena(settings.arena_out_fd, ARENA_BYTES)
        self._worlds: dict[int, Any] = {}
        self._world: Any = None
        signal.signal(signal.SIGUSR1, lambda *_: self.link.send(At(self.link.line())))

    def start_mpi(self) -> str:
        """Start MPI and make a communicator of each number of ranks; return what is wrong, empty for nothing."""
        import mpi4py

        mpi4py.rc.initialize = mpi4py.rc.finalize = False
        from mpi4py import MPI

        from grader.ranks.communicator import Cartesian, Communicator, make_communicator
        from grader.ranks.frozen import Frozen, freeze_datatypes
        from grader.ranks.messages import Line
        from grader.ranks.requests import Prequest, Request, Status

        MPI.Init()
        world = MPI.COMM_WORLD
        if world.Get_size() != self._size:
            return f"{MPI.Get_library_version().splitlines()[0]} does not start its ranks by PMI: install mpich"
        for size in range(1, self._size + 1):
            self._worlds[size] = world.Split(0 if self._rank < size else MPI.UNDEFINED)
        MPI.Request, MPI.Prequest, MPI.Status = Request, Prequest, Status
        MPI.REQUEST_NULL = Request()
        MPI.Comm = MPI.Intracomm = Communicator
        MPI.Cartcomm = Cartesian
        MPI.COMM_WORLD = self._world = make_communicator(Line(self.link, world, 0, tuple(range(self._size))))
        freeze_datatypes()
        Frozen.is_sealed = True
        return ""

    def open_files(self) -> None:
        """Make the submission's files importable: as slices, or as they are."""
        settings = self._settings
        if settings.slices:
            from grader.worker.sliced import worker as sliced

            sys.path.insert(0, str(settings.staff))
            sliced.open_slices(settings.submission, "cpu", observed=False)
        else:
            sys.path[:0] = [str(settings.submission), str(settings.staff)]

    def run(self, run: Run) -> Ended:
        """Call a function with the traced communicator and return what came of it."""
        from grader.worker.child import describe

        is_spoilt = run.spoil[0] == self._rank
        self.link.reset(str(self._settings.submission), run.spoil[1] if is_spoilt else 0)
        self._outbound.reset()
        self._forget_refused()
        began_s = time.process_time()
        try:
            args = wire.decode(run.args, self._inbound, copy=True)
            here = Here(self._communicator(run.size), self._rank, run.size)
            value = self._find(run)(here, *args)
            encoded = wire.encode(value, self._outbound)
            raised = None
        except BaseException as error:  # noqa: BLE001 - a rank's main loop: SystemExit and KeyboardInterrupt included
            encoded, raised = None, describe(error, self._settings.submission)
        cpu_s = time.process_time() - began_s
        return Ended(encoded, raised, cpu_s, refused=self._refused(), spoilt=self.link.spoilt)

    def _find(self, run: Run) -> Any:
        if self._settings.slices:
            from grader.worker.sliced.worker import load

            return getattr(load(run.module), run.function)
        return getattr(importlib.import_module(run.module), run.function)

    def _communicator(self, size: int) -> Any:
        """Return `MPI.COMM_WORLD`: one object for all runs, as a module may have bound it when it was imported."""
        from grader.ranks.frozen import put

        line = self._world._mpi_line._replace(real=self._worlds[size], members=tuple(range(size)))
        put(self._world, "_mpi_line", line)
        return self._world

    def _forget_refused(self) -> None:
        """Let what an earlier run asked for open no later one, which may be of another function."""
        if self._settings.slices:
            from grader.worker.sliced.book import Book, open_book

            open_book(Book(full=False))

    def _refused(self) -> tuple[str, ...]:
        found = list(self.link.refused)
        if self._settings.slices:
            from grader.worker.sliced.book import current

            found += current.book.refused
        return tuple(dict.fromkeys(found))


def main() -> None:
    """Serve runs until the conductor closes the channel."""
    rank = Rank(read_settings(sys.argv.pop()))  # programs are given no arguments
    from grader.worker.channel import Closed
    from grader.worker.output import redirect_prints

    prints = redirect_prints(1)
    try:
        problem = rank.start_mpi()
    except Exception as error:  # noqa: BLE001 - whatever a library raises, no student code has run
        problem = f"{type(error).__name__}: {error}"
    rank.open_files()
    rank.link.send(Ready(problem))
    while True:
        try:
            order = rank.link.receive()
        except Closed:
            return
        prints.reset()
        if isinstance(order, Run):
            rank.link.send(rank.run(order))


if __name__ == "__main__":
    main()
    os._exit(0)  # student threads and exit handlers have nobody left to work for
