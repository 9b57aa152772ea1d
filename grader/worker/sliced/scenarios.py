"""The staff's own functions that drive a slice: they build objects of its classes, call methods, and return data.

A class cannot be called from another process, but such a *scenario* can. It is a function of a module in the
assignment's `staff/`, runs in the worker of slices like a function of the submission, and returns a dict of arrays and
numbers. What its calls did is observed: launches with the contents of their arrays, copies, and where the numbers come
from. `grader.authoring.judges.scenarios` asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from grader.worker.sliced import devices
from grader.worker.sliced.book import current
from grader.worker.sliced.labels import label_of
from grader.worker.sliced.launches import Interference, host_and_device_arrays
from grader.worker.sliced.worker import plain, the_slices

_MOST_LAUNCHES = 60
_MOST_ENTRIES = 1 << 16
"""Larger arrays are not looked into: scenarios are small."""
_LARGE = 1 << 20
"""Smaller integers are shapes, sizes and indices."""


def watch(module: str, function: str, args: Sequence[Any]) -> dict[str, Any]:
    """Call a scenario, and return what it returned and what was observed meanwhile.

    Returns:
        `value`: its dict. `came_from`: key -> labels of that part of it. `launches`: each with `kernel`, `grid`,
        `block`, `given` (the labels of its arrays), `numbers` (those among its arguments), and `before` and `after`,
        what its arrays held. `copies`: direction and contents of each copy, in order. `mixed`: how often NumPy
        brought whole arrays together.
    """
    slices = the_slices()
    scenario = getattr(slices.load(module), function)
    records: list[dict[str, Any]] = []
    with devices.copies.recorded() as copied, slices.interfering(_recorder(records)):
        value, seen = slices.call(scenario, args, full=True)  # else what is written into an array has no label
    came_from = {key: sorted(label_of(part)) for key, part in value.items()}
    launched = [
        {"kernel": launch.kernel, "grid": launch.grid, "block": launch.block, "given": launch.given, **record}
        for launch, record in zip(slices.seen_launches(), records, strict=False)
    ]
    return {
        "value": plain(value),
        "came_from": came_from,
        "launches": launched[:_MOST_LAUNCHES],
        "copies": [[direction, _small(array)] for direction, array in copied],
        "mixed": seen.mixed,
        "refused": list(current.book.refused),
    }


def _recorder(records: list[dict[str, Any]]) -> Interference:
    """Return what makes a launch and keeps what its arrays hold before and after it."""

    def interfere(_name: str, given: tuple[Any, ...], launch: Callable[[], Any]) -> Any:
        arrays = [array for array in host_and_device_arrays(given) if array.size]
        before = [_read(array) if _was_written(array) else np.zeros(array.shape) for array in arrays]
        for array in arrays:
            _note_copy(devices.TO_DEVICE, array)
        with devices.copies.recorded():  # those of Numba itself
            answer = launch()
        for array in arrays:
            _note_copy(devices.TO_HOST, array)
        after = [_read(array) for array in arrays]
        records.append({"before": before, "after": after, "numbers": sorted(set(_numbers(given)))[:_MOST_ENTRIES]})
        return answer

    return interfere


def _numbers(given: Any) -> Iterator[float]:
    """Yield the numbers among a launch's arguments, those inside tuples included, but small integers: these count."""
    for value in given:
        if isinstance(value, tuple):
            yield from _numbers(value)
        elif isinstance(value, complex | np.complexfloating):
            yield from (float(value.real), float(value.imag))
        elif isinstance(value, float | int | np.number) and not _is_small(value):
            yield float(value)


def _is_small(value: Any) -> bool:
    return bool(value == value // 1) and abs(value) < _LARGE


def _note_copy(direction: str, array: Any) -> None:
    """Record that Numba copies an array of the host for a launch, there and back."""
    if not devices.is_on_device(array):
        with devices.copies.one(direction, array):
            pass


def _was_written(array: Any) -> bool:
    """Return whether anything put numbers there; new memory of a GPU holds old ones, which nobody gave the kernel."""
    return bool(label_of(array)) or not devices.is_on_device(array)


def _read(array: Any) -> Any:
    with devices.copies.recorded():  # this copy is ours
        held = array.copy_to_host() if devices.is_on_device(array) else array
    return _small(np.array(held).view(np.ndarray))


def _small(array: Any) -> Any:
    return array if array.size <= _MOST_ENTRIES else np.zeros(0)
