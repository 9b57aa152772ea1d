"""The processes of some ranks: children of this process, each with a channel of its own, and ended together."""

import contextlib
import functools
import os
import secrets
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from grader.mpi.calls import ARENA_BYTES, LOG_FD, Event, Ready, Record, Run
from grader.worker import wire
from grader.worker.channel import Channel, Closed, FileEnd, new_arena, new_file
from grader.worker.launcher import Settings, start_text

_START_LIMIT_S = 60.0
_SHARED = "/dev/shm/mpich"  # noqa: S108 - what MPICH calls its shared memory
_TICKS = os.sysconf("SC_CLK_TCK")


class NotStarted(Exception):  # noqa: N818 - an event: this machine cannot
    """The ranks could not be started; the text says why."""


class RankPool:
    """The ranks' processes, their logs and their messages."""

    def __init__(self, size: int, settings: Settings) -> None:
        self.size = size
        self.settings = settings
        self.arenas: list[tuple[wire.Arena, wire.Arena]] = []
        """For each rank, the arena of its arguments, and that of its results."""
        self.processes: list[subprocess.Popen[bytes]] = []
        self._pmi = Pmi(size)
        self._lines: dict[int, Channel[Event]] = {}
        self._files: list[BinaryIO] = []  # the ranks' logs
        self._ends: list[FileEnd] = []
        self._logs: list[Channel[Record]] = []
        self._open = selectors.DefaultSelector()
        """The channels of the ranks, and of the library's questions, each with the function that reads it."""

    def start(self) -> None:
        """Start all ranks, and return when they are ready.

        Raises:
            NotStarted: a rank could not be started, in time or at all; no rank is left.
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
        self._lines[rank] = line = Channel[Event](ours, Event)
        self._open.register(line, selectors.EVENT_READ, functools.partial(self._read, rank))
        asks, pmi = socket.socketpair()
        self._open.register(asks, selectors.EVENT_READ, functools.partial(self._serve, asks))
        (inbound, arguments), (outbound, returned) = new_arena(ARENA_BYTES), new_arena(ARENA_BYTES)
        self.arenas.append((arguments, returned))
        self._files.append(new_file("grader-log"))
        with theirs, pmi, inbound, outbound:
            settings = replace(
                self.settings, channel_fd=theirs.fileno(), arena_in_fd=inbound.fileno(), arena_out_fd=outbound.fileno()
            )
            return subprocess.Popen(  # noqa: S603 - this interpreter and a program of ours, no shell
                [sys.executable, "-I", "-c", start_text("grader.mpi.rank"), settings.to_text()],
                env=rank_environment(rank, self.size, pmi.fileno()) | {LOG_FD: str(self._files[rank].fileno())},
                pass_fds=[end.fileno() for end in (theirs, pmi, inbound, outbound, self._files[rank])],
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

    def clear_logs(self) -> None:
        """Empty the logs, for a new run."""
        for file in self._files:
            file.truncate(0)
        self._ends = [FileEnd(file.fileno()) for file in self._files]
        self._logs = [Channel[Record](end, Record) for end in self._ends]

    def written_bytes(self) -> list[int]:
        """Return how much each rank has written into its log in this run."""
        return [os.fstat(file.fileno()).st_size for file in self._files]

    def read_logs(self) -> list[tuple[int, Record | None]]:
        """Return the records since the last call of this method; None for a rank that wrote nonsense."""
        records: list[tuple[int, Record | None]] = []
        for rank, (size_bytes, end) in enumerate(zip(self.written_bytes(), self._ends, strict=True)):
            try:
                while end.at_bytes < size_bytes:
                    records += [(rank, record) for record in self._logs[rank].receive_all()]
            except (Closed, wire.WireError):
                records.append((rank, None))
        return records

    def listen(self, limit_s: float) -> list[tuple[int, Event | None]]:
        """Return the next messages of ranks, after `limit_s` at the latest; None for a rank that is gone."""
        return [event for key, _ in self._open.select(limit_s) for event in key.data()]

    def send(self, rank: int, order: Run) -> None:
        """Send an order to a rank; if it is gone, `listen` will notice."""
        if line := self._lines.get(rank):
            line.send(order)

    def ask_where(self, rank: int) -> None:
        """Ask a rank which line it executes; it answers as soon as it can."""
        with contextlib.suppress(ProcessLookupError):
            self.processes[rank].send_signal(signal.SIGUSR1)

    def cpu_s(self, rank: int) -> float:
        """Return the processor time that a rank has had."""
        return sum(map(int, self._stat(rank)[11:13])) / _TICKS

    def is_asleep(self, rank: int) -> bool:
        """Return whether a rank waits for something, rather than for a processor."""
        return self._stat(rank)[:1] == [b"S"]

    def _stat(self, rank: int) -> list[bytes]:
        """Return the fields of /proc/<pid>/stat of a rank, from its state on; empty for a rank that is gone."""
        try:
            return Path(f"/proc/{self.processes[rank].pid}/stat").read_bytes().rsplit(b")", 1)[1].split()
        except OSError:
            return []

    def is_alive(self) -> bool:
        """Return whether all ranks still run."""
        return all(process.poll() is None for process in self.processes)

    def how_it_ended(self, rank: int) -> str:
        """Return how a rank that is gone ended."""
        try:
            code = self.processes[rank].wait(2)
        except subprocess.TimeoutExpired:
            return "it closed its line"
        names = {-number.value: number.name for number in signal.Signals}  # real-time signals have none
        end = names.get(code, f"signal {-code}")
        return f"it ended with exit code {code}" if code >= 0 else f"it was ended by {end}"

    def close(self) -> None:
        """End all ranks."""
        self._unname_memory()
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()
        for key in [*self._open.get_map().values()]:
            self._close(key.fileobj)
        self._open.close()
        for file in self._files:
            file.close()

    def _unname_memory(self) -> None:
        """Remove the names of the library's shared memory: so it vanishes with the last rank, however that ends."""
        for process in self.processes:
            with contextlib.suppress(OSError):
                mapped = Path(f"/proc/{process.pid}/maps").read_text("utf-8")
                for name in {line.split()[-1] for line in mapped.splitlines() if _SHARED in line}:
                    Path(name).unlink(missing_ok=True)

    def _read(self, rank: int) -> list[tuple[int, Event | None]]:
        events: list[tuple[int, Event | None]] = []
        try:
            for event in self._lines[rank].receive_all():
                events.append((rank, event))  # noqa: PERF401 - what came before an error counts
        except (Closed, wire.WireError):
            self._close(self._lines.pop(rank))
            events.append((rank, None))
        return events

    def _serve(self, asks: socket.socket) -> list[tuple[int, Event | None]]:
        """Answer the questions of a rank's library; return no messages of the rank."""
        if not self._pmi.serve(asks):
            self._close(asks)
        return []

    def _close(self, end: Any) -> None:
        """Close the channel of a rank, or of its library."""
        self._open.unregister(end)
        end.close()


