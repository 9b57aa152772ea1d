"""Inside the worker: does an answer really come from the kernels that were launched? Called by checks as a module.

Three runs say so, each about another way to pretend:

    watched       the function runs as it is; every launch is recorded with what it changed
    replayed      the recorded kernels run again on other data, without the function around them
    substituted   the function runs, but in place of each launch a pattern goes into the arrays that it had changed

A function whose kernels do the work returns the pattern, and its kernels alone turn other data into the right
answer. One that lets the host do the work returns the right answer whatever its kernels wrote, or has kernels that
only finish what the host prepared.

Launches are caught at the one method that all of them go through, on the executor and on a GPU alike, so that
aliases, default arguments and `launch = kernel[1000, 1000]` are caught as well.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Caught = Callable[[Any, tuple[Any, ...], Any, Callable[[], Any]], Any]
_COMPARED_LAUNCHES = 64
"""After so many, what a launch changes is taken to be what the one before changed: to look costs 10 ms each."""
_MAX_HELD_BYTES = 1 << 29
"""Of arrays that are kept for the replay."""
_MAX_STRANGERS = 4
_PLAIN = frozenset({np.ndarray, int, float, complex, bool, type(None), *np.sctypeDict.values()})
"""Types whose code is none of the submission's; classes made from them may have some."""


@dataclass(slots=True)
class _Launch:
    """One watched launch: how to launch it again, its array arguments, and which of them it changed."""

    again: Callable[[], Any]
    arrays: list[Any]
    changed: list[int]


@dataclass(slots=True)
class _Watched:
    """All launches of a run, and what each array held before the first launch that was given it."""

    launches: list[_Launch] = field(default_factory=list)
    first: dict[int, tuple[Any, Array]] = field(default_factory=dict)
    odd: dict[str, None] = field(default_factory=dict)
    held_bytes: int = 0
    complete: bool = True

    def catch(self, dispatcher: Any, args: tuple[Any, ...], configuration: Any, launch: Callable[[], Any]) -> Any:
        """Let a launch take place and keep what the replay needs."""
        arrays = list(_arrays(args))
        self.odd |= dict.fromkeys([*_odd_arguments(args), *_odd_configuration(dispatcher, configuration)])
        self.odd |= {"extensions": None} if getattr(dispatcher, "extensions", None) else {}
        fresh = {id(array): array for array in arrays if id(array) not in self.first}
        self.held_bytes += sum(2 * array.nbytes for array in fresh.values())
        if self.held_bytes > _MAX_HELD_BYTES:
            self.complete = False
            return launch()
        self.first |= {key: (array, _read(array)) for key, array in fresh.items()}
        if len(self.launches) >= _COMPARED_LAUNCHES:
            self.launches.append(_Launch(launch, arrays, self.launches[-1].changed))
            return launch()
        before = [_read(array) for array in arrays]
        answer = launch()
        pairs = enumerate(zip(arrays, before, strict=True))
        self.launches.append(
            _Launch(launch, arrays, [index for index, (now, old) in pairs if not _same(_read(now), old)])
        )
        return answer


def examine_launches(
    module: str, function: str, kernel: str, args: Sequence[Any], other_args: Sequence[Any], pattern: Array
) -> dict[str, Any]:
    """Run `module.function` in the three ways above.

    Args:
        module: Name of the submission's module.
        function: Name of the function that launches kernels.
        kernel: Name of the kernel to examine; empty for all that are launched.
        args: Arrays to call it with.
        other_args: Arrays of the same shapes and types, for the replay.
        pattern: Numbers that all types of number can hold, one-dimensional.

    Returns:
        `launches`, `wrote`: how many launches were watched, how many of them changed an array. `complete`: whether
        all of them can be replayed. `substituted`: what the substituted run returned, or `raised`, the name
        of its exception; `replaced`: how many launches were replaced in it. `identified`: whether every one of `args`
        was found among what the kernels were given. `replayed`: the arrays that the replayed kernels changed.
        `strangers`: arrays given to the kernels that are none of `args` and were not constant. `odd`: types of
        arguments that run code of their own when the kernel is launched.
    """
    target = getattr(importlib.import_module(module), function)
    kept = [np.array(arg) for arg in args]
    watched = _Watched()
    with _caught(kernel, watched.catch):
        target(*args)
    seen = {
        "launches": len(watched.launches),
        "wrote": sum(bool(launch.changed) for launch in watched.launches),
        "complete": watched.complete,
        "odd": list(watched.odd)[:_MAX_STRANGERS],
    }
    for arg, numbers in zip(args, kept, strict=True):  # in the memory of any call: a copy owns its own, and that shows
        arg[...] = numbers
    substituted = _substitute(target, kernel, args, watched.launches, pattern)
    return seen | substituted | _replay(watched, kept, other_args, pattern)


