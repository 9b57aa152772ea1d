"""Find the wrong parts of a submission, and run scenarios with the staff's versions in their place.

One mistake costs one check: a part that uses a wrong part is judged with the staff's version of the latter, from the
assignment's `right.py` (`grader.worker.substitutes` describes its form). A fixture lists the parts, each after those
that it needs:

    @pytest.fixture(scope="session")
    def runner(student, setup):
        return find_wrong(Runner.of(student, setup), [
            part("sums.add", ("sum_scenarios", "add"), (A, B), [("sums", "add")], {"total": A + B}),
            part("sums.Mean", ("sum_scenarios", "mean"), (A,), [("sums", "Mean")], {"mean": A.mean()}),
        ])

and checks run scenarios with it: `runner.run(scenario, args, uses, subject)`. Students have no `right.py`, so their kit
replaces nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from grader.authoring import Array, Note, Parts, Setup, Student, attempt, expect
from grader.authoring.judges import chains, scenarios, slices
from grader.authoring.judges.scenarios import SceneRun
from grader.worker import substitutes

_CHILD = substitutes.__name__
FILE = "right.py"
_WRONG = object()  # stands for what a judge returns that raised
Call = tuple[tuple[str, str], tuple[Any, ...]]  # module and function, and the arguments


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a homework that other parts use."""

    name: str  # module and name, such as `sums.Mean`
    judge: Callable[[Runner], object]  # raises a fault if the part is wrong


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs scenarios with the parts of a submission, but with the staff's versions of the wrong ones."""

    student: Student
    right: str  # the text of the staff's versions; empty in the students' kit, which does not have them
    wrong: tuple[str, ...] = ()  # the names of the wrong parts
    shared: frozenset[str] = frozenset()  # parts whose staff versions leave some work to the submission's own version

    @classmethod
    def of(cls, student: Student, setup: Setup, *shared: str) -> Runner:
        """Return a runner that replaces nothing; `shared` are the names for its field of that name."""
        right = setup.assignment.folder / FILE
        return cls(student, right.read_text("utf-8") if right.is_file() else "", shared=frozenset(shared))

    @property
    def replaced(self) -> tuple[str, ...]:
        """The names of the parts that the staff's versions replace."""
        return self.wrong if self.right else ()

    def without(self, *names: str) -> Runner:
        """Return a runner for which these parts are wrong, too."""
        return replace(self, wrong=tuple(dict.fromkeys((*self.wrong, *names))))

    def without_missing(self, uses: Parts) -> Runner:
        """Return a runner for which those of the parts are wrong, too, whose files are missing."""
        return self.without(*(f"{module}.{name}" for module, name in uses if f"{module}.py" in self.student.missing))

    def only(self, *names: str) -> Runner:
        """Return a runner for which, of the wrong parts, only these are wrong."""
        return replace(self, wrong=tuple(name for name in self.wrong if name in names))

    def wrapped(self, scenario: tuple[str, str], args: tuple[Any, ...], *, on_ranks: bool = False) -> Call:
        """Return the function that is called instead of a scenario, and its arguments."""
        if not self.replaced:
            return scenario, args
        return (_CHILD, "call_on_rank" if on_ranks else "call"), (self.right, list(self.replaced), *scenario, *args)

    def followed(self, uses: Parts) -> Parts:
        """Return those of the parts whose versions of the submission run."""
        gone = {*self.replaced} - self.shared
        return [(module, name) for module, name in uses if f"{module}.{name}" not in gone]

    def run(self, scenario: tuple[str, str], args: tuple[Any, ...], uses: Parts, subject: str) -> SceneRun:
        """Run a scenario, as `scenarios.run` does."""
        return scenarios.run(self.student, *self.wrapped(scenario, args), self.followed(uses), subject)

    def expect_followed(self, uses: Parts) -> None:
        """Raise `Inconclusive` unless all parts of the submission that run can be followed."""
        for module, name in self.followed(uses):
            slices.expect_closed(self.student, module, [name])

    def remark(self, note: Note) -> None:
        """Say which parts are wrong, and that the staff's versions run in their place."""
        if not self.wrong:
            return
        note.fact("replaced_by_the_staffs" if self.right else "wrong_parts", list(self.wrong))
        names, when = ", ".join(f"`{name}`" for name in self.wrong), "here" if self.right else "when staff grade,"
        sentence = f"{names}; {when} the staff's versions run in their place."
        note.remark(f"Wrong, or not followed, and judged by checks of their own: {sentence}")


def part(
    name: str,
    scenario: tuple[str, str],
    args: tuple[Any, ...],
    uses: Parts,
    right: Mapping[str, Array | float],
    *,
    by_kernels: bool = False,
) -> Part:
    """Return a part that is right if a scenario returns these numbers; with `by_kernels`, kernels must compute them."""

    def judge(runner: Runner) -> None:
        run = runner.run(scenario, args, uses, "it")

        def compare(value: dict[str, Any]) -> None:
            for key, wanted in right.items():
                expect(key, value.get(key), wanted, rtol=1e-4, atol=1e-8)

        compared = run.compared(compare, Note())
        if by_kernels and run.is_observed:
            known = [array for arg in args for array in (arg if isinstance(arg, list | tuple) else [arg])]
            known = [array for array in known if isinstance(array, np.ndarray)]
            chains.expect_made_by_kernels(compared, right, known, Note())

    return Part(name, judge)


def find_wrong(runner: Runner, parts: Iterable[Part]) -> Runner:
    """Try the parts in turn, and return a runner that replaces the wrong ones by the staff's versions.

    A part that its file lacks is not written yet, and is not replaced: that is no mistake. A missing file is one.

    Raises:
        WorkerError: the grader failed.
    """
    for component in parts:
        if component.name in runner.wrong or attempt(partial(component.judge, runner), _WRONG) is not _WRONG:
            continue
        module, _, own = component.name.partition(".")
        names = attempt(partial(runner.student.ask_whole, module, "", ()), None)
        if names is None:
            runner = runner.without_missing([(module, own)])
        elif isinstance(names.value, list) and own in names.value:
            runner = runner.without(component.name)
    return runner
