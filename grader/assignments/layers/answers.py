"""What every check of a layer asks of a scenario's answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from grader.assignments.layers import inputs, recipe
from grader.authoring import Array, Note, Parts, Setup, Student, expect, fail
from grader.authoring.comparison import Mistakes, as_array
from grader.authoring.judges import provenance, races, scenarios, slices
from grader.authoring.judges.makers import find_maker
from grader.authoring.judges.scenarios import SceneRun, Watched

Right = Mapping[str, tuple[Array, Array | float]]
"""Name of a result -> what is right, and the size of what is summed for it."""
Scenario = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Given:
    """The arguments of a scenario, and what is right for them."""

    args: tuple[Any, ...]
    right: Right

    @property
    def arrays(self) -> list[Array]:
        """The arrays among the arguments."""
        return [arg for arg in self.args if isinstance(arg, np.ndarray)]


@dataclass(frozen=True, slots=True)
class Drive:
    """How scenarios run: with the submission's Matrix, or, if that was found wrong, with the staff's in its place."""

    student: Student
    has_own_matrix: bool = True

    def run(self, scenario: Scenario, args: tuple[Any, ...], uses: Parts, subject: str) -> SceneRun:
        """Return what a scenario came to; see `scenarios.run`."""
        return scenarios.run(self.student, *self.wrapped(scenario, args), self.followed(uses), subject)

    def wrapped(self, scenario: Scenario, args: tuple[Any, ...]) -> tuple[Scenario, tuple[Any, ...]]:
        """Return the function of the staff that is called, and with what."""
        return (scenario, args) if self.has_own_matrix else (("staffs_matrix", "call"), (*scenario, *args))

    def followed(self, uses: Parts) -> Parts:
        """Return those parts of the submission that take part."""
        return [part for part in uses if self.has_own_matrix or part not in recipe.MATRIX]

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


def expect_right(
    run: SceneRun, right: Right, note: Note, *owners: str, mistakes: Mapping[str, Mistakes] | None = None
) -> Watched:
    """Return a run whose results are right up to round-off; `owners` as of `Run.compared`."""

    def compare() -> None:
        for name, (value, size) in right.items():
            words = f"{run.subject}: {name}"
            expect(words, run.value.get(name), value, atol=inputs.SHARE * size, mistakes=(mistakes or {}).get(name))

    return run.compared(compare, note, *owners)


def expect_on_host(run: Watched, right: Right, note: Note) -> None:
    """Fail if a kernel computes what the CPU path returns; flag results that are less exact than sums of float64.

    Raises:
        StudentFault: a kernel computes it.
        Inconclusive: nobody can say, because the run was not observed.
    """
    for name, (value, _) in right.items():
        if (maker := find_maker(run.seen.launches, value)) is not None:
            fail(
                f"{run.subject}: the kernel `{maker.kernel}` computes {name}.",
                hint="With cpu_only=True, nothing runs on the GPU.",
            )
    _flag_inexact(run, right, note)
    mixed = run.seen.mixed
    if "dW" in right and mixed > max(value.size for value, _ in right.values()):
        note.flag(
            f"{run.subject} works {mixed} times on whole arrays: does it go through entries with NumPy inside, or "
            "are these finite differences?"
        )


def _flag_inexact(run: Watched, right: Right, note: Note) -> None:
    """Flag results that are neither as exact as sums of float64 nor numbers of float32: finite differences are so."""
    for name, (value, size) in right.items():
        found = _array(run, name)
        off = float((np.abs(found - value) / np.maximum(size, 1e-300)).max())
        note.fact(f"largest_error_of_{name}", off)
        if off > inputs.EXACT and not _is_single(found):
            note.flag(f"{run.subject}: {name} is off by {off:.1g} of what is summed, more than float64 leaves: why?")


def expect_on_device(
    drive: Drive, scenario: Scenario, uses: Parts, run: Watched, given: Given, fresh: Given, note: Note
) -> None:
    """Fail unless kernels compute the results, which are right.

    Args:
        drive: Runs scenarios of the submission.
        scenario: Module and function of the staff.
        uses: What the scenario drives.
        run: A run of it.
        given: What that was given, and what is right.
        fresh: The same with numbers that nobody has seen.
        note: Takes launches and flags.
    """
    scenarios.expect_made_by_kernels(run, given.right, given.arrays, note)
    _flag_inexact(run, given.right, note)
    again = drive.run(scenario, fresh.args, uses, f"{run.subject}, called once more,")
    later = expect_right(again, fresh.right, note)
    scenarios.expect_made_by_kernels(later, fresh.right, fresh.arrays, note)
    _flag_zeros_taken_for_granted(drive, scenario, fresh.args, note)


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


def _array(run: Watched, name: str) -> Array:
    return numbers(run.value.get(name))


def _is_single(array: Array) -> bool:
    """Return whether all numbers are those of float32."""
    return bool(np.array_equal(array, array.astype(np.float32)))
