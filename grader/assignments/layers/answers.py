"""What every check of a layer asks of a scenario's answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from grader.assignments.layers import inputs, recipe
from grader.authoring import Array, Note, Setup, Student, expect, fail
from grader.authoring.comparison import Mistakes, as_array
from grader.authoring.judges import provenance, races, scenarios, slices
from grader.authoring.judges.makers import find_maker

Right = Mapping[str, tuple[Array, Array | float]]
"""Name of a result -> what is right, and the size of what is summed for it."""
Scenario = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Drive:
    """How scenarios run: with the submission's Matrix, or, if that was found wrong, with the staff's in its place."""

    student: Student
    has_own_matrix: bool = True

    def run(self, scenario: Scenario, args: tuple[Any, ...], uses: scenarios.Parts, subject: str) -> scenarios.Run:
        """Return what a scenario came to; see `scenarios.run`."""
        return scenarios.run(self.student, *self.wrapped(scenario, args), self.followed(uses), subject)

    def wrapped(self, scenario: Scenario, args: tuple[Any, ...]) -> tuple[Scenario, tuple[Any, ...]]:
        """Return the function of the staff that is called, and with what."""
        return (scenario, args) if self.has_own_matrix else (("staffs_matrix", "call"), (*scenario, *args))

    def followed(self, uses: scenarios.Parts) -> scenarios.Parts:
        """Return those parts of the submission that take part."""
        return [part for part in uses if self.has_own_matrix or part not in recipe.MATRIX]

    def expect_followed(self, run: scenarios.Run, uses: scenarios.Parts) -> None:
        """Raise `Inconclusive` unless a run was observed, and all that took part can be followed."""
        scenarios.expect_followed(self.student, run, self.followed(uses))

    def explained(
        self, scenario: Scenario, tiny: tuple[Any, ...], setup: Setup, note: Note, wide: tuple[Any, ...]
    ) -> AbstractContextManager[None]:
        """Look for data races where results are wrong, or right by luck; see `races.explained`."""
        call, small = self.wrapped(scenario, tiny)
        return races.explained(self.student, call, small, setup, note, self.wrapped(scenario, wide)[1])


def expect_refusals(raised_by: Mapping[str, str]) -> None:
    """Fail unless everything that was tried raised ValueError; what was tried -> the exception's name, or nothing."""
    for words, raised in raised_by.items():
        if raised != "ValueError":
            fail(
                f"{words}: {f'it raised {raised}' if raised else 'nothing was raised'}.",
                expected="ValueError",
                got=raised or "no exception",
                hint="Compare the shapes before anything is computed, and raise ValueError with both in the message.",
            )


def expect_right(run: scenarios.Run, right: Right, mistakes: Mapping[str, Mistakes] | None = None) -> None:
    """Fail unless the results are right up to round-off."""
    for name, (value, size) in right.items():
        words = f"{run.subject}: {name}"
        expect(words, run.value.get(name), value, atol=inputs.SHARE * size, mistakes=(mistakes or {}).get(name))


def expect_on_host(drive: Drive, run: scenarios.Run, uses: scenarios.Parts, right: Right, note: Note) -> None:
    """Fail if a kernel computes what the CPU path returns; flag results that are less exact than sums of float64.

    Raises:
        StudentFault: a kernel computes it.
        Inconclusive: nobody can say, because the run was not observed.
    """
    drive.expect_followed(run, uses)
    for name, (value, _) in right.items():
        if (maker := find_maker(run.launches, value)) is not None:
            fail(
                f"{run.subject}: the kernel `{maker.kernel}` computes {name}.",
                hint="With cpu_only=True, nothing runs on the GPU.",
            )
    _flag_inexact(run, right, note)
    if "dW" in right and run.mixed > max(value.size for value, _ in right.values()):
        note.flag(
            f"{run.subject} works {run.mixed} times on whole arrays: does it go through entries with NumPy inside, or "
            "are these finite differences?"
        )


def _flag_inexact(run: scenarios.Run, right: Right, note: Note) -> None:
    """Flag results that are neither as exact as sums of float64 nor numbers of float32: finite differences are so."""
    for name, (value, size) in right.items():
        found = _array(run, name)
        off = float((np.abs(found - value) / np.maximum(size, 1e-300)).max())
        note.fact(f"largest_error_of_{name}", off)
        if off > inputs.EXACT and not _is_single(found):
            note.flag(f"{run.subject}: {name} is off by {off:.1g} of what is summed, more than float64 leaves: why?")


def expect_on_device(
    drive: Drive,
    scenario: Scenario,
    arguments: tuple[tuple[Any, ...], tuple[Any, ...]],
    uses: scenarios.Parts,
    run: scenarios.Run,
    right: Right,
    note: Note,
) -> None:
    """Fail unless kernels compute the results, which are right.

    Args:
        drive: Runs scenarios of the submission.
        scenario: Module and function of the staff.
        arguments: Of `run`, and others that nobody has seen.
        uses: What the scenario drives.
        run: What was seen of it.
        right: The results.
        note: Takes launches and flags.
    """
    given, fresh = arguments
    drive.expect_followed(run, uses)
    known = [arg for arg in given if isinstance(arg, np.ndarray)]
    scenarios.expect_made_by_kernels(run, right, known, note)
    _flag_inexact(run, right, note)
    later = drive.run(scenario, fresh, uses, f"{run.subject}, called once more,")
    scenarios.expect_made_by_kernels(later, right, [arg for arg in fresh if isinstance(arg, np.ndarray)], note)
    _flag_zeros_taken_for_granted(drive, scenario, fresh, note)


def _flag_zeros_taken_for_granted(drive: Drive, scenario: Scenario, args: tuple[Any, ...], note: Note) -> None:
    """Tell a TA of results that need zeros in new memory of the device."""
    ask: Callable[..., dict[str, Any]] = partial(slices.observe, drive.student, "sliced.kernels")
    call, given = drive.wrapped(scenario, args)
    nothing: dict[str, Any] = {"tried": False, "value": None}
    seen = ask("run_with_old_values", (*call, given, provenance.OLD_VALUE), nothing)
    plain = ask("run_without", (*call, given, "", False), {"value": None})
    if not (seen["tried"] and isinstance(seen["value"], dict) and isinstance(plain["value"], dict)):
        return
    if any(not _is_alike(value, seen["value"].get(name)) for name, value in plain["value"].items()):
        note.flag("right only where new memory of a kernel holds zeros, as it does here; a GPU leaves old values in it")


def _is_alike(one: Any, other: Any) -> bool:
    first, second = numbers(one), numbers(other)
    return first.shape == second.shape and bool(np.allclose(first, second, equal_nan=True))


def numbers(value: Any) -> Array:
    """Return a value as an array of float64; an empty one if it is no numbers."""
    found = as_array(value)
    return found.astype(float) if isinstance(found, np.ndarray) else np.empty(0)


def _array(run: scenarios.Run, name: str) -> Array:
    return numbers(run.value.get(name))


def _is_single(array: Array) -> bool:
    """Return whether all numbers are those of float32."""
    return bool(np.array_equal(array, array.astype(np.float32)))
