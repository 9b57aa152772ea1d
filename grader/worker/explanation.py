"""Observe what the kernels of a call do to memory; this runs in the worker of slices, on the executor."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from grader.cuda_cpu import Launch, checking, counting, describe_costs, observe_launches, two_threads, work_of_two
from grader.slices.policy import as_written
from grader.worker.sliced.labels import unwrap
from grader.worker.sliced.worker import the_slices

if TYPE_CHECKING:
    from grader.cuda_cpu.tracing.costs import LaunchCosts

_MAX_SENTENCES = 40
_MUCH = 50  # a thread is idle if another has over so many times its accesses, and more than the square of this number
_TIMINGS = 3  # how often two threads are timed; the shortest time counts, because disturbances only add time


def find_races(module: str, function: str, args: Sequence[Any], most: int = 0) -> dict[str, Any]:
    """Call `module.function(*args)` and look for data races, among the first `most` accesses of each thread if not 0.

    Returns:
        `found`: sentences on data races and the like. `complete`: whether every access was followed.
    """
    call = _observed(module, function, args)
    with checking(most) as findings:
        call()
    return {"found": [*map(as_written, findings.describe()[:_MAX_SENTENCES])], "complete": not findings.notes}


def explain_launches(module: str, function: str, args: Sequence[Any]) -> dict[str, Any]:
    """Call `module.function(*args)` twice and return sentences on its launches.

    Returns:
        `found`: data races and other findings of check mode. `counted`: coalescing, bank conflicts, barriers and
        divergence, counted and not timed.
    """
    races = find_races(module, function, args)
    call = _observed(module, function, args)
    with counting() as figures:
        call()
    counted = [sentence for launch in figures.launches for sentence in describe_costs(launch)]
    return {**races, "counted": [*map(as_written, counted[:_MAX_SENTENCES])]}


def count_accesses(module: str, function: str, args: Sequence[Any]) -> dict[str, Any]:
    """Call `module.function(*args)` and count what its launches ask of memory; nothing is timed.

    Returns:
        `kernels`: the names of what is launched, as slices know them. `launches`: for each the numbers of a
        `judges.costs.Costs`. `complete`: whether every access was followed. `value`: what it returned.
    """
    call = _observed(module, function, args)
    with counting() as figures:
        value = call()
    launches = [_describe_accesses(launch) for launch in figures.launches]
    kernels = [launch.kernel for launch in the_slices().seen_launches()]
    return {"kernels": kernels, "launches": launches, "complete": not figures.notes, "value": value}


def _describe_accesses(launch: LaunchCosts) -> dict[str, Any]:
    loads = [place for place in launch.places if place.kind in {"load", "atomic"}]
    loaded = {
        space: sum(place.accesses * place.element_bytes for place in loads if place.space == space)
        for space in ("global", "shared")
    }
    return {
        "threads": launch.active_threads,
        "exchanges": launch.exchanges,
        "loads": sum(place.accesses for place in loads if place.space == "global"),
        "requests": sum(place.requests for place in loads if place.space == "global"),
        "global_bytes": loaded["global"],
        "shared_bytes": loaded["shared"],
        "passes": launch.total("passes", space="shared"),
        "least_passes": launch.total("least_passes", space="shared"),
    }


def find_repeated_work(module: str, function: str, small: Sequence[Any], wide: Sequence[Any]) -> dict[str, Any]:
    """Call `module.function` with two threads of each launch, and look whether both write the same entries.

    With `small` arguments every access can be followed. If both write the same entries, the two threads are timed with
    the `wide` arguments, of the sheet's size; else a run with these shows whether one thread has nothing to do.

    Returns:
        `array`: the name of an array of which both threads wrote the same entries, empty if there is none. `threads`:
        how many a call launches. `predicted_s`: how long all of them would take. `is_idle`: whether one of the threads
        does next to nothing beside the other.
    """
    at_size = _observed(module, function, wide)
    with two_threads():
        at_size()  # first of all: a function may keep memory that fits the sheet's size only
    first, second = (work.writes for work in work_of_two(_observed(module, function, small)))
    array = next((name for name in first if first[name] == second.get(name)), "")
    if not array:
        few, many = sorted(work.accesses for work in work_of_two(at_size))
        return {"array": "", "threads": 0, "predicted_s": 0.0, "is_idle": _MUCH * few < many > _MUCH * _MUCH}
    predicted_s, threads = min(_predict(at_size) for _ in range(_TIMINGS))
    return {"array": as_written(array), "threads": threads, "predicted_s": predicted_s, "is_idle": False}


def _observed(module: str, function: str, args: Sequence[Any]) -> Callable[[], Any]:
    """Return a function that calls the target with observed arguments, so that arrays that it keeps have labels."""
    slices = the_slices()
    target = getattr(slices.load(module), function)
    return lambda: unwrap(slices.call(target, args, full=False)[0])


def _predict(call: Callable[[], object]) -> tuple[float, int]:
    """Return how long the launches of `call` would take, by the time of two threads of each, and how many they have."""
    launches: list[Launch] = []
    with two_threads(), observe_launches(launches.append):
        call()
    sizes = [math.prod(launch.grid) * math.prod(launch.block) for launch in launches]
    return sum(launch.wall_s / 2 * size for launch, size in zip(launches, sizes, strict=True)), sum(sizes)
