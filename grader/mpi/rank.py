"""The program of one rank: start MPI, get a function, call it with a traced communicator, and send the result.

As in `grader.worker.child`, our own imports come first and student code last.
"""

import os
import runpy
import secrets
import signal
import socket
import sys
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from grader.mpi.calls import ARENA_BYTES, LOG_FD, At, Ended, Ready, Run
from grader.mpi.link import Exchange, Link
from grader.worker import wire
from grader.worker.channel import Closed
from grader.worker.child import answer, open_files, redirect_prints
from grader.worker.launcher import Settings, read_settings
from grader.worker.sliced.calllog import CallLog, current, find_line


class Here(NamedTuple):
    """The first argument of a staff function; rank and size come from the coordinator, not from `comm`."""

    comm: Any
    rank: int
    size: int
    link: Link

    def exchange(self, known: Any, others: Any) -> Any:
        """Let this rank receive a number of `others` wherever it is sent the one of `known` at the same place.

        Args:
            known: Different numbers, as float64, which other ranks may send.
            others: As many other numbers.

        Returns:
            An array of truth values: which of the numbers have come; it changes during the run.
        """
        self.link.exchange = Exchange(known, others)
        return self.link.exchange.arrived


class Rank:
    """One rank, ready to call functions."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        channel, number = socket.socket(fileno=settings.channel_fd), int(os.environ["PMI_RANK"])
        self.link = Link(channel, int(os.environ.pop(LOG_FD)), number)
        self._inbound = wire.Arena(settings.arena_in_fd, ARENA_BYTES)
        self._outbound = wire.Arena(settings.arena_out_fd, ARENA_BYTES)
        self._worlds: dict[int, Any] = {}
        self._world: Any = None
        self._mark = bytearray(secrets.token_bytes(16))
        signal.signal(signal.SIGUSR1, lambda *_: self.link.send(At(find_line(self.link.folder))))

    def start_mpi(self) -> str:
        """Start MPI and make a communicator of each number of ranks; return a problem, or an empty text."""
        import mpi4py

        mpi4py.rc.initialize = mpi4py.rc.finalize = False
        from mpi4py import MPI

        from grader.mpi.communicator import replace_library

        MPI.Init()
        world = MPI.COMM_WORLD
        if world.Get_size() != int(os.environ["PMI_SIZE"]):
            return f"{MPI.Get_library_version().splitlines()[0]} does not start its ranks by PMI: install mpich"
        for size in range(1, world.Get_size() + 1):
            self._worlds[size] = world.Split(0 if self.link.rank < size else MPI.UNDEFINED)
            if self.link.rank < size:
                self._worlds[size].Set_name("MPI_COMM_WORLD")
        world.Bcast(self._mark)
        self._world = replace_library(self.link)
        return ""

    def run(self, run: Run) -> Ended:
        """Call a function with the traced communicator and return its result."""
        from grader.mpi.communicator import set_world
        from grader.mpi.objects import seal

        settings = self._settings
        if run.is_sealed:
            seal(bytes(self._mark) if settings.slices else b"")
        set_world(self._world, self._worlds[run.size], run.size)
        self.link.reset(str(settings.submission))
        current.log = CallLog(full=False)  # refusals of an earlier run do not count in this one
        began_s = time.process_time()
        here = Here(self._world, self.link.rank, run.size, self.link)
        request = wire.Request(0, run.module, run.function, run.args)
        reply = answer(request, settings, self._inbound, self._outbound, first=(here,))
        cpu_s, received_bytes = time.process_time() - began_s, self.link.received_bytes
        refused = tuple(current.log.refused if settings.slices else ())
        return Ended(reply.value, reply.raised, cpu_s, refused=refused, received_bytes=received_bytes)


def run_program(_here: Any, path: str, arguments: Sequence[str]) -> dict[str, Any]:
    """Run a file as the main program; its `MPI.COMM_WORLD` is the traced communicator already."""
    sys.argv = [path, *arguments]
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    if sys.stdout is not None:
        sys.stdout.reconfigure(line_buffering=True)  # so that lines of several ranks do not run into each other
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        if end.code:
            raise
    return {}


def main() -> None:
    """Serve runs until the coordinator closes the channel."""
    settings = read_settings(sys.argv.pop())  # programs get no arguments
    rank = Rank(settings)
    prints = redirect_prints(1)
    try:
        problem = rank.start_mpi()
    except Exception as error:  # noqa: BLE001 - whatever a library raises, no student code has run
        problem = f"{type(error).__name__}: {error}"
    open_files(settings)
    rank.link.send(Ready(problem))
    while True:
        try:
            order = rank.link.receive()
        except Closed:
            return
        prints.reset()
        ended = rank.run(order)
        try:
            rank.link.send(ended)
        except wire.WireError as error:  # the value is too long for a message
            rank.link.send(Ended(raised=wire.Raised("WireError", str(error))))


if __name__ == "__main__":
    main()
    os._exit(0)  # do not wait for student threads and exit handlers