def call_with_old_values(module: str, function: str, args: Sequence[Any], value: int) -> dict[str, Any]:
    """Call `module.function` while new device memory holds `value`, as a GPU's holds what was there before.

    Returns:
        `tried`: whether that could be done, which takes the executor; `value`: what came back, None if it raised.
    """
    memory = sys.modules.get("grader.cuda_cpu.hostapi")
    if memory is None:
        return {"tried": False, "value": None}
    target = getattr(importlib.import_module(module), function)
    try:
        with memory.old_values(value):
            return {"tried": True, "value": target(*args)}
    except Exception:  # noqa: BLE001 - student code, given numbers that it never expected
        return {"tried": True, "value": None}


def _substitute(
    target: Callable[..., Any], kernel: str, args: Sequence[Any], watched: list[_Launch], pattern: Array
) -> dict[str, Any]:
    """Run `target` with the pattern in place of its launches; whatever it raises is an answer too."""
    replaced = 0

    def write(dispatcher: Any, launch_args: tuple[Any, ...], configuration: Any, launch: Callable[[], Any]) -> None:
        nonlocal replaced
        del dispatcher, configuration, launch
        changed = watched[min(replaced, len(watched) - 1)].changed if watched else []
        replaced += 1
        for index, array in enumerate(_arrays(launch_args)):
            if index in changed:
                _write(array, pattern)

    try:
        with _caught(kernel, write):
            value = target(*args)
    except Exception as error:  # noqa: BLE001 - student code, given numbers that it never expected
        return {"raised": type(error).__name__, "replaced": replaced}
    is_array = isinstance(value, np.ndarray)  # one that lives on between calls is about to be filled anew
    return {"substituted": value.copy() if is_array else value, "replaced": replaced}


def _replay(watched: _Watched, args: Sequence[Any], other_args: Sequence[Any], pattern: Array) -> dict[str, Any]:
    """Launch the watched kernels again, in order, in the same arrays, filled with other data."""
    launches = watched.launches
    changed = {id(launch.arrays[index]): launch.arrays[index] for launch in launches for index in launch.changed}
    found: set[int] = set()
    strangers: list[Array] = []
    for key, (array, before) in watched.first.items():
        values, positions = _refilled(before, args, other_args)
        found |= positions
        if values is None:
            strangers.append(before)
        if key in changed or values is not None:
            _write(array, pattern if values is None else values)
    try:
        for launch in launches:
            launch.again()
    except Exception as error:  # noqa: BLE001 - the kernel may not fit other data
        return {"identified": False, "replayed": [], "strangers": strangers, "replay_raised": type(error).__name__}
    return {
        "identified": found == set(range(len(args))),
        "replayed": [_read(array) for array in changed.values()],
        "strangers": strangers[:_MAX_STRANGERS],
    }


def _refilled(before: Array, args: Sequence[Any], other_args: Sequence[Any]) -> tuple[Array | None, set[int]]:
    """Return what an array that held `before` holds for the other arguments, and which arguments it held.

    Constants stay. None for an array that holds something else, such as memory that nobody has written yet.
    """
    for index, (arg, other) in enumerate(zip(args, other_args, strict=True)):
        counterpart = _counterpart(before, np.asarray(arg), np.asarray(other))
        if counterpart is not None:
            return counterpart, {index}
    joined = _joined(before, args, other_args)
    if joined is not None:
        return joined, set(range(len(args)))
    constant = before.size == 0 or bool((before == before.flat[0]).all())
    return (before if constant else None), set()


def _counterpart(held: Array, arg: Array, other: Array) -> Array | None:
    """Return `other` in the form in which `held` holds `arg`: as it is, transposed, flat or padded; else None."""
    for one, another in ((arg, other), (arg.T, other.T)):
        if held.size == arg.size and _same(held.ravel(), one.ravel().astype(held.dtype)):
            return another.ravel()
        inside = tuple(slice(length) for length in one.shape)
        if held.ndim == arg.ndim and held[inside].shape == one.shape and _same(held[inside], one.astype(held.dtype)):
            padded = held.copy()
            padded[inside] = another
            return padded
    return None


