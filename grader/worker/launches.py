"""Inside the worker: which device runs kernels, and a record of every launch."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from grader import cuda_cpu
from grader.worker import wire

Triple = tuple[int, int, int]
Run = Callable[[tuple[Any, ...]], Any]
Made = tuple[Any, str, tuple[str, ...]]
"""Of a launch: what it returned, the name of its kernel, and where the numbers came from that it was given."""

_MOVES = {"numba.cuda.kernels.transpose", "numba.cuda.cudadrv.devicearray"}
"""Modules of Numba whose kernels put numbers elsewhere, and compute none."""
_watched: list[Any] = [None]
"""Classes of kernels, and None for that of which there is none."""
_asked: list[list[wire.Launch]] = []


def use_device(device: str, source: Path) -> None:
    """Make `numba.cuda` mean the executor before `source` is imported, if `device` is `cpu` and `source` names Numba.

    Asking the source first spares a file without Numba the third of a second that importing it takes. Observers of ours
    import files of the submission themselves, so that they are not asked; the reader of PDFs imports none.
    """
    if device != "cpu":
        return
    is_observer = source.name.startswith("grader.") and source.name != "grader.worker.pdf.py"
    if is_observer or (source.is_file() and b"numba" in source.read_bytes()):
        cuda_cpu.install()


def dispatcher_class() -> Any:
    """Return the class of kernels: the executor's, or Numba's on a GPU; None before anything imported CUDA."""
    executors = cuda_cpu.dispatcher_class()
    if executors is not None:
        return executors
    numba_cuda = sys.modules.get("numba.cuda.dispatcher")
    return None if numba_cuda is None else numba_cuda.CUDADispatcher


def _make(kernel: Any, args: tuple[Any, ...], run: Run) -> Made:
    return run(args), getattr(kernel, "__name__", "?"), ()


def record_launches(
    kernels: Any, kept: Callable[[], list[wire.Launch] | None], make: Callable[..., Made] = _make
) -> None:
    """Record each launch of a class of kernels from now on, `kernel[...]()` and `forall` alike.

    Args:
        kernels: The class, on either device: every launch is a call of its method `call`.
        kept: Returns the list to which a launch is added; None while nobody asks.
        make: Makes a launch of a kernel with arguments, by a function that takes what it is to be given.
    """
    original = kernels.call

    def call(kernel: Any, args: tuple[Any, ...], *configuration: Any, **more: Any) -> Any:
        if (launches := kept()) is None or _is_numbas(kernel):
            return original(kernel, args, *configuration, **more)
        answer, name, origins = make(kernel, args, lambda bare: original(kernel, bare, *configuration, **more))
        launches.append(wire.Launch(name, *geometry(configuration, more), origins))
        return answer

    kernels.call = call


def _is_numbas(kernel: Any) -> bool:
    """Return whether a kernel is Numba's own, by which it transposes an array on a GPU, or assigns to a part of one.

    Those of `cuda.reduce` compute with a function of the submission's: they are its own.
    """
    scope = kernel.py_func.__globals__
    name = str(scope.get("__name__"))
    return name in _MOVES and scope is getattr(sys.modules.get(name), "__dict__", None)


def watch_launches() -> None:
    """Let `recorded_launches` see kernels from now on, before their class is made immutable."""
    kernels = dispatcher_class()
    if kernels not in _watched:
        _watched.append(kernels)
        record_launches(kernels, lambda: _asked[-1] if _asked else None)


@contextmanager
def recorded_launches() -> Iterator[list[wire.Launch]]:
    """Yield a list that every launch of the block is added to, on either device."""
    watch_launches()
    _asked.append([])
    try:
        yield _asked[-1]
    finally:
        _asked.pop()


def geometry(configuration: tuple[Any, ...], more: dict[str, Any]) -> tuple[Triple, Triple]:
    """Return grid and block: Numba's own target hands both over, numba-cuda and the executor one object with them."""
    grid, block, *_ = (*configuration, *more.values(), None)
    if hasattr(grid, "griddim"):
        grid, block = grid.griddim, grid.blockdim
    return _dim3(grid), _dim3(block)


def _dim3(dimensions: object) -> Triple:
    sizes = (dimensions,) if isinstance(dimensions, int) else tuple(dimensions)  # type: ignore[arg-type] # int or tuple
    x, y, z = (*(int(size) for size in sizes), 1, 1)[:3]
    return x, y, z
