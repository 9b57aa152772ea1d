"""The session that all watchers of launches share: check mode, cost figures, the steps of one thread.

While there is a watcher, launches use a second compilation of their kernels, with calls that write every access of
every thread into a trace. Each watcher receives the trace.
"""

import inspect
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, TypeVar

import numpy as np

from grader.cuda_cpu.devicearray import DeviceNDArray
from grader.cuda_cpu.execution import Program
from grader.cuda_cpu.kernel import Arguments, Kernel
from grader.cuda_cpu.launches import holding
from grader.cuda_cpu.tracing.emit import KERNEL
from grader.cuda_cpu.tracing.layout import MAX_INTERVALS
from grader.cuda_cpu.tracing.trace import Trace, WatchedArray

MAX_NOTES: Final = 10


@dataclass(eq=False, kw_only=True)
class Watcher:
    """A record of launches; it receives the trace of each launch."""

    mode: ClassVar[int]  # `layout.CHECK`, `layout.COUNT` or `layout.FOLLOW`
    most: int = 0  # how many accesses of each thread check mode looks at; 0 for all
    notes: list[str] = field(default_factory=list)  # what could not be followed, and why

    def receive(self, trace: Trace) -> None:
        """Record a launch that has ended, normally or with a fault."""
        raise NotImplementedError

    def summary(self) -> list[str]:
        """Return lines of text on the launches that were received."""
        raise NotImplementedError

    @property
    def has_failed(self) -> bool:
        """Whether something is wrong with the launches that were received."""
        return False

    def miss(self, kernel: str, reason: str) -> None:
        """Note that a launch could not be followed."""
        note = f"kernel {kernel}: {reason}"
        if note not in self.notes and len(self.notes) < MAX_NOTES:
            self.notes.append(note)


_watchers: Final[list[Watcher]] = []
_Watcher = TypeVar("_Watcher", bound=Watcher)


def watch(watcher: _Watcher) -> AbstractContextManager[_Watcher]:
    """Return a context manager during which a watcher sees every launch; it yields the watcher."""
    return holding(_watchers, watcher)


def stop_watching(watcher: Watcher) -> None:
    """Remove a watcher; without any, launches run at full speed."""
    if watcher in _watchers:
        _watchers.remove(watcher)


def current_watchers() -> tuple[Watcher, ...]:
    """Return the active watchers."""
    return tuple(_watchers)


def _flatten(value: Any) -> list[Any]:
    return [part for item in value for part in _flatten(item)] if isinstance(value, tuple) else [value]


def _origin(memory: np.ndarray[Any, Any], on_device: bool) -> int:
    """Return the address that a GPU would align: a device array's allocation, or the copy of a host array."""
    root = memory
    while on_device and isinstance(root.base, np.ndarray):
        root = root.base
    return int(root.ctypes.data)


class TracedKernel(Kernel):
    """A traced kernel; the active watchers receive the traces of its launches."""

    def _run_blocks(self, given: Arguments, program: Program, words: bytes, plan: Any) -> None:
        watchers = current_watchers()
        watched = tuple(
            WatchedArray(name, memory, _origin(memory, isinstance(arg, DeviceNDArray)))
            for name, (arg, value) in zip(inspect.signature(self.py_func).parameters, given, strict=False)
            for memory in _flatten(value)
            if isinstance(memory, np.ndarray) and memory.size
        )
        trace = Trace(self.py_func.__name__, plan, watched, program, watchers)
        plan["trace"] = trace.address
        super()._run_blocks(given, program, words, plan)
        trace.finish()
        for watcher in watchers:
            watcher.receive(trace)


def trace_kernel(kernel: Kernel, blocks: int) -> Kernel:
    """Return the kernel compiled for tracing, with the same options; the kernel itself for a launch of many blocks."""
    if blocks >= MAX_INTERVALS:
        for watcher in current_watchers():
            watcher.miss(kernel.py_func.__name__, f"a launch of {MAX_INTERVALS} or more blocks is not followed")
        return kernel
    if kernel.traced is None:
        options = {**kernel.options, "traced": KERNEL}
        kernel.traced = TracedKernel(kernel.py_func, kernel.argument_types, options)
    return kernel.traced
