"""The staff's own functions that drive a slice: they build objects of its classes, call methods, and return data.

A class cannot be called from another process, but such a *scenario* can. It is a function of a module in the
assignment's `staff/`, runs in the worker of slices like a function of the submission, and returns a dict of arrays and
numbers. What its calls did is observed: launches with the contents of their arrays, copies, and where the numbers come
from. `grader.authoring.judges.scenarios` asks for it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

import numpy as np

from grader.worker.sliced import devices
from grader.worker.sliced.book import current
from grader.worker.sliced.exact import items_of
from grader.worker.sliced.labels import label_of
from grader.worker.sliced.launches import Launching, host_and_device_arrays
from grader.worker.sliced.worker import plain, the_slices

_MOST_LAUNCHES = 5000
_MOST_NUMBERS = 1 << 18
_DEPTH = 4
"""Of tuples that machine code knows."""
_MOST_BYTES = 3 << 27
"""Of different arrays together; what is more makes the record incomplete, and it says so."""


def watch(module: str, function: str, args: Sequence[Any]) -> dict[str, Any]:
    """Call a scenario, and return what it returned and what was observed meanwhile.

    Returns:
        `value`: its dict. `came_from`: key -> labels of that part of it. `arrays`: the contents of arrays, each once;
        what follows names them by their places here. `launches`: each with `kernel`, `place`, `grid`, `block`, `given`
        (the labels of its arrays and constants), `constants` (arrays that its code knows), `constants_from` (their
        labels), `numbers` (single ones that it was given, or knows), and `before` and `after`, what its arrays held.
        `copies`: direction and contents of each copy, in order. `mixed`: how often NumPy brought whole arrays
        together. `refused`: names that no slice may use. `is_complete`: whether there was room for everything.
    """
    slices = the_slices()
    scenario = getattr(slices.load(module), function)
    record = Record()
    with devices.copies.recorded() as copied, slices.interfering(record.interfere):
        value, seen = slices.call(scenario, args, full=True)  # else what is written into an array has no label
    came_from = {key: sorted(label_of(part)) for key, part in value.items()}
    launched = [
        {"kernel": launch.kernel, "grid": launch.grid, "block": launch.block, "given": launch.given, **one}
        for launch, one in zip(slices.seen_launches(), record.launches, strict=False)
    ]
    return {
        "value": plain(value),
        "came_from": came_from,
        "launches": launched,
        "copies": [[direction, record.keep(array)] for direction, array in copied],
        "arrays": record.arrays,
        "mixed": seen.mixed,
        "refused": list(current.book.refused),
        "is_complete": record.is_complete,
    }


class Record:
    """What launches were given, and what they left."""

    def __init__(self) -> None:
        self.launches: list[dict[str, Any]] = []
        self.arrays: list[Any] = []
        self.is_complete = True
        self._places: dict[bytes, int] = {}
        self._left_bytes = _MOST_BYTES
        self._left_numbers = _MOST_NUMBERS

    def interfere(self, launching: Launching) -> Any:
        """Make a launch, and keep what its arrays hold before and after it."""
        arrays = [array for array in host_and_device_arrays(launching.given) if array.size]
        before = [_read(array) if _was_written(array) else np.zeros(array.shape) for array in arrays]
        for array in arrays:
            _note_copy(devices.TO_DEVICE, array)
        with devices.copies.recorded():  # those of Numba itself
            answer = launching.run()
        for array in arrays:
            _note_copy(devices.TO_HOST, array)
        if len(self.launches) == _MOST_LAUNCHES:
            self.is_complete = False
            return answer
        constants = [array for array in host_and_device_arrays(_flat(launching.constants)) if array.size]
        self.launches.append(
            {
                "place": launching.place,
                "before": [*map(self.keep, before)],
                "after": [self.keep(_read(array)) for array in arrays],
                "constants": [self.keep(_read(array)) for array in constants],
                "constants_from": sorted(launching.constants_from),
                "numbers": self._few([*_numbers(launching.given), *_numbers(_flat(launching.constants))]),
            }
        )
        return answer

    def keep(self, array: Any) -> int:
        """Keep the contents of an array, once, and return their place; -1 if there is no room."""
        whole = np.ascontiguousarray(array)
        digest = hashlib.sha256(f"{whole.dtype.str} {whole.shape}".encode() + whole.tobytes()).digest()
        if digest not in self._places:
            if whole.nbytes > self._left_bytes:
                self.is_complete = False
                return -1
            self._left_bytes -= whole.nbytes
            self._places[digest] = len(self.arrays)
            self.arrays.append(whole)
        return self._places[digest]

    def _few(self, numbers: list[float]) -> list[float]:
        self._left_numbers -= len(numbers)
        if self._left_numbers < 0:
            self.is_complete = False
            return []
        return numbers


def _flat(values: Sequence[Any], depth: int = _DEPTH) -> tuple[Any, ...]:
    """Return values as tuples of arrays and numbers: lists become tuples, members of enumerations their values."""
    bare = [value._value_ if isinstance(value, Enum) else value for value in values]
    return tuple(
        _flat(items_of(value), depth - 1) if isinstance(value, list | tuple) and depth else value for value in bare
    )


def _numbers(given: Any) -> Iterator[float]:
    """Yield the numbers among a launch's arguments, those inside tuples included."""
    for value in given:
        if isinstance(value, tuple):
            yield from _numbers(value)
        elif isinstance(value, complex | np.complexfloating):
            yield from (float(value.real), float(value.imag))
        elif isinstance(value, float | int | np.number):
            yield float(value)


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
    return np.array(held).view(np.ndarray)
