"""What new memory holds: zeros, so that a launch gives the same result every time, or other values on request.

A GPU clears nothing: a new array holds what was there before. Inside `old_values` every new array of device memory,
every shared array at the beginning of a block and every local array holds a number other than zero, so that a kernel
that needs zeros gives another result.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from grader.cuda_cpu.numba_internals import as_dtype

_BYTE: Final = b"\x44"
"""Fills memory whose element type is not known: 785 as a float32, 8e20 as a float64, 1145324612 as an int32."""
_FRESH: Final = {"value": 0}


@contextmanager
def old_values(value: int) -> Iterator[None]:
    """Return a context manager in which new memory holds `value` in place of zeros.

    A kernel that takes new memory for zero then gives another result.
    """
    _FRESH["value"] = value
    try:
        yield
    finally:
        _FRESH["value"] = 0


def old_value() -> int:
    """Return what new memory holds at present, 0 for zeros."""
    return _FRESH["value"]


def bytes_of(value: int, element: Any, size_bytes: int) -> bytes:
    """Return `value` as one element of a Numba type, or other bytes of that length where the type has no such value."""
    try:
        pattern = np.full((), value).astype(as_dtype(element)).tobytes()
    except (TypeError, ValueError, NotImplementedError):
        return unknown_bytes(size_bytes)
    return pattern if len(pattern) == size_bytes else unknown_bytes(size_bytes)


def unknown_bytes(size_bytes: int) -> bytes:
    """Return old values for memory whose element type is not known."""
    return _BYTE * size_bytes
