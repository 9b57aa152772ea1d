"""Which parts of a submission are wrong, and scenarios with the staff's versions in their place.

One mistake costs one check: what uses a wrong part is judged with the staff's, which lie in the assignment's
`right.py` (`grader.worker.substitutes` says how they look). A fixture lists the parts in the order of their
needs:

    @pytest.fixture(scope="session")
    def runner(student, setup):
        return find_wrong(Runner.of(student, setup), [
            part("sums.add", ("sum_scenarios", "add"), (A, B), [("sums", "add")], {"total": A + B}),
            part("sums.Mean", ("sum_scenarios", "mean"), (A,), [("sums", "Mean")], {"mean": A.mean()}),
        ])

and checks call scenarios by it: `runner.run(scenario, args, uses, subject)`. Students have no `right.py`, so that in
their kit nothing is replaced.
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
Call = tuple[tuple[str, str], tuple[Any, ...]]
"""Module and function, and what it is called with."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a homework that others use."""

    name: str
    """Module and name, such as `sums.Mean`."""
    judge: Callable[[Runner], object]
    """Raises a fault if the part is wrong."""


@dataclass(frozen=True, slots=True)
class Runner:
    """How scenarios run: with parts of the submission, and the staff's in place of those that were found wrong."""

    student: Student
    right: str
    """The text of the staff's versions; empty where students check themselves, who do not have them."""
    wrong: tuple[str, ...] = ()
    """The names of parts that were found wrong."""
    shared: frozenset[str] = frozenset()
    """Those of which the staff's versions leave a part of the work to the submission's own."""

    @classmethod
    def of(cls, student: Student, setup: Setup, *shared: str) -> Runner:
        """Return one without anything replaced; `shared` as above."""
        right = setup.assignment.folder / FILE
        return cls(student, right.read_text("utf-8") if right.is_file() else "", shared=frozenset(shared))

    @property
    def replaced(self) -> tuple[str, ...]:
        """The names of those parts for which the staff's stand in."""
        return self.wrong if self.right else ()

    def without(self, *names: str) -> Runner:
        """Return one for which these parts are wrong, too."""
        return replace(self, wrong=tuple(dict.fromkeys((*self.wrong, *names))))

    def only(self, *names: str) -> Runner:
        """Return one for which no other parts than these are wrong."""
        return replace(self, wrong=tuple(name for name in self.wrong if name in names))

    def wrapped(self, scenario: tuple[str, str], args: tuple[Any, ...], *, on_ranks: bool = False) -> Call:
        """Return what is called instead of a scenario, and with what."""
        if not self.replaced:
            return scenario, args
        return (_CHILD, "call_on_rank" if on_ranks else "call"), (self.right, list(self.replaced), *scenario, *args)

    def followed(self, uses: Parts) -> Parts:
        """Return those parts of the submission that take part."""
        gone = {*self.replaced} - self.shared
        return [(module, name) for module, name in uses if f"{module}.{name}" not in gone]

    def run(self, scenario: tuple[str, str], args: tuple[Any, ...], uses: Parts, subject: str) -> SceneRun:
        """Return what a scenario came to, as `scenarios.run` does."""
        return scenarios.run(self.student, *self.wrapped(scenario, args), self.followed(uses), subject)

    def expect_followed(self, uses: Parts) -> None:
        """Raise `Inconclusive` unless all parts of the submission that take part can be followed."""
        for module, name in self.followed(uses):
            slices.expect_closed(self.student, module, [name])

    def remark(self, note: Note) -> None:
        """Say which parts are wrong, and whose take part."""
        if not self.wrong:
            return
        note.fact("replaced_by_the_staffs" if self.right else "wrong_parts", list(self.wrong))
        names, when = ", ".join(f"`{name}`" for name in self.wrong), "here" if self.right else "when staff grade,"
        sentence = f"{names}; {when} the staff's versions run in their place."
        note.remark(f"Wrong, and judged by checks of their own: {sentence}")


def part(
    name: str,
    scenario: tuple[str, str],
    args: tuple[Any, ...],
    uses: Parts,
    right: Mapping[str, Array | float],
    *,
    rtol: float = 1e-4,
    by_kernels: bool = False,
) -> Part:
    """Return a part that is right if a scenario returns these numbers, however it does that, unless kernels have to."""

    def judge(runner: Runner) -> None:
        run = runner.run(scenario, args, uses, "it")

        def compare(value: dict[str, Any]) -> None:
            for key, wanted in right.items():
                expect(key, value.get(key), wanted, rtol=rtol, atol=1e-8)

        compared = run.compared(compare, Note())
        if by_kernels and run.is_observed:
            known = [array for arg in args for array in (arg if isinstance(arg, list | tuple) else [arg])]
            known = [array for array in known if isinstance(array, np.ndarray)]
            chains.expect_made_by_kernels(compared, right, known, Note())

    return Part(name, judge)


def find_wrong(runner: Runner, parts: Iterable[Part]) -> Runner:
    """Return what runs scenarios with the staff's versions of those parts that are wrong, each tried in turn.

    What is missing is not written yet, and stays missing: that is no mistake.

    Raises:
        WorkerError: we failed.
    """
    for component in parts:
        if component.name in runner.wrong or attempt(partial(_is_right, component, runner), False):
            continue
        module, _, own = component.name.partition(".")
        names = attempt(partial(runner.student.ask_whole, module, "", ()), None)
        if names is not None and own in names.value:
            runner = runner.without(component.name)
    return runner


def _is_right(component: Part, runner: Runner) -> bool:
    component.judge(runner)
    return True