def _joined(held: Array, args: Sequence[Any], other_args: Sequence[Any]) -> Array | None:
    """Return all of `other_args` in the form in which `held` holds all of `args`: behind or beside each other."""
    joins: tuple[Callable[[Sequence[Any]], Array], ...] = (np.concatenate, np.hstack, np.dstack)
    for join in joins if len(args) > 1 and held.size == sum(np.size(arg) for arg in args) else ():
        if _same(held.ravel(), join(args).ravel().astype(held.dtype)):
            return join(other_args).ravel()
    return None


@contextmanager
def _caught(kernel: str, catch: Caught) -> Iterator[None]:
    """Send every launch of `kernel`, or of any kernel, through `catch(dispatcher, args, configuration, launch)`."""
    owner = _dispatcher_class()
    if owner is None:  # no CUDA import, no launch
        yield
        return
    original = owner.call

    def call(self: Any, args: tuple[Any, ...], *configuration: Any, **more: Any) -> Any:
        def launch() -> Any:
            return original(self, args, *configuration, **more)

        wanted = not kernel or getattr(self, "__name__", "") == kernel
        return catch(self, args, configuration, launch) if wanted else launch()

    owner.call = call
    try:
        yield
    finally:
        owner.call = original


def _dispatcher_class() -> Any:
    """Return the class whose method `call` launches kernels: the executor's, or Numba's on a GPU."""
    executor = sys.modules.get("grader.cuda_cpu.dispatcher")
    if executor is not None:
        return executor.CudaDispatcher
    numba_cuda = sys.modules.get("numba.cuda.dispatcher")
    return None if numba_cuda is None else numba_cuda.CUDADispatcher


def _arrays(args: Sequence[Any]) -> Iterator[Any]:
    """Yield the arrays among a kernel's arguments, those inside tuples and `cuda.InOut` included."""
    for arg in args:
        if isinstance(arg, tuple):
            yield from _arrays(arg)
        elif isinstance(arg, np.ndarray) or hasattr(arg, "copy_to_host"):
            yield arg
        elif isinstance(getattr(arg, "value", None), np.ndarray):
            yield arg.value


def _odd_arguments(args: Sequence[Any]) -> Iterator[str]:
    """Yield the types of arguments whose own code could run at a launch: neither arrays nor numbers, or subclasses."""
    for arg in args:
        kind = type(arg)
        if kind is tuple:
            yield from _odd_arguments(arg)
        elif _is_of(kind, ("numba.cuda", "grader.cuda_cpu")):
            yield from _odd_arguments([arg.value] if hasattr(arg, "value") else [])  # of `cuda.In`, `Out` and `InOut`
        elif kind not in _PLAIN:
            yield kind.__name__[:80]


def _odd_configuration(dispatcher: Any, configuration: tuple[Any, ...]) -> Iterator[str]:
    """Yield what of grid, block, stream, shared memory and of the kernel itself could run code of its own."""
    if type(dispatcher) is not _dispatcher_class():
        yield "a class of kernels"
    for part in configuration:
        fields = ("griddim", "blockdim", "stream", "sharedmem")  # the executor's are in one object
        is_joined = type(part).__name__ == "LaunchConfiguration"
        yield from _odd_arguments([part, *(getattr(part, name) for name in fields if is_joined)])


def _is_of(kind: type, packages: tuple[str, ...]) -> bool:
    """Return whether a module of `packages` holds this class; what a class says of its own module may be forged."""
    module, name = kind.__module__, kind.__qualname__
    is_said = type(module) is str and type(name) is str and module.startswith(packages)
    return is_said and getattr(sys.modules.get(module), name, None) is kind


def _read(array: Any) -> Array:
    return np.array(array.copy_to_host() if hasattr(array, "copy_to_host") else array)


def _write(array: Any, flat: Array | None) -> None:
    """Put numbers into a host or device array, repeated or cut to its size."""
    values = np.resize(np.asarray(flat), array.shape).astype(array.dtype)
    if hasattr(array, "copy_to_device"):
        array.copy_to_device(values)
    else:
        array[...] = values


def _same(one: Array, other: Array) -> bool:
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind == "f" and other.dtype.kind == "f"))
