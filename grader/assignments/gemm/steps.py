"""The three steps of a submission, called with products."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.assignments.gemm import products, recipe, roundoff
from grader.assignments.gemm.products import Product
from grader.authoring import Array, Inconclusive, Note, NotMeasured, Parts, Student, StudentFault, WorkerError, fail
from grader.authoring.judges import kernels, scenarios, slices
from grader.authoring.judges.costs import Costs
from grader.authoring.judges.scenarios import SceneRun, Watched

OWN_COPIES = 1
"""The scenario's, of C to the host; those of A, B and C to the device are told by their contents."""
FEW = 16
"""Copies of so many numbers are of settings, not of matrices."""


def uses(step: str) -> Parts:
    """Return what a scenario of one product drives."""
    return (("gemm", step),)


def subject(step: str, product: Product) -> str:
    """Return how sentences on a product begin."""
    return f"`{step}` of {product.words}:"


def run(student: Student, step: str, product: Product, words: str = "") -> SceneRun:
    """Return what a product by one step came to; see `scenarios.run`. `words` follow the step's name."""
    given = (step, *product.given)
    return scenarios.run(student, (recipe.SCENARIOS, "multiply"), given, uses(step), f"`{step}`{words}")


def owner(step: str) -> str:
    """Return the id of the check that a wrong product by a step belongs to."""
    return f"gemm.{step.removeprefix('gemm_')}.correct"


def compare(run: SceneRun, product: Product, note: Note, *owners: str) -> Watched:
    """Return a run of a product that is right up to round-off; `owners` as of `Run.compared`."""

    def expect_product(value: dict[str, Any]) -> None:
        roundoff.expect_round_off(f"{run.subject}:", value.get("C"), product, {})

    return run.compared(expect_product, note, *owners)


def run_all(student: Student, step: str, many: Sequence[Product]) -> dict[str, object]:
    """Return what several products by one step came to, by their places as text."""
    given = (step, [product.given for product in many])
    return scenarios.run(student, (recipe.SCENARIOS, "multiply_often"), given, uses(step), f"`{step}`").value


def plain(rng: np.random.Generator, kind: str = "float64") -> Product:
    """Return a product without factors, of sizes that suit every tile."""
    return products.draw(rng, recipe.EVEN, (1.0, 0.0), kind)


def is_sound(student: Student, step: str, product: Product, *, by_kernels: bool = True) -> bool:
    """Return whether a step computes a product, and, if that is asked and can be seen, whether a kernel does so.

    Raises:
        WorkerError: we failed.
        Inconclusive: nobody can say.
    """
    try:
        found = run(student, step, product)
        compared = compare(found, product, Note())
        if by_kernels and found.is_observed:
            expect_kernels(compared, product, Note())
    except (WorkerError, Inconclusive, NotMeasured):  # nothing is known of the step, and nothing may be held against it
        raise
    except Exception:  # noqa: BLE001 - whatever is wrong with it, its own check says so
        return False
    return True


def expect_kernels(found: Watched, product: Product, note: Note) -> None:
    """Fail unless kernels computed a product that is right."""
    kernels.expect_made_by_kernels(found, ["C"], [product.A, product.B, product.C], note)


def flag_few_lanes(step: str, found: Costs, fewest: float, note: Note) -> None:
    """Tell a TA if hardly a thread of each warp loads from global memory: perhaps it works for all of them."""
    if 0 < found.lanes < fewest:
        words = f"of a warp's 32 threads, {found.lanes:.2g} load from global memory at a time"
        note.flag(f"`{step}`: {words}: do these compute alone?")


def remark(seen: Sequence[roundoff.Seen], note: Note) -> None:
    """Say which of the two was seen, round-off or a bug, and how much of it."""
    if worst := max(seen, key=lambda one: one.share, default=None):
        note.fact("largest_error", worst.off)
        note.fact("largest_error_of_bound_percent", round(100 * worst.share, 2))
        note.remark(worst.words())


def count_copies(run: Watched, given: Sequence[Array]) -> int:
    """Return how many matrices were copied between host and device beyond what the scenario itself copies.

    Numba's own `to_device` is seen on a GPU only: what it carries there are the `given` matrices.
    """
    large = [(way, array) for way, array in run.seen.copies if array.size > FEW]
    own = sum(way == "to device" and any(np.array_equal(array, one) for one in given) for way, array in large)
    return max(0, len(large) - own - OWN_COPIES)


@contextmanager
def hinted(hint: str) -> Iterator[None]:
    """Give a hint to a fault that has none."""
    try:
        yield
    except StudentFault as fault:
        if fault.finding.hint:
            raise
        raise StudentFault(replace(fault.finding, hint=hint)) from fault


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a submission that compute a plain product: those of which checks ask for more."""

    student: Student
    names: tuple[str, ...]

    def each(self) -> tuple[str, ...]:
        """Return their names.

        Raises:
            StudentFault: there is none.
            Inconclusive: nobody can say whether kernels compute what one of them leaves.
        """
        self.student.load("gemm")
        self.student.expect_spelt("gemm", *recipe.STEPS)
        if not self.names:
            m, k, n = recipe.EVEN
            fail(
                f"None of the three steps computes a plain product ({m} × {k}) · ({k} × {n}).",
                hint="Begin with gemm_naive: its own check says what is wrong with it.",
            )
        slices.expect_closed(self.student, "gemm", self.names)
        return self.names

    def expect(self, given: Product, note: Note, sentence: str, hint: str) -> None:
        """Fail unless each of them computes a product by kernels; `sentence` follows the step's name."""
        seen = []
        for step in self.each():
            with hinted(hint):
                found = run(self.student, step, given, sentence)
            try:
                product = compare(found, given, note)
            except StudentFault as fault:
                note.fact("wrong", step)
                raise StudentFault(replace(fault.finding, hint=hint)) from fault
            seen.append(roundoff.expect_round_off("", found.value.get("C"), given))
            expect_kernels(product, given, note)
        remark(seen, note)
