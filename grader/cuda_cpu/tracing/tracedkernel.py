"""A kernel compiled a second time, with calls that tell a trace what its threads do."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from grader.cuda_cpu.devicearray import DeviceNDArray
from grader.cuda_cpu.kernel import Kernel
from grader.cuda_cpu.launcher import PLAN_INDEX
from grader.cuda_cpu.tracing.emit import KERNEL
from grader.cuda_cpu.tracing.layout import MAX_INTERVALS
from grader.cuda_cpu.tracing.session import current_watchers
from grader.cuda_cpu.tracing.trace import Trace, WatchedArray


def _flatten(value: Any) -> list[Any]:
    return [part for item in value for part in _flatten(item)] if isinstance(value, tuple) else [value]


def _origin(memory: np.ndarray[Any, Any], on_device: bool) -> int:
    """Return the address that a GPU would align: a device array's allocation, or the copy of a host array."""
    root = memory
    while on_device and isinstance(root.base, np.ndarray):
        root = root.base
    return int(root.ctypes.data)


class TracedKernel(Kernel):
    """A traced kernel; its launches go to whoever is watching."""

    _watched: tuple[WatchedArray, ...] = ()

    def _marshal(self, args: tuple[Any, ...], stream: Any, write_backs: Any) -> tuple[bytes, list[Any]]:
        words, keep = super()._marshal(args, stream, write_backs)
        names = list(inspect.signature(self.py_func).parameters)
        self._watched = tuple(
            WatchedArray(name, memory, _origin(memory, isinstance(arg, DeviceNDArray)))
            for name, arg, value in zip(names, args, keep, strict=False)
            for memory in _flatten(value)
            if isinstance(memory, np.ndarray) and memory.size
        )
        return words, keep

    def _run(self, words: bytes, plan: Any) -> None:
        watchers = current_watchers()
        watched, self._watched = self._watched, ()
        name = self.py_func.__name__
        if int(plan[PLAN_INDEX["last"]]) >= MAX_INTERVALS:
            for watcher in watchers:
                watcher.miss(name, f"a launch of more than {MAX_INTERVALS - 1} blocks is not followed")
            watchers = ()
        trace = Trace(name, plan, watched, self.shared_mem_per_block, watchers)
        plan[PLAN_INDEX["trace"]] = trace.address
        super()._run(words, plan)
        trace.finish()
        for watcher in watchers:
            watcher.receive(trace)


def make_traced(kernel: Kernel) -> TracedKernel:
    """Compile a kernel for tracing, for the same argument types and with the same options."""
    return TracedKernel(kernel.py_func, kernel.argument_types, {**kernel.options, "traced": KERNEL})