def rank_environment(rank: int, size: int, descriptor: int) -> dict[str, str]:
    """Return the environment in which MPICH starts as one of `size` ranks of this machine.

    Ranks share memory by System V segments, which vanish with their namespace or with the last process that has them.
    They open no network sockets and do not read each other's memory, because sandboxes refuse that. The C library wipes
    memory that is freed: what others sent would show in new arrays.
    """
    return {
        **os.environ,
        "MALLOC_PERTURB_": "255",
        "PMI_FD": str(descriptor),
        "PMI_RANK": str(rank),
        "PMI_SIZE": str(size),
        "MPIR_CVAR_CH4_NETMOD": "ucx",
        "MPIR_CVAR_CH4_CMA_ENABLE": "0",
        "UCX_TLS": "self,sysv",
        "UCX_LOG_LEVEL": "fatal",
    }


class Pmi:
    """Answers the questions of the ranks' libraries: has their common store of keys, and their barrier."""

    def __init__(self, size: int) -> None:
        self._size = size
        # the library also names its shared memory after it: memory of an earlier pool must not be taken for new
        name = f"ranks-{secrets.token_hex(8)}"
        self._answers = {
            "init": "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0",
            "get_maxes": "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024",
            "get_appnum": "cmd=appnum appnum=0",
            "get_my_kvsname": f"cmd=my_kvsname kvsname={name}",
            "get_universe_size": f"cmd=universe_size size={size}",
            "finalize": "cmd=finalize_ack",
        }
        self._store = {"PMI_process_mapping": f"(vector,(0,1,{size}))"}
        self._waiting: list[socket.socket] = []
        self._rest: dict[int, bytes] = {}

    def serve(self, channel: socket.socket) -> bool:
        """Answer what has come from one rank; return False when it has closed its end."""
        try:
            received = channel.recv(1 << 16)
        except ConnectionError:
            received = b""
        *lines, rest = (self._rest.get(channel.fileno(), b"") + received).split(b"\n")
        self._rest[channel.fileno()] = rest
        for line in lines:
            fields = dict(word.split("=", 1) for word in line.decode("ascii", "replace").split() if "=" in word)
            if answer := self._answer(fields, channel):
                _say(channel, answer)
        return bool(received)

    def _answer(self, fields: Mapping[str, str], channel: socket.socket) -> str:
        command, key = fields.get("cmd", ""), fields.get("key", "")
        if command == "put":
            self._store[key] = fields.get("value", "")
            return "cmd=put_result rc=0 msg=success"
        if command == "get" and key in self._store:
            return f"cmd=get_result rc=0 msg=success value={self._store[key]}"
        if command == "get":
            return "cmd=get_result rc=-1 msg=key_not_found value=unknown"
        if command == "barrier_in":
            self._waiting.append(channel)
            if len(self._waiting) == self._size:
                for waiting in self._waiting:
                    _say(waiting, "cmd=barrier_out")
                self._waiting = []
        return self._answers.get(command, "")


def _say(channel: socket.socket, line: str) -> None:
    with contextlib.suppress(OSError):  # `listen` notices by its channel that a rank is gone
        channel.sendall(f"{line}\n".encode())
