"""CUDA kernels on the CPU, compiled by Numba for the host.

Theory of operation
-------------------
``install()`` puts a stand-in for ``numba.cuda`` into this process. Its ``jit`` compiles kernels with Numba's own
pipeline and a target of our own (`target`), which knows what CUDA's target knows. Every compiled function takes one
hidden argument, the record of the CUDA thread that runs (`threadstate`); ``threadIdx`` and its sisters read it.
A *launcher* (`launcher`), linked with the kernel and optimised with it as one program, holds the loops over blocks and
threads. A kernel whose threads all come to the same barriers is cut at them, and each piece gets loops of its own
(`regions`). Any other kernel with barriers becomes an LLVM coroutine (`codelibrary`): a thread that waits leaves what
it needs in a frame of some hundred bytes and returns to the *scheduler* (`scheduler`), compiled once for all kernels.
Every access to an array passes `lowering`, which checks the bounds and can name the array, the line and the thread.
Inside ``checking()`` and ``counting()`` kernels are compiled a second time, with calls that watch them (`tracing`).

This package imports nothing from the rest of the grader.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import ModuleType
from typing import TYPE_CHECKING, Any

from grader.cuda_cpu.launches import Launch, observe_launches, two_threads

if TYPE_CHECKING:
    from grader.cuda_cpu.tracing.costs import CostRecord, LaunchCosts
    from grader.cuda_cpu.tracing.following import Writes
    from grader.cuda_cpu.tracing.races import CheckRecord

__all__ = ["Launch", "array_class", "checking", "counting", "describe_costs", "dispatcher_class", "install"]
__all__ += ["observe_launches", "old_values", "two_threads", "writes_of_two"]


def install() -> None:
    """Make ``numba.cuda`` mean this executor, in this process, from now on. Calling it again changes nothing.

    The real ``numba.cuda`` may have been imported before; whoever still holds it compiles nothing with it any more.
    """
    import numba

    from grader.cuda_cpu.cuda_module import cuda, install_finder
    from grader.cuda_cpu.dispatcher import register_target
    from grader.cuda_cpu.numba_internals import load_vectors

    if sys.modules.get("numba.cuda") is cuda:
        return
    for name in [name for name in sys.modules if name.startswith("numba.cuda.")]:
        del sys.modules[name]
    install_finder()
    numba.cuda = cuda
    register_target()
    _register_module(cuda, set())
    vars(cuda).update(load_vectors())


def checking(most: int = 0) -> AbstractContextManager[CheckRecord]:
    """Return a context manager in which launches are checked for data races; it yields the record of what was found.

    A checked launch takes about fifty times as long as another.

    Args:
        most: how many accesses of each thread to look at; 0 for all of them.
    """
    from grader.cuda_cpu.tracing import races

    return races.checking(most)


def counting() -> AbstractContextManager[CostRecord]:
    """Return a context manager in which launches are counted, not timed; it yields the record, one entry per launch."""
    from grader.cuda_cpu.tracing import costs

    return costs.counting()


def describe_costs(costs: LaunchCosts) -> list[str]:
    """Return the cost figures of one launch as plain sentences for a report."""
    from grader.cuda_cpu.tracing import costs as counted

    return counted.describe_costs(costs)


def writes_of_two(call: Callable[[], object]) -> tuple[Writes, Writes]:
    """Call `call` thrice with two threads of each launch; return what each wrote: array -> indices of its entries."""
    from grader.cuda_cpu.tracing import following

    return following.writes_of_two(call)


def dispatcher_class() -> Any:
    """Return the class of kernels; None in a process that does not use the executor."""
    return _name_of("dispatcher", "CudaDispatcher")


def array_class() -> Any:
    """Return the class of arrays on the device; None in a process that does not use the executor."""
    return _name_of("devicearray", "DeviceNDArray")


def old_values(value: int) -> AbstractContextManager[None] | None:
    """Return a context manager in which new memory holds `value`; None in a process that does not use the executor."""
    make = _name_of("devicearray", "old_values")
    return make(value) if make else None


def _name_of(module: str, name: str) -> Any:
    """Return what a module of this package has under a name, if somebody has loaded it: Numba takes a while."""
    return getattr(sys.modules.get(f"{__name__}.{module}"), name, None)


def _register_module(module: ModuleType, known: set[str]) -> None:
    known.add(module.__name__)
    sys.modules[module.__name__] = module
    for part in vars(module).values():
        if isinstance(part, ModuleType) and part.__name__.startswith("numba.cuda.") and part.__name__ not in known:
            _register_module(part, known)
