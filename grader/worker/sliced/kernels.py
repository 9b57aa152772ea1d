"""Record what the kernels of a slice got and wrote, in ordinary calls and in calls whose launches are changed.

Checks call this module in the worker (`grader.authoring.judges.scenarios`, `kernels`). It calls a graded function or a
*scenario*: a function of a module in the assignment's `staff/`, which builds objects of a slice's classes, calls their
methods, and returns a dict of arrays and numbers. (The parent cannot call methods of objects in another process.)
Arrays come back as plain data, and the parent judges them.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np

from grader import cuda_cpu
from grader.worker.sliced import devices
from grader.worker.sliced.exact import leaves
from grader.worker.sliced.labels import label_of, unwrap
from grader.worker.sliced.launches import Interference, Launching, host_and_device_arrays
from grader.worker.sliced.worker import the_slices

_MOST_LAUNCHES = 5000
_MOST_NUMBERS = 1 << 18
MOST_BYTES = 3 << 27  # room for all different arrays of a record; if they need more, `is_complete` is false


def watch(module: str, function: str, args: Sequence[Any]) -> dict[str, Any]:
    """Call a function or a scenario, and return what it returned and what was observed meanwhile.

    Returns:
        `value`: what it returned. `came_from`: key -> labels of that part of a dict. `work`: a `wire.Seen`, as a dict.
        `arrays`: the contents of arrays, each once; all entries below name an array by its index here. `launches`: for
        each launch a `scenarios.Launched`, as a dict. `copies`: direction and contents of each copy, in order.
        `is_complete`: whether there was room for everything. `is_thinned`: whether arrays were dropped to make room:
        arrays that a kernel left for its own next launch, and that nothing else uses; `arrays` holds empty ones in
        their place.
    """
    slices = the_slices()
    target = getattr(slices.load(module), function)
    record = Record()
    with devices.copies.reported_to(record.note_copy), slices.interfering(record.interfere):
        value, work = slices.call(target, args, full=True)  # else what is written into an array has no label
    parts = value if isinstance(value, dict) else {}
    launched = [
        {**msgspec.to_builtins(launch), **contents}
        for launch, contents in zip(slices.seen_launches(), record.launches, strict=False)
    ]
    return {
        "value": unwrap(value, is_answer=True),
        "came_from": {key: sorted(label_of(part)) for key, part in parts.items()},
        "work": msgspec.to_builtins(work),
        "launches": launched,
        "copies": record.copies,
        "arrays": record.arrays,
        "is_complete": record.is_complete,
        "is_thinned": record.is_thinned,
    }


def run_without(module: str, function: str, args: Sequence[Any], kernel: str, others: bool) -> dict[str, Any]:
    """Call `module.function(*args)` without the launches of `kernel`; with `others`, without those of all others.

    Returns:
        `value`: what it returned; None if it raised, given numbers that it never expected. `launches`: a `wire.Launch`
        for each launch, as a dict, also for those that were left out.
    """

    def interfere(launching: Launching) -> Any:
        return None if (launching.name == kernel) != others else launching.run()

    value = _try(module, function, args, interfere)
    return {"value": value, "launches": [msgspec.to_builtins(launch) for launch in the_slices().seen_launches()]}


def run_with_old_values(module: str, function: str, args: Sequence[Any], value: int) -> dict[str, Any]:
    """Call `module.function(*args)` while new memory of kernels holds `value`, as a GPU's holds what was there before.

    Returns:
        `tried`: that this was done; `value` as of `run_without`. On a GPU, shared and local arrays stay as they are.
    """
    with cuda_cpu.old_values(value) if cuda_cpu.array_class() else devices.memory.old_bytes(value % 256):
        return {"tried": True, "value": _try(module, function, args, None)}


def _try(module: str, function: str, args: Sequence[Any], interference: Interference | None) -> Any:
    """Return the value of a call in which `interference` replaces each launch; None if the call raises."""
    slices = the_slices()
    target = getattr(slices.load(module), function)
    with slices.interfering(interference):
        try:
            value, _ = slices.call(target, args, full=True)
        except Exception:  # noqa: BLE001 - student code, in a situation that it never expected
            return None
    return unwrap(value, is_answer=True)


class Record:
    """The arguments of launches, the contents of their arrays before and after, and all copies."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.launches: list[dict[str, Any]] = []
        self.copies: list[list[Any]] = []
        self.arrays: list[Any] = []
        self.is_complete, self.is_thinned = True, False
        self._places: dict[bytes, int] = {}
        self._left_bytes = most_bytes
        self._left_numbers = _MOST_NUMBERS

    def interfere(self, launching: Launching) -> Any:
        """Make a launch, and keep what its arrays hold before and after it."""
        given = [*host_and_device_arrays(launching.args)]
        filled = [(array, label) for array, label in zip(given, launching.labels, strict=True) if array.size]
        arrays = [array for array, _ in filled]
        told = [*launching.told, *(float(length) for array in given if not array.size for length in array.shape)]
        on_host = [array for array in arrays if not devices.is_on_device(array)]  # Numba copies them there and back
        for array in on_host:
            self.note_copy(devices.TO_DEVICE, array)
        before = [self.keep(array) for array in arrays]
        answer = launching.run()
        for array in on_host:
            self.note_copy(devices.TO_HOST, array)
        if len(self.launches) == _MOST_LAUNCHES:
            self.is_complete = False
            return answer
        constants = [array for array in host_and_device_arrays(launching.constants) if array.size]
        self.launches.append(
            {
                "kernel": launching.name,
                "place": launching.place,
                "functions": launching.functions,
                "before": before,
                "old": [place for place, (_, label) in zip(before, filled, strict=True) if devices.is_old(label)],
                "after": [self.keep(array) for array in arrays],
                "constants": [self.keep(array) for array in constants],
                "constants_from": sorted(launching.constants_from),
                "numbers": self._few([*_numbers([*launching.args, *launching.constants]), *told]),
            }
        )
        return answer

    def note_copy(self, direction: str, array: Any) -> None:
        """Keep direction and contents of a copy."""
        self.copies.append([direction, self.keep(array)])

    def keep(self, array: Any) -> int:
        """Keep the contents of an array, once, and return their index in `arrays`; -1 if there is no room."""
        with devices.copies.hidden():
            whole = np.ascontiguousarray(array.copy_to_host() if devices.is_on_device(array) else np.array(array))
        hashed = hashlib.sha256(f"{whole.dtype.str} {whole.shape}".encode())
        hashed.update(whole.reshape(-1).view(np.uint8).data)  # not `tobytes`: launches may have millions of numbers
        digest = hashed.digest()
        if digest not in self._places:
            if whole.nbytes > self._left_bytes:
                self._thin()
            if whole.nbytes > self._left_bytes:
                self.is_complete = False
                return -1
            self._left_bytes -= whole.nbytes
            self._places[digest] = len(self.arrays)
            self.arrays.append(whole)
        return self._places[digest]

    def _thin(self) -> None:
        """Drop arrays that kernels left for their own next launches, and that nothing else uses."""
        kept = (place for launch in self.launches for key in ("before", "after", "constants") for place in launch[key])
        uses = Counter([*kept, *(place for _, place in self.copies)])
        for earlier, later in pairwise(self.launches):
            is_same = all(earlier[key] == later[key] for key in ("kernel", "place"))
            passed_on = {*earlier["after"]} & {*later["before"]} if is_same else set()
            for place in passed_on:
                if place >= 0 and uses[place] == 2:  # noqa: PLR2004 - once left, and once found
                    earlier["after"][earlier["after"].index(place)] = -1
                    later["before"][later["before"].index(place)] = -1
                    self._left_bytes += self.arrays[place].nbytes
                    self.arrays[place] = np.zeros(0)
                    self.is_thinned = True
        self._places = {digest: place for digest, place in self._places.items() if self.arrays[place].size}

    def _few(self, numbers: list[float]) -> list[float]:
        self._left_numbers -= len(numbers)
        if self._left_numbers < 0:
            self.is_complete = False
            return []
        return numbers


def _numbers(values: Iterable[Any]) -> Iterator[float]:
    """Yield the numbers among a launch's arguments, those inside lists and tuples included."""
    for value in leaves(values):
        if isinstance(value, complex | np.complexfloating):
            yield from (float(value.real), float(value.imag))
        elif isinstance(value, float | int | np.number | np.bool_):
            yield float(value)
