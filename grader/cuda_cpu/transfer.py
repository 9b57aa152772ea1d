"""Kernel arguments on the host's side: which memory a kernel works on, and what is copied back afterwards.

``cuda.In``, ``cuda.Out`` and ``cuda.InOut`` say which way a host array is copied for a launch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from grader.cuda_cpu.devicearray import DeviceNDArray, memory_of, require_contiguous
from grader.cuda_cpu.hostapi import as_cuda_array, is_cuda_array
from grader.cuda_cpu.numba_internals import Purpose, typeof

WriteBack = Callable[[], None]


class Transfer:
    """A host array with the directions in which its values travel."""

    copies_in = True
    copies_out = True

    def __init__(self, value: Any) -> None:
        self.value = value

    @property
    def _numba_type_(self) -> Any:
        return typeof(self.value, Purpose.argument)

    def to_memory(self, write_backs: list[WriteBack]) -> Any:
        """Return the memory that the kernel works on; where values travel out, add the copy to ``write_backs``."""
        if not hasattr(self.value, "copy"):
            return self.value
        memory = self.value.copy(order="K")
        if self.copies_out:
            write_backs.append(lambda: self._write_back(memory))
        return memory

    def _write_back(self, memory: Any) -> None:
        self.value[...] = memory


class In(Transfer):
    """Copied to the device before the launch."""

    copies_out = False


class Out(Transfer):
    """Copied from the device after the launch."""

    copies_in = False


class InOut(Transfer):
    """Copied both ways."""


def to_memory(value: Any, used: list[Any], write_backs: list[WriteBack]) -> Any:
    """Return the memory that a kernel may use for an argument; anything but arrays is returned unchanged.

    A GPU works on a copy of each host array and copies it back afterwards. The kernel may use the host array itself
    unless it shares memory with an argument before it.
    """
    if isinstance(value, Transfer):
        return value.to_memory(write_backs)
    if isinstance(value, DeviceNDArray) or is_cuda_array(value):
        return memory_of(as_cuda_array(value))
    if isinstance(value, tuple):
        return tuple(to_memory(item, used, write_backs) for item in value)
    if isinstance(value, np.void):
        return _record_memory(value, write_backs)
    return _host_memory(value, used, write_backs) if isinstance(value, np.ndarray) else value


def _host_memory(value: np.ndarray[Any, Any], used: list[Any], write_backs: list[WriteBack]) -> np.ndarray[Any, Any]:
    require_contiguous(value)
    if any(np.may_share_memory(value, other) for other in used):
        copy = value.copy(order="K")
        if value.flags.writeable:
            write_backs.append(lambda: np.copyto(value, copy))
        return copy
    used.append(value)
    return value


def _record_memory(value: np.void, write_backs: list[WriteBack]) -> Any:
    memory = np.array(value)

    def write_back() -> None:
        if value.flags.writeable:
            np.asarray(value)[...] = memory

    write_backs.append(write_back)
    return memory
