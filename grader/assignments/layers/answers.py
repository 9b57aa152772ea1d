"""What every check of a layer asks of a scenario's answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from grader.assignments.layers import inputs
from grader.authoring import Array, Note, Setup, Student, expect, fail
from grader.authoring.comparison import Mistakes, as_array
from grader.authoring.judges import races, scenarios, slices

Right = Mapping[str, tuple[Array, Array | float]]
"""Name of a result -> what is right, and the size of what is summed for it."""
OLD_VALUE = 100


def expect_right(run: scenarios.Run, right: Right, mistakes: Mapping[str, Mistakes] | None = None) -> None:
    """Fail unless the results are right up to round-off."""
    for name, (value, size) in right.items():
        words = f"{run.subject}: {name}"
        expect(words, run.value.get(name), value, atol=inputs.SHARE * size, mistakes=(mistakes or {}).get(name))


def expect_on_host(student: Student, run: scenarios.Run, right: Right, note: Note) -> None:
    """Fail if the CPU path launches a kernel; flag results that are less exact than sums of float64."""
    del student
    if run.launches:
        fail(
            f"{run.subject} launches the kernel `{run.launches[0].kernel}`.",
            hint="With cpu_only=True, nothing runs on the GPU.",
        )
    for name, (value, size) in right.items():
        off = float((np.abs(_array(run, name) - value) / np.maximum(size, 1e-300)).max())
        note.fact(f"largest_error_of_{name}", off)
        if off > inputs.EXACT and not _is_single(_array(run, name)):
            note.flag(f"{run.subject}: {name} is off by {off:.1g} of what is summed, more than float64 leaves: why?")
    entries = max(value.size for value, _ in right.values())
    if run.mixed > entries:
        note.flag(f"{run.subject} works {run.mixed} times on whole arrays: are these finite differences?")


def expect_on_device(
    student: Student,
    scenario: tuple[str, str],
    arguments: tuple[tuple[Any, ...], tuple[Any, ...]],
    uses: scenarios.Parts,
    run: scenarios.Run,
    right: Right,
    note: Note,
) -> None:
    """Fail unless kernels compute the results, which are right.

    Args:
        student: The submission.
        scenario: Module and function of the staff.
        arguments: Of `run`, and others that nobody has seen.
        uses: What the scenario drives.
        run: What was seen of it.
        right: The results.
        note: Takes launches and flags.
    """
    given, fresh = arguments
    scenarios.expect_followed(student, run, uses)
    known = [arg for arg in given if isinstance(arg, np.ndarray)]
    scenarios.expect_made_by_kernels(run, right, known, note)
    _flag_zeros_taken_for_granted(student, scenario, fresh, note)


def explained(
    student: Student, scenario: tuple[str, str], tiny: tuple[Any, ...], setup: Setup, note: Note, wide: tuple[Any, ...]
) -> Any:
    """Look for data races where results are wrong, or right by luck; see `races.explained`."""
    return races.explained(student, scenario, tiny, setup, note, wide)


def _flag_zeros_taken_for_granted(
    student: Student, scenario: tuple[str, str], args: tuple[Any, ...], note: Note
) -> None:
    """Tell a TA of results that need zeros in new memory of the device."""
    ask: Callable[..., dict[str, Any]] = partial(slices.observe, student, "sliced.kernels")
    nothing: dict[str, Any] = {"tried": False, "value": None}
    seen = ask("run_with_old_values", (*scenario, args, OLD_VALUE), nothing)
    plain = ask("run_without", (*scenario, args, "", False), {"value": None})
    if not (seen["tried"] and isinstance(seen["value"], dict) and isinstance(plain["value"], dict)):
        return
    if any(not _is_alike(value, seen["value"].get(name)) for name, value in plain["value"].items()):
        note.flag("right only where new memory of a kernel holds zeros, as it does here; a GPU leaves old values in it")


def _is_alike(one: Any, other: Any) -> bool:
    return bool(np.allclose(np.asarray(one, float), np.asarray(other, float), equal_nan=True))


def _array(run: scenarios.Run, name: str) -> Array:
    return np.asarray(as_array(run.value.get(name)))


def _is_single(array: Array) -> bool:
    """Return whether all numbers are those of float32."""
    return bool(np.array_equal(array, array.astype(np.float32)))
