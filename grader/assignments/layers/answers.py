"""What every check of a layer asks of a scenario's answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.assignments.layers import inputs
from grader.authoring import Array, Note, Parts, Setup, StudentFault, expect, fail
from grader.authoring.comparison import Mistakes, as_array
from grader.authoring.judges import kernels, races, slices
from grader.authoring.judges.makers import find_maker
from grader.authoring.judges.scenarios import Launched, SceneRun, Watched
from grader.authoring.judges.substitutes import Runner

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


def explained(
    runner: Runner, scenario: Scenario, tiny: tuple[Any, ...], setup: Setup, note: Note, wide: tuple[Any, ...]
) -> AbstractContextManager[None]:
    """Look for data races where results are wrong, or right by luck; see `races.explained`."""
    call, small = runner.wrapped(scenario, tiny)
    return races.explained(runner.student, call, small, setup, note, runner.wrapped(scenario, wide)[1])


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

    def compare(found: dict[str, Any]) -> None:
        for name, (value, size) in right.items():
            words = f"{run.subject}: {name}"
            expect(words, found.get(name), value, atol=inputs.SHARE * size, mistakes=(mistakes or {}).get(name))

    return run.compared(compare, note, *owners)


def launches_of(runs: Iterable[tuple[Callable[[], SceneRun], Right, str]], note: Note) -> list[list[Launched]]:
    """Return the launches of each run, given what is right and the check that owns it; raise if all runs raise.

    A run that raises lost its own points already, and has no launches here.
    """
    found: list[list[Launched]] = []
    faults = []
    for run, right, owner in runs:
        try:
            made = run()
        except StudentFault as fault:
            faults.append(fault)
            found.append([])
            continue
        found.append([*expect_right(made, right, note, owner).seen.launches])
    if len(faults) == len(found):
        raise faults[0]
    return found


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
    mixed = run.seen.work.mixed
    if "dW" in right and mixed > max(value.size for value, _ in right.values()):
        note.flag(
            f"{run.subject} works {mixed} times on whole arrays: does it go through entries with NumPy inside, or "
            "are these finite differences?"
        )


def _flag_inexact(run: Watched, right: Right, note: Note) -> None:
    """Flag results that are neither as exact as sums of float64 nor numbers of float32: finite differences are so."""
    for name, (value, size) in right.items():
        found = numbers(run.value.get(name))
        off = float((np.abs(found - value) / np.maximum(size, 1e-300)).max())
        note.fact(f"largest_error_of_{name}", off)
        if off > inputs.EXACT and not np.array_equal(found, found.astype(np.float32)):
            note.flag(f"{run.subject}: {name} is off by {off:.1g} of what is summed, more than float64 leaves: why?")


def expect_on_device(
    runner: Runner, scenario: Scenario, uses: Parts, run: Watched, given: Given, fresh: Given, note: Note
) -> None:
    """Fail unless kernels compute the results, which are right.

    Args:
        runner: Runs scenarios of the submission.
        scenario: Module and function of the staff.
        uses: What the scenario drives.
        run: A run of it.
        given: What that was given, and what is right.
        fresh: The same with numbers that nobody has seen.
        note: Takes launches and flags.
    """
    kernels.expect_made_by_kernels(run, given.right, given.arrays, note)
    _flag_inexact(run, given.right, note)
    again = runner.run(scenario, fresh.args, uses, f"{run.subject}, called once more,")
    later = expect_right(again, fresh.right, note)
    kernels.expect_made_by_kernels(later, fresh.right, fresh.arrays, note)
    call, args = runner.wrapped(scenario, fresh.args)
    if words := slices.find_old_values(runner.student, call, args, later.value):
        note.flag(words)


def numbers(value: Any) -> Array:
    """Return a value as an array of float64; an empty one if it is no numbers."""
    found = as_array(value)
    return found.astype(float) if isinstance(found, np.ndarray) else np.empty(0)
