"""The three steps of a submission, called with products."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.assignments.gemm import products, recipe
from grader.assignments.gemm.products import Product, RoundOff
from grader.authoring import Array, Inconclusive, Note, NotMeasured, Student, StudentFault, attempt, fail, hinted
from grader.authoring.judges import chains, scenarios, slices
from grader.authoring.judges.costs import Costs
from grader.authoring.judges.scenarios import SceneRun, Watched
from grader.authoring.judges.substitutes import Part, Runner

FEW = 16  # copies of at most so many numbers are settings, not matrices


def uses(step: str) -> tuple[tuple[str, str]]:
    """Return the functions that a scenario of one product calls."""
    return (("gemm", step),)


def subject(step: str, product: Product) -> str:
    """Return the beginning of sentences on a product."""
    return f"`{step}` of {product.words}:"


def run(student: Student, step: str, product: Product, words: str = "") -> SceneRun:
    """Return the run of a product by one step; see `scenarios.run`. `words` follow the step's name."""
    return scenarios.run(student, (recipe.SCENARIOS, "multiply"), (step, *product.args), uses(step), f"`{step}`{words}")


def owner(step: str) -> str:
    """Return the id of the check that fails for a wrong product by a step."""
    return f"gemm.{step.removeprefix('gemm_')}.correct"


def compare(run: SceneRun, product: Product, errors: list[RoundOff], note: Note, *owners: str) -> Watched:
    """Return a run of a right product, and add its round-off to `errors`; for `owners` see `Run.compared`."""

    def expect_product(value: dict[str, Any]) -> None:
        errors.append(products.expect_round_off(f"{run.subject}:", value.get("C"), product, product.mistakes()))

    return run.compared(expect_product, note, *owners)


def run_all(student: Student, step: str, many: Sequence[Product]) -> dict[str, object]:
    """Return the results of several products by one step; the keys are their positions, as text."""
    args = (step, [product.args for product in many])
    return scenarios.run(student, (recipe.SCENARIOS, "multiply_often"), args, uses(step), f"`{step}`").value


def plain(rng: np.random.Generator, kind: str = "float64") -> Product:
    """Return a product with α = 1 and β = 0, of sizes that are multiples of every tile."""
    return products.draw(rng, recipe.EVEN, (1.0, 0.0), kind)


def is_sound(student: Student, step: str, product: Product) -> bool:
    """Return whether a step computes a product, and, if the run was observed, whether a kernel does so.

    Raises:
        WorkerError: the grader failed.
        Inconclusive: the run could not be judged.
    """

    def judge() -> bool:
        scene = run(student, step, product)
        compared = compare(scene, product, [], Note())
        if scene.is_observed:
            expect_kernels(compared, product, Note())
        return True

    return attempt(judge, False, Inconclusive, NotMeasured)  # an undecided run is raised: it does not make a step wrong


def expect_kernels(compared: Watched, product: Product, note: Note) -> None:
    """Fail unless kernels computed a product that is right."""
    chains.expect_made_by_kernels(compared, ["C"], [product.A, product.B, product.C], note)


def parts(needed: Sequence[Product]) -> Iterator[Part]:
    """Yield `gemm`, once for each product that it has to get right, by kernels or not."""
    for product in needed:

        def judge(runner: Runner, product: Product = product) -> None:
            compare(run(runner.student, recipe.GEMM, product), product, [], Note())

        yield Part("gemm.gemm", judge)


def flag_few_lanes(step: str, costs: Costs, fewest: float, note: Note) -> None:
    """Tell a TA if few threads of each warp load from global memory: perhaps they compute for all the others."""
    if 0 < costs.lanes < fewest:
        words = f"of a warp's 32 threads, {costs.lanes:.2g} load from global memory at a time"
        note.flag(f"`{step}`: {words}: do these compute alone?")


def remark(errors: Sequence[RoundOff], note: Note) -> None:
    """Note the largest error of the products; it is round-off, not a bug."""
    if worst := max(errors, key=lambda error: error.share, default=None):
        note.fact("largest_error", worst.off)
        note.fact("largest_error_of_bound_percent", round(100 * worst.share, 2))
        note.remark(
            f"Round-off, and no bug: off by at most {worst.off:.2g}, {worst.share:.1%} of what round-off can reach."
        )


def count_copies(run: Watched, matrices: Sequence[Array]) -> int:
    """Return how many matrices were copied between host and device beyond what the scenario itself copies.

    Numba's own `to_device` is observed on a GPU only; the arrays that the scenario copies there are `matrices`.
    """
    large = [(way, array) for way, array in run.seen.copies if array.size > FEW and way != "on the device"]
    to_device = [array for way, array in large if way == "to device"]
    own = sum(any(np.array_equal(array, matrix, equal_nan=True) for matrix in matrices) for array in to_device)
    return max(0, len(large) - own - 1)  # one more of its own: C to the host


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a submission that compute a plain product; only these have to pass further checks."""

    student: Student
    betas: Mapping[str, float]
    """A step that computes a plain product -> 1.0 if it adds C, too; else 0.0, and another check fails for that."""

    def each(self) -> tuple[str, ...]:
        """Return their names.

        Raises:
            StudentFault: there is none.
            Inconclusive: the slice of one of them is open.
        """
        self.student.load("gemm")
        self.student.expect_spelt("gemm", *recipe.STEPS)
        if not self.betas:
            run(self.student, recipe.STEPS[0], plain(np.random.default_rng(1)))  # raises if it is not written yet
            fail("None of the three steps computes a plain product.", hint="Begin with gemm_naive: its check says why.")
        slices.expect_closed(self.student, "gemm", self.betas)
        return tuple(self.betas)

    def expect(self, product: Product, note: Note, sentence: str, hint: str) -> None:
        """Fail unless each of these steps computes a product by kernels; `sentence` follows the step's name."""
        errors: list[RoundOff] = []
        for step in self.each():
            with hinted(hint):
                scene = run(self.student, step, product, sentence)
            try:
                compared = compare(scene, product, errors, note)
            except StudentFault as fault:
                note.fact("wrong", step)
                raise StudentFault(replace(fault.finding, hint=hint)) from fault
            expect_kernels(compared, product, note)
        remark(errors, note)
