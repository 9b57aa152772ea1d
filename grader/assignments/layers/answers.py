"""What each check of a layer demands of a scenario's answer, and how often a Matrix may copy numbers."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.assignments.layers import inputs
from grader.assignments.layers.inputs import Right
from grader.authoring import Array, Note, Parts, Setup, StudentFault, expect, fail
from grader.authoring.comparison import Mistakes, as_numbers, is_inexact
from grader.authoring.judges import chains, races, slices
from grader.authoring.judges.makers import find_maker
from grader.authoring.judges.scenarios import Launched, SceneRun, Watched
from grader.authoring.judges.substitutes import Runner

SET, WRITTEN, UNASKED = (
    "numbers of `set`",
    "numbers that a kernel wrote",
    "numbers of `set`, without a call of `copy_to_device`",
)
TO_DEVICE, TO_HOST = "to device", "to host"
MOST_COPIES = {
    (SET, TO_DEVICE): 1,
    (SET, TO_HOST): 0,
    (WRITTEN, TO_DEVICE): 1,  # the scenario's own copy, in place of a kernel
    (WRITTEN, TO_HOST): 1,
    (UNASKED, TO_DEVICE): 0,
    (UNASKED, TO_HOST): 0,
}
"""(Array of `ask_often`, direction) -> how often it may be copied."""
MOST_OF_ALL = {TO_DEVICE: 2, TO_HOST: 1}  # direction -> how many copies `ask_often` needs in all
CHECK_SHAPES = "Check the shapes before you compute; if one is wrong, raise ValueError and name it."


def expect_right(
    run: SceneRun, right: Right, note: Note, *owners: str, mistakes: Mapping[str, Mistakes] | None = None
) -> Watched:
    """Return a run whose results are right up to round-off; for `owners` see `Run.compared`."""

    def compare(results: dict[str, Any]) -> None:
        for name, (value, size) in right.items():
            words = f"{run.subject}: {name}"
            expect(words, results.get(name), value, atol=inputs.SHARE * size, mistakes=(mistakes or {}).get(name))

    return run.compared(compare, note, *owners)


def launches_of(runs: Iterable[tuple[Callable[[], SceneRun], Right, str]], note: Note) -> list[list[Launched]]:
    """Return the launches of each run, given (call, right results, check that owns them); raise if all runs raise.

    A run that raises has lost points in its own check; its list of launches is empty.
    """
    launches: list[list[Launched]] = []
    faults = []
    for call, right, owner in runs:
        try:
            run = call()
        except StudentFault as fault:
            faults.append(fault)
            launches.append([])
        else:
            launches.append([*expect_right(run, right, note, owner).seen.launches])
    if len(faults) == len(launches):
        raise faults[0]
    return launches


def expect_on_host(run: Watched, right: Right, note: Note, forward: SceneRun | None = None) -> None:
    """Fail if a kernel computes what the CPU path returns; flag results that are less exact than sums of float64.

    `forward` is a run of what a pass backward begins with, whose operations on whole arrays do not count for it.

    Raises:
        StudentFault: a kernel computes it.
        Inconclusive: the run was not observed.
    """
    for name, (value, _) in right.items():
        if (maker := find_maker(run.seen.launches, value)) is not None:
            fail(
                f"{run.subject}: the kernel `{maker.kernel}` computes {name}.",
                hint="With cpu_only=True, nothing runs on the GPU.",
            )
    others = [passed for name, passed in note.passed.items() if name.endswith(".cpu")]
    if run.seen.launches and all(others):  # a wrong CPU path, which may launch, has lost its points already
        kernel = run.seen.launches[0].kernel
        note.flag(f"{run.subject} launches `{kernel}`, and with cpu_only=True nothing has to run on the GPU: what for?")
    _flag_inexact(run, right, note)
    before = forward.held_against if forward else None
    mixed = run.seen.work.mixed - (before.work.mixed if before else 0)
    if "dW" in right and mixed > max(value.size for value, _ in right.values()):
        note.flag(
            f"{run.subject} works {mixed} times on whole arrays: does it go through entries with NumPy inside, or "
            "are these finite differences?"
        )


def _flag_inexact(run: Watched, right: Right, note: Note) -> None:
    """Flag results that are neither as exact as sums of float64 nor float32 numbers: perhaps finite differences."""
    for name, (value, size) in right.items():
        got = as_numbers(run.value.get(name))
        off = float((np.abs(got - value) / np.maximum(size, 1e-300)).max())
        note.fact(f"largest_error_of_{name}", off)
        if is_inexact(got, off):
            note.flag(f"{run.subject}: {name} is off by {off:.1g} of what is summed, more than float64 leaves: why?")


@dataclass(frozen=True, slots=True)
class Piece:
    """A method of a layer, or a loss, that runs on either path: how it is called, and what is right.

    Its arguments are those of the scenario but the last, which says whether the CPU path is meant.
    """

    name: str  # as in messages
    scenario: tuple[str, str]
    uses: Parts
    solve: Callable[..., Right]  # takes the arguments, returns the right results
    mistakes: Callable[..., Mapping[str, Mistakes]]  # likewise, name of a result -> what usual mistakes give

    def run(self, runner: Runner, args: tuple[Any, ...], *, cpu_only: bool) -> SceneRun:
        """Return a run."""
        subject = f"`{self.name}` on the {'CPU' if cpu_only else 'GPU'}"
        return runner.run(self.scenario, (*args, cpu_only), self.uses, subject)

    def compared(self, runner: Runner, args: tuple[Any, ...], note: Note, *, cpu_only: bool) -> Watched:
        """Return a compared run."""
        run = self.run(runner, args, cpu_only=cpu_only)
        return expect_right(run, self.solve(*args), note, mistakes=self.mistakes(*args))

    def expect_on_device(self, runner: Runner, drawn: Iterable[tuple[Any, ...]], setup: Setup, note: Note) -> None:
        """Fail unless kernels compute the right results of two calls; look for data races, see `races.explained`.

        `drawn` are the arguments of the first call, those of the second, and some small enough for the search.
        """
        args, fresh, tiny = drawn
        (call, wide), (_, small) = (runner.wrapped(self.scenario, (*given, False)) for given in (fresh, tiny))
        with races.explained(runner.student, call, small, setup, note, wide):
            run = self.compared(runner, args, note, cpu_only=False)
        self.expect_by_kernels(run, args, note)
        _flag_inexact(run, self.solve(*args), note)
        again = runner.run(self.scenario, (*fresh, False), self.uses, f"{run.subject}, called once more,")
        later = expect_right(again, self.solve(*fresh), note)
        self.expect_by_kernels(later, fresh, note)
        if words := slices.find_old_values(runner.student, call, wide, later.value):
            note.flag(words)

    def expect_by_kernels(self, run: Watched, args: tuple[Any, ...], note: Note) -> None:
        """Fail unless kernels compute the results of a right run with `args`."""
        arrays = [arg for arg in args if isinstance(arg, np.ndarray)]
        chains.expect_made_by_kernels(run, self.solve(*args), arrays, note)


def compare_asked(run: SceneRun, arrays: tuple[Array, ...], note: Note) -> Watched:
    """Return a run of `ask_often`, compared; wrong numbers cost points in `matrix.values`."""

    def compare(value: dict[str, Any]) -> None:
        for name, right in zip(("first", "second"), arrays, strict=False):
            expect(f"`copy_to_host()` of the {name} numbers", value.get(name), right, rtol=1e-6)

    return run.compared(compare, note, "matrix.values")


def count_copies(run: Watched, arrays: tuple[Array, ...]) -> dict[tuple[str, str], int]:
    """Return how often each of the three arrays that `ask_often` was given was copied, each way."""
    counts = dict.fromkeys(MOST_COPIES, 0)
    for way, copied in run.seen.copies:
        for name, array in zip((SET, WRITTEN, UNASKED), arrays, strict=True):
            is_same = copied.size == array.size and np.allclose(copied.ravel(), array.ravel(), rtol=1e-6)
            if is_same and (name, way) in counts:
                counts[name, way] += 1
    return counts


def is_needless(run: Watched, arrays: tuple[Array, ...]) -> bool:
    """Return whether anything was copied too often."""
    return any(count > MOST_COPIES[what] for what, count in count_copies(run, arrays).items())


def count_other_copies(run: Watched) -> int:
    """Return how many copies there were beyond the needed ones, of any numbers but equal ones."""
    ways = [way for way, array in run.seen.copies if array.size > 1 and (array != array.flat[0]).any()]
    return sum(max(0, ways.count(way) - most) for way, most in MOST_OF_ALL.items())
