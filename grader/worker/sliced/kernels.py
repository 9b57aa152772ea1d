"""What the kernels of a slice do, asked by launching them otherwise: some not at all, or with other values in memory.

Called by checks as a module of the worker. Labels (`arrays`) say that an answer comes from kernels; these runs say
which kernel's work it is, and of what it is made. Arrays come back as plain data, and the parent judges them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.worker.sliced import devices
from grader.worker.sliced.launches import Launching, host_and_device_arrays
from grader.worker.sliced.worker import plain, the_slices

_MOST_ARRAYS = 6
_MOST_BYTES = 1 << 27
_MOST_READ_BYTES = 1 << 32
"""Of all arrays, each as often as it is given to a launch."""


def run_without(module: str, function: str, args: Sequence[Any], kernel: str, others: bool) -> dict[str, Any]:
    """Call `module.function(*args)` without some launches.

    Args:
        module: Name of the slice's module.
        function: Name of the function that launches kernels.
        args: What to call it with.
        kernel: Name of a kernel.
        others: Whether all other kernels are left out, instead of `kernel` itself.

    Returns:
        `value`: what it returned; `raised`: the name of its exception; `left_out`: how many launches did not happen.
    """
    left_out = 0

    def interfere(launching: Launching) -> Any:
        nonlocal left_out
        if (launching.name == kernel) != others:
            left_out += 1
            return None
        return launching.run()

    return {**_run(module, function, args, interfere), "left_out": left_out}


def look_around(module: str, function: str, args: Sequence[Any], kernel: str) -> dict[str, Any]:
    """Call `module.function(*args)` and look at the arrays that kernels are given.

    Returns:
        `before`: what arrays held that `kernel` was given, each before the first launch that was given it; `after`:
        what arrays held that kernels were given, each right after the last launch that was given it; `wrote`: how
        many entries of an array `kernel` changed, of that in which it changed the most; `value`, `raised` as in
        `run_without`.
    """
    before: dict[int, Any] = {}
    after: dict[int, Any] = {}
    read_bytes = 0

    def interfere(launching: Launching) -> Any:
        nonlocal read_bytes
        arrays = [array for array in host_and_device_arrays(launching.given) if array.size]
        for array in arrays if kernel in {"", launching.name} else ():
            if _address(array) not in before and len(before) < _MOST_ARRAYS:
                before[_address(array)] = _read(array)
        answer = launching.run()
        for array in arrays if read_bytes < _MOST_READ_BYTES else ():  # at once: what the host writes is no kernel's
            if _address(array) in after or len(after) < _MOST_ARRAYS:
                read_bytes += array.size * array.dtype.itemsize
                after[_address(array)] = _read(array)
        return answer

    seen = _run(module, function, args, interfere)
    wrote = max((_count_changed(old, after.get(address)) for address, old in before.items()), default=0)
    return {**seen, "before": list(before.values()), "after": list(after.values()), "wrote": wrote}


def _count_changed(old: Any, new: Any) -> int:
    """Return how many entries of an array are not what they were."""
    if new is None or new.shape != old.shape:
        return 0
    return int(np.count_nonzero(~((old == new) | ((old != old) & (new != new)))))  # noqa: PLR0124 - so is NaN


def run_with_old_values(module: str, function: str, args: Sequence[Any], value: int) -> dict[str, Any]:
    """Call `module.function(*args)` while new memory of kernels holds `value`, as a GPU's holds what was there before.

    Returns:
        `tried`: whether that could be done, which takes the executor; `value` and `raised` as in `run_without`.
    """
    memory = sys.modules.get("grader.cuda_cpu.hostapi")
    if memory is None:
        return {"tried": False, "value": None, "raised": ""}
    with memory.old_values(value):
        return {"tried": True, **_run(module, function, args, None)}


def _run(module: str, function: str, args: Sequence[Any], interference: Any) -> dict[str, Any]:
    slices = the_slices()
    target = getattr(slices.load(module), function)
    with slices.interfering(interference):
        try:
            own = [np.array(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
            value, _ = slices.call(target, own, full=True)
        except Exception as error:  # noqa: BLE001 - student code, given numbers that it never expected
            return {"value": None, "raised": type(error).__name__}
    return {"value": plain(value), "raised": ""}


def _address(array: Any) -> int:
    if devices.is_on_device(array):
        return int(getattr(array.device_ctypes_pointer, "value", 0) or 0)
    return int(array.__array_interface__["data"][0])


def _read(array: Any) -> Any:
    if array.size * array.dtype.itemsize > _MOST_BYTES:
        return np.zeros(0)
    return np.array(array.copy_to_host()).view(np.ndarray) if devices.is_on_device(array) else np.array(array)
