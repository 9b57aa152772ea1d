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

from grader.ranks.calls import ARENA_BYTES, Event, Order, Ready
from grader.ranks.pmi import Pmi, rank_environment
from grader.worker import wire
from grader.worker.channel import Channel, Closed, new_arena
from grader.worker.launcher import Settings, start_text

_START_LIMIT_S = 60.0
_SHARED = "/dev/shm/mpich"  # noqa: S108 - what MPICH calls its shared memory
_TICKS = os.sysconf("SC_CLK_TCK")


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
        self._lines: dict[int, Channel[Event]] = {}
        self._starts: dict[int, socket.socket] = {}

    def start(self) -> None:
        """Start all ranks, and return when they are ready.

        Raises:
            NotStarted: one could not be started, in time or at all; none of them is left.
        """
        try:
            for rank in range(self.size):
                self.processes.append(self._start(rank))
            self._wait_until_ready()
        except (OSError, MemoryError) as error:
            self.close()
            raise NotStarted(f"{type(error).__name__}: {error}") from error
        except BaseException:
            self.close()
            raise

    def _start(self, rank: int) -> subprocess.Popen[bytes]:
        ours, theirs = socket.socketpair()
        self._lines[rank] = Channel[Event](ours, Event)
        self._starts[rank], pmi = socket.socketpair()
        (inbound, given), (outbound, returned) = new_arena(ARENA_BYTES), new_arena(ARENA_BYTES)
        self.arenas.append((given, returned))
        with theirs, pmi, inbound, outbound:
            settings = replace(
                self.settings,
                device="",  # a rank imports what its files name
                channel_fd=theirs.fileno(),
                arena_in_fd=inbound.fileno(),
                arena_out_fd=outbound.fileno(),
            )
            return subprocess.Popen(  # noqa: S603 - this interpreter and a program of ours, no shell
                [sys.executable, "-I", "-c", start_text("grader.ranks.rank"), settings.to_text()],
                env=rank_environment(rank, self.size, pmi.fileno()),
                pass_fds=[one.fileno() for one in (theirs, pmi, inbound, outbound)],
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
        if line := self._lines.get(rank):
            line.send(order)

    def ask_where(self, rank: int) -> None:
        """Let a rank say which line it executes, as soon as it can."""
        with contextlib.suppress(ProcessLookupError):
            self.processes[rank].send_signal(signal.SIGUSR1)

    def cpu_s(self, rank: int) -> float:
        """Return the processor time that a rank has had."""
        return sum(map(int, self._stat(rank)[11:13])) / _TICKS

    def is_asleep(self, rank: int) -> bool:
        """Return whether a rank waits for something, rather than for a processor."""
        return self._stat(rank)[:1] == [b"S"]

    def _stat(self, rank: int) -> list[bytes]:
        """Return what the system says of a rank from its state on; nothing of one that is gone."""
        try:
            return Path(f"/proc/{self.processes[rank].pid}/stat").read_bytes().rsplit(b")", 1)[1].split()
        except OSError:
            return []

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
        for one in [line.end for line in self._lines.values()] + [*self._starts.values()]:
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
            for event in self._lines[rank].receive_all():
                said.append((rank, event))  # noqa: PERF401 - what came before an error counts
        except (Closed, wire.WireError):
            self._lines.pop(rank).close()
            said.append((rank, None))
        return said
