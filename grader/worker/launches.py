"""Inside the worker: records every launch, and keeps one kernel that transposes a GPU's arrays."""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from grader import cuda_cpu
from grader.worker import wire

Triple = tuple[int, int, int]
Run = Callable[[tuple[Any, ...]], Any]
Made = tuple[Any, str, tuple[str, ...]]
"""Of a launch: what it returned, the name of its kernel, and the labels of the numbers that it got."""

_MOVES = {__name__, "numba.cuda.kernels.transpose", "numba.cuda.cudadrv.devicearray"}
"""Modules whose kernels only move numbers, and compute none."""
_THREADS = 256  # threads in a block of the kernel that transposes
_watched: list[Any] = [None]
"""Classes of kernels that are watched, and None, which `dispatcher_class` returns if there is no class."""
_asked: list[list[wire.Launch]] = []


def keep_transposing_kernel() -> None:
    """Let `A.T` of a GPU's array launch a kernel that is compiled once for each type, not in each call.

    numba-cuda 0.30 makes its kernel anew each time, which takes 0.2 s: on an H200, a right training with thousands of
    transpositions was stopped after its 90 s. On the CPU `A.T` costs next to nothing.
    """
    module: Any = importlib.import_module("numba.cuda.kernels.transpose")
    arrays: Any = importlib.import_module("numba.cuda.cudadrv.devicearray")
    own = module.transpose

    def transpose(a: Any, b: Any = None) -> Any:
        if b is not None or not a.size:
            return own(a, b)
        strides, stream = (a.dtype.itemsize * a.shape[0], a.dtype.itemsize), getattr(a, "stream", 0)
        turned = arrays.DeviceNDArray(a.shape[::-1], strides, a.dtype, stream=stream)
        _transposing_kernel()[-(-a.size // _THREADS), _THREADS, stream](a, turned)
        return turned

    module.transpose = transpose


@cache
def _transposing_kernel() -> Any:
    cuda = importlib.import_module("numba.cuda")

    @cuda.jit  # type: ignore[untyped-decorator] # Numba is half typed
    def turn(source: Any, turned: Any) -> None:
        entry = cuda.grid(1)
        if entry < turned.size:
            width = turned.shape[1]
            turned[entry // width, entry % width] = source[entry % width, entry // width]

    return turn


def dispatcher_class() -> Any:
    """Return the class of kernels: the executor's, or Numba's on a GPU; None before anything imported CUDA."""
    executors = cuda_cpu.dispatcher_class()
    if executors is not None:
        return executors
    numba_cuda = sys.modules.get("numba.cuda.dispatcher")
    return None if numba_cuda is None else numba_cuda.CUDADispatcher


def _make(kernel: Any, args: tuple[Any, ...], run: Run, _shared_bytes: int) -> Made:
    return run(args), getattr(kernel, "__name__", "?"), ()


def record_launches(
    kernels: Any, kept: Callable[[], list[wire.Launch] | None], make: Callable[..., Made] = _make
) -> None:
    """Record each launch of a class of kernels from now on, `kernel[...]()` and `forall` alike.

    Args:
        kernels: The class, on either device: every launch is a call of its method `call`.
        kept: Returns the list to which a launch is added; None while nobody asks.
        make: Gets a kernel, its arguments, a function that launches it with arguments, and bytes of shared memory.
    """
    original = kernels.call

    def call(kernel: Any, args: tuple[Any, ...], *configuration: Any, **more: Any) -> Any:
        if (launches := kept()) is None or _only_moves(kernel):
            return original(kernel, args, *configuration, **more)

        def run(bare: tuple[Any, ...]) -> Any:
            return original(kernel, bare, *configuration, **more)

        grid, block, shared_bytes = read_configuration(configuration, more)
        answer, name, origins = make(kernel, args, run, shared_bytes)
        launches.append(wire.Launch(name, grid, block, origins))
        return answer

    kernels.call = call


def _only_moves(kernel: Any) -> bool:
    """Return whether a kernel is not the submission's: it transposes an array on a GPU, or assigns to a part of one.

    Kernels of `cuda.reduce` compute with a function of the submission, so they count as the submission's.
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


def read_configuration(configuration: tuple[Any, ...], more: dict[str, Any]) -> tuple[Triple, Triple, int]:
    """Return grid, block and bytes of shared memory; Numba's own target passes each, others pass one object."""
    made = (*configuration, *more.values())
    if hasattr(made[0], "griddim"):
        made = made[0].griddim, made[0].blockdim, made[0].stream, made[0].sharedmem
    grid, block, _stream, shared_bytes, *_ = (*made, 0, 0)
    return _dim3(grid), _dim3(block), int(shared_bytes or 0)


def _dim3(dimensions: object) -> Triple:
    sizes = (dimensions,) if isinstance(dimensions, int) else tuple(dimensions)  # type: ignore[arg-type] # int or tuple
    x, y, z = (*(int(size) for size in sizes), 1, 1)[:3]
    return x, y, z
