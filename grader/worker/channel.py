"""Messages between two processes, of a declared type and with their lengths before them, and memory that both map.

All messages to and from workers and MPI ranks go through this module, on both sides.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Generic, TypeVar

import msgspec

from grader.worker.wire import ARENA_BYTES, Arena, FileArena, WireError

MAX_MESSAGE_BYTES = 32 << 20
_LENGTH_BYTES = 4
_CHUNK_BYTES = 1 << 16  # the allocator has such blocks ready: with larger ones, a small message takes ten times as long
_SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL if hasattr(fcntl, "F_SEAL_SEAL") else 0


Received = TypeVar("Received")
_encode = msgspec.msgpack.Encoder().encode


class Closed(Exception):  # noqa: N818 - an event: nobody is there any more
    """The other side has closed the channel, or is gone."""


class Channel(Generic[Received]):
    """One end of a connection for messages. After a timeout, it keeps the part of a message that has arrived."""

    def __init__(self, end: socket.socket | FileEnd, receives: Any) -> None:
        """`receives` is the type, or the union of types, of the messages that the other side may send."""
        self.end = end
        self._decode: Callable[[bytes], Received] = msgspec.msgpack.Decoder(receives).decode
        self._held = bytearray()

    def fileno(self) -> int:
        """Return the descriptor, to wait for several channels at a time."""
        return self.end.fileno()

    def send(self, message: msgspec.Struct) -> float:
        """Send a message; return when it began to leave, by `time.perf_counter`. Only `receive` reports a lost channel.

        Raises:
            WireError: the message is longer than `MAX_MESSAGE_BYTES`, and nothing was sent.
        """
        body = _encode(message)
        if len(body) > MAX_MESSAGE_BYTES:
            raise WireError(f"a message of {len(body)} bytes is longer than {MAX_MESSAGE_BYTES}")
        framed = len(body).to_bytes(_LENGTH_BYTES, "big") + body
        began_s = time.perf_counter()
        with contextlib.suppress(OSError):
            self.end.sendall(framed)
        return began_s

    def is_ready(self, limit_s: float) -> bool:
        """Return whether something has come, or comes within `limit_s`."""
        return bool(self._held or select.select([self.end], [], [], limit_s)[0])

    def receive(self, limit_s: float | None = None) -> Received:
        """Wait for the next message, even if it arrives in pieces.

        Raises:
            Closed: the other side has closed the channel.
            TimeoutError: the message was not complete after `limit_s` seconds.
            WireError: the message is longer than `MAX_MESSAGE_BYTES`, or not of the declared type.
        """
        ends_s = None if limit_s is None else time.monotonic() + limit_s
        while (message := self._take()) is None:
            left_s = None if ends_s is None else ends_s - time.monotonic()
            if left_s is not None and (left_s <= 0 or not select.select([self.end], [], [], left_s)[0]):
                raise TimeoutError  # even if single bytes keep arriving
            self._read()
        return message

    def receive_all(self) -> Iterator[Received]:
        """Wait once, and yield the messages that are complete then; errors as of `receive`, after these."""
        self._read()
        while (message := self._take()) is not None:
            yield message

    def close(self) -> None:
        """Close this end."""
        self.end.close()

    def _read(self) -> None:
        try:
            received = self.end.recv(_CHUNK_BYTES)
        except ConnectionError:
            received = b""
        if not received:
            raise Closed
        self._held += received

    def _take(self) -> Received | None:
        """Remove the first message from what has arrived, and return it; None if none is complete."""
        length = int.from_bytes(self._held[:_LENGTH_BYTES], "big")
        if length > MAX_MESSAGE_BYTES:
            raise WireError(f"a message of {length} bytes")
        end = _LENGTH_BYTES + length
        if len(self._held) < end:
            return None
        body = bytes(self._held[_LENGTH_BYTES:end])
        del self._held[:end]
        try:
            return self._decode(body)
        except (msgspec.MsgspecError, RecursionError, ValueError, OverflowError) as error:
            raise WireError(f"not of the declared form: {str(error)[:200]}") from error


class FileEnd:
    """A file in the place of a socket: one process appends to it, and another reads what is new."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.at_bytes = 0  # how many bytes were written, or read

    def sendall(self, data: bytes) -> None:
        """Append."""
        self.at_bytes += os.pwrite(self._descriptor, data, self.at_bytes)

    def recv(self, size_bytes: int) -> bytes:
        """Return what comes next, at most so many bytes; nothing if there is nothing yet."""
        data = os.pread(self._descriptor, size_bytes, self.at_bytes)
        self.at_bytes += len(data)
        return data

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._descriptor

    def close(self) -> None:
        """Do nothing: the code that opened the file closes it."""


def new_file(name: str) -> BinaryIO:
    """Return a file without a path, which the caller closes; `name` is only for people who inspect the process."""
    with contextlib.suppress(AttributeError, OSError):  # an old system, or a sandbox that refuses memory files
        return os.fdopen(os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING), "w+b")
    return tempfile.TemporaryFile()


def new_arena(size_bytes: int = ARENA_BYTES) -> tuple[BinaryIO, Arena]:
    """Return an anonymous file of this size, which the caller closes, and this side's arena in it.

    The file takes memory only where it is written. It is sealed if the system can: if one side shortened it, the other
    side's next access would be a bus error. If it cannot be sealed, as in a sandbox, this side maps nothing.
    """
    file = new_file("grader-arena")
    file.truncate(size_bytes)
    with contextlib.suppress(AttributeError, OSError):
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, _SEALS)
        return file, Arena(file.fileno(), size_bytes)
    return file, FileArena(file.fileno(), size_bytes)
