"""Inside the worker: which device runs kernels, and a record of every launch."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from grader.worker import wire

Triple = tuple[int, int, int]


def use_device(device: str, source: Path) -> None:
    """Make `numba.cuda` mean the executor before `source` is imported, if `device` is `cpu` and `source` names Numba.

    Asking the source first spares a file without Numba the third of a second that importing it takes. Observers of ours
    import files of the submission themselves, so that they are not asked; the reader of PDFs imports none.
    """
    if device != "cpu":
        return
    is_observer = source.name.startswith("grader.") and source.name != "grader.worker.pdf.py"
    if is_observer or (source.is_file() and b"numba" in source.read_bytes()):
        importlib.import_module("grader.cuda_cpu").install()


@contextmanager
def recorded_launches(launches: list[wire.Launch]) -> Iterator[None]:
    """Append every kernel launch of the block to `launches`, on either device."""
    executor = sys.modules.get("grader.cuda_cpu")
    if executor is None:
        with _recorded_on_gpu(launches):
            yield
        return
    with executor.observe_launches(
        lambda seen: launches.append(wire.Launch(seen.kernel, tuple(seen.grid), tuple(seen.block)))
    ):
        yield


@contextmanager
def _recorded_on_gpu(launches: list[wire.Launch]) -> Iterator[None]:
    """Wrap the one method that every launch on a real GPU goes through, `kernel[...]()` and `forall` alike."""
    dispatcher = sys.modules.get("numba.cuda.dispatcher")
    if dispatcher is None:  # no CUDA import, no launch
        yield
        return
    owner = dispatcher.CUDADispatcher
    original = owner.call

    def call(self: object, args: tuple[object, ...], *configuration: Any, **more: Any) -> object:
        answer = original(self, args, *configuration, **more)
        launches.append(wire.Launch(getattr(self, "__name__", "?"), *geometry(configuration, more)))
        return answer

    owner.call = call
    try:
        yield
    finally:
        owner.call = original


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
