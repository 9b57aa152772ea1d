"""Where prints of student code go inside the worker: a file, capped, so that nobody can block or flood anybody."""

from __future__ import annotations

import io
import os
import sys

CAP_BYTES = 1 << 20
"""What one request may print before the rest is dropped."""
_NOTE = b"\n[more output was dropped here]\n"


class CappedFile(io.RawIOBase):
    """A raw stream onto file descriptor `fd` that drops, without an error, what exceeds the cap.

    Printing too much is untidy, not wrong: an exception here would turn a right answer into a failure.
    """

    def __init__(self, fd: int, cap_bytes: int = CAP_BYTES) -> None:
        self._fd = fd
        self._cap_bytes = cap_bytes
        self._left_bytes = cap_bytes
        self._noted = False

    def reset(self) -> None:
        """Give the next request its full allowance."""
        self._left_bytes = self._cap_bytes
        self._noted = False

    def writable(self) -> bool:
        """Return True: this is a stream to print to."""
        return True

    def fileno(self) -> int:
        """Return the descriptor below, for libraries that ask."""
        return self._fd

    def write(self, data: bytes | bytearray | memoryview) -> int:  # type: ignore[override] # the stub says Buffer
        """Write what fits, claim that everything was."""
        kept = bytes(data[: self._left_bytes])
        self._left_bytes -= len(kept)
        os.write(self._fd, kept)
        if len(kept) < len(data) and not self._noted:
            os.write(self._fd, _NOTE)
            self._noted = True
        return len(data)


def redirect_prints(fd: int) -> CappedFile:
    """Send `sys.stdout` and `sys.stderr` to `fd`, line by line, and return the cap to reset between requests."""
    raw = CappedFile(fd)
    stream = io.TextIOWrapper(
        io.BufferedWriter(raw, 1),  # type: ignore[type-var] # the stub knows no RawIOBase subclass
        encoding="utf-8",
        errors="backslashreplace",
        line_buffering=True,
        write_through=True,
    )
    sys.stdout = sys.stderr = stream
    return raw
