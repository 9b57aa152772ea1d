"""``cuda.In``, ``cuda.Out``, ``cuda.InOut``: which way a host array is copied for a launch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grader.cuda_cpu.numba_internals import Purpose, typeof


class Transfer:
    """A host array with the directions in which its values travel."""

    copies_in = True
    copies_out = True

    def __init__(self, value: Any) -> None:
        self.value = value

    @property
    def _numba_type_(self) -> Any:
        return typeof(self.value, Purpose.argument)

    def to_memory(self, write_backs: list[Callable[[], None]]) -> Any:
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
