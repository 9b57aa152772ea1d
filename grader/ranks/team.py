"""The processes of some ranks: started below this one, each with a line of its own, and ended together."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import IO

import msgspec

from grader.ranks.calls import Event, Order, Ready
from grader.ranks.pmi import Pmi, rank_environment
from grader.ranks.rank import ARENA_BYTES
from grader.worker import wire
from grader.worker.channel import Channel, Closed, new_arena
from grader.worker.launcher import Settings, start_text

_START_LIMIT_S = 60.0
_SHARED = "/dev/shm/mpich"  # noqa: S108 - what MPICH calls its shared memory
_TICKS = os.sysconf("SC_CLK_TCK")

_encode, _decode = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Event)


class NotStarted(Exception):  # noqa: N818 - an event: this machine cannot
    """The ranks could not be started; the text says why."""


class Team:
    """The ranks' processes, and what they say."""

    def __init__(self, size: int, settings: Settings) -> None:
        self.size = size
        self.settings = settings
        self.arenas: list[tuple[wire.Arena, wire.Arena]] = []
        """Of each rank: what it is given, and what it returns."""
        self.processes: list[subprocess.Popen[bytes]] = []
        self._pmi = Pmi(size)
        self._files: list[IO[bytes]] = []
        self._lines: dict[int, Channel] = {}
        self._starts: dict[int, socket.socket] = {}

    def start(self) -> None:
        """Start all ranks, and return when they are ready.

        Raises:
            NotStarted: one could not be started, in time or at all; none of them is left.
        """
        try:
            for rank in range(self.size):
                self.arenas.append((self._make_arena(), self._make_arena()))
                self.processes.append(self._start(rank))
            self._wait_until_ready()
        except (OSError, MemoryError) as error:
            self.close()
            raise NotStarted(f"{type(error).__name__}: {error}") from error
        except BaseException:
            self.close()
            raise

    def _make_arena(self) -> wire.Arena:
        file = new_arena(ARENA_BYTES)
        self._files.append(file)
        return wire.Arena(file.fileno(), ARENA_BYTES)

    def _start(self, rank: int) -> subprocess.Popen[bytes]:
        ours, theirs = socket.socketpair()
        self._lines[rank] = Channel(ours)
        self._starts[rank], pmi = socket.socketpair()
        given, returned = (file.fileno() for file in self._files[-2:])
        settings = replace(self.settings, channel_fd=theirs.fileno(), arena_in_fd=given, arena_out_fd=returned)
        with theirs, pmi:
            return subprocess.Popen(  # noqa: S603 - this interpreter and a program of ours, no shell
                [sys.executable, "-I", "-c", start_text("grader.ranks.rank"), settings.to_text()],
                env=rank_environment(rank, self.size, pmi.fileno()),
                pass_fds=[theirs.fileno(), pmi.fileno(), given, returned],
                stdin=subprocess.DEVNULL,
            )

    def _wait_until_ready(self) -> None:
        ready: set[int] = set()
        deadline = time.monotonic() + _START_LIMIT_S
        while len(ready) < self.size:
            for rank, event in self.listen(0.2):
                if not isinstance(event, Ready) or event.problem:
                    problem = event.problem if isinstance(event, Ready) else "it ended at once"
                    raise NotStarted(f"rank {rank} did not start: {problem}")
                ready.add(rank)
            if time.monotonic() > deadline:
                raise NotStarted(f"only {len(ready)} of {self.size} ranks started within {_START_LIMIT_S:.0f} s")
        self._unname_memory()

    def listen(self, limit_s: float) -> list[tuple[int, Event | None]]:
        """Return what the ranks say within `limit_s` or as soon as one says something; None for one that is gone."""
        channels = {line.fileno(): rank for rank, line in self._lines.items()}
        starts = {line.fileno(): rank for rank, line in self._starts.items()}
        said: list[tuple[int, Event | None]] = []
        for descriptor in select.select([*channels, *starts], [], [], limit_s)[0]:
            if descriptor in starts:
                rank = starts[descriptor]
                if not self._pmi.serve(self._starts[rank]):
                    self._starts.pop(rank).close()
            else:
                said += self._read(channels[descriptor])
        return said

    def tell(self, rank: int, order: Order) -> None:
        """Tell a rank something; one that is gone will be noticed by `listen`."""
        with contextlib.suppress(OSError, KeyError):
            self._lines[rank].send(_encode.encode(order))

    def ask_where(self, rank: int) -> None:
        """Let a rank say which line it executes, as soon as it can."""
        with contextlib.suppress(ProcessLookupError):
            self.processes[rank].send_signal(signal.SIGUSR1)

    def cpu_s(self, rank: int) -> float:
        """Return the processor time that a rank has had."""
        try:
            fields = Path(f"/proc/{self.processes[rank].pid}/stat").read_bytes().rsplit(b")", 1)[1].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def is_asleep(self, rank: int) -> bool:
        """Return whether a rank waits for something, rather than for a processor."""
        try:
            stat = Path(f"/proc/{self.processes[rank].pid}/stat").read_bytes()
        except OSError:
            return False
        return stat.rsplit(b")", 1)[1].split()[0] == b"S"

    def is_alive(self) -> bool:
        """Return whether all ranks are there."""
        return all(process.poll() is None for process in self.processes)

    def how_it_ended(self, rank: int) -> str:
        """Return how a rank that is gone ended."""
        try:
            code = self.processes[rank].wait(2)
        except subprocess.TimeoutExpired:
            return "it closed its line"
        if code >= 0:
            return f"it ended with exit code {code}"
        names = {one.value: one.name for one in signal.Signals}  # real-time signals have none
        return f"it was ended by {names.get(-code, f'signal {-code}')}"

    def close(self) -> None:
        """End all ranks."""
        self._unname_memory()
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()
        held: list[Channel | socket.socket | IO[bytes]] = [*self._lines.values(), *self._starts.values(), *self._files]
        for one in held:
            one.close()

    def _unname_memory(self) -> None:
        """Remove the names of the library's shared memory: it goes when the last rank does, however that ends."""
        for process in self.processes:
            with contextlib.suppress(OSError):
                mapped = Path(f"/proc/{process.pid}/maps").read_text("utf-8")
                for name in {line.split()[-1] for line in mapped.splitlines() if _SHARED in line}:
                    Path(name).unlink(missing_ok=True)

    def _read(self, rank: int) -> list[tuple[int, Event | None]]:
        said: list[tuple[int, Event | None]] = []
        try:
            for body in self._lines[rank].receive_all():
                said.append((rank, _decode.decode(body)))  # noqa: PERF401 - what came before an error counts
        except (Closed, wire.WireError):
            self._lines.pop(rank).close()
            said.append((rank, None))
        return said
