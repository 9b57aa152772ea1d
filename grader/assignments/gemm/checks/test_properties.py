"""Part 1: what a product has to fulfil beside its value. Only steps that compute a plain product are checked."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from grader.assignments.gemm import products, recipe, steps
from grader.assignments.gemm.answers import GEMM
from grader.assignments.gemm.products import Product, RoundOff
from grader.assignments.gemm.steps import Steps
from grader.authoring import Array, Inconclusive, Note, check, fail, hinted
from grader.authoring.comparison import as_array
from grader.authoring.judges import makers, scenarios
from grader.authoring.judges.scenarios import Watched
from grader.authoring.judges.substitutes import Runner

EVERY = 2, 3  # b and C of the check of strides are every second row and every third column of a larger array


@check("gemm.types")
def test_types(sound: Steps, rng: np.random.Generator, note: Note) -> None:
    """Each step takes float32 as well as float64."""
    hint = "All arrays may be float32: give shared and local ones the type of C, C.dtype."
    sound.expect(steps.plain(rng, "float32"), note, " of float32", hint)


@check("gemm.beta")
def test_beta(sound: Steps, rng: np.random.Generator, note: Note) -> None:
    """With β = 0, C is not read: NaN that was in it stays out."""
    product = steps.plain(rng)
    filled = replace(product, C=np.full_like(product.C, np.nan))
    hint = "0 · NaN is NaN: where β is 0, do not read C at all."
    sound.expect(filled, note, " with β = 0 and NaN in C", hint)


@check("gemm.specials")
def test_specials(sound: Steps, rng: np.random.Generator, note: Note) -> None:
    """NaN and infinity in A, B and, with β, in C reach every entry that they belong to, and no other."""
    plain = steps.plain(rng)
    plain.A[3, 5], plain.B[7, 9], plain.C[11, 13], plain.C[2, 4] = np.nan, np.inf, -np.inf, np.nan
    for step in sound.each():
        product = replace(plain, beta=sound.betas[step])
        compared = steps.run(sound.student, step, product).compared(partial(_expect_specials, step, product), note)
        expect_left_by_a_kernel(step, compared)
        if steps.count_copies(compared, (product.A, product.B, product.C)):
            note.flag(f"`{step}` copies arrays between host and device where A holds NaN: does a kernel multiply?")


def expect_left_by_a_kernel(step: str, compared: Watched) -> None:
    """Fail unless launches left C, with all its NaN; raise `Inconclusive` if not every launch is in the record."""
    if makers.find_makers(compared.seen.launches, compared.value["C"]):
        return
    if compared.seen.is_thinned:
        raise Inconclusive(f"`{step}` launches more than a record has room for. A TA should read it.")
    fail(f"`{step}`: no kernel computes a product with NaN in A.", hint="Let a kernel multiply any numbers.")


def _expect_specials(step: str, product: Product, value: dict[str, Any]) -> None:
    """Fail unless NaN and infinities stand where they belong: row 3, column 9, and the entries (11, 13) and (2, 4)."""
    got, right = as_array(value.get("C")), np.ones(product.C.shape)
    if product.beta:
        right[11, 13], right[2, 4] = -np.inf, np.nan
    right[:, 9] = np.sign(product.A[:, 7]) * np.inf
    right[3] = np.nan
    if not isinstance(got, np.ndarray) or got.shape != right.shape:
        fail(f"`{step}` left no {right.shape} array in C.", got=str(got))
    for name, test in (("NaN", np.isnan), ("+∞", np.isposinf), ("-∞", np.isneginf)):
        wrong = test(got) != test(right)
        if wrong.any():
            i, j = (int(axis) for axis in np.argwhere(wrong)[0])
            fail(
                f"`{step}`: with NaN in row 3 of A and C[2, 4], ∞ in column 9 of B, -∞ in C[11, 13]: {name} is wrong "
                f"in {int(wrong.sum())} entries.",
                expected=f"C[{i}, {j}] {'is' if test(right[i, j]) else 'is not'} {name}",
                got=str(got[i, j]),
                hint="Do not skip or clean any number: NaN says that something went wrong before.",
            )


@check("gemm.empty")
def test_empty(sound: Steps, rng: np.random.Generator) -> None:
    """Where A, B or C is empty, nothing is raised; with k = 0, C becomes β C."""
    for step in sound.each():
        for beta in dict.fromkeys((sound.betas[step], 0.0)):
            many = [products.draw(rng, sizes, (1.0, beta)) for sizes in recipe.EMPTY]
            with hinted("Where C is empty, return before the launch: a grid needs at least one block.", always=True):
                results = steps.run_all(sound.student, step, many)
            for place, product in enumerate(many):
                words = steps.subject(step, product)
                with hinted("With k = 0 there is nothing to add up: C becomes β C."):
                    products.expect_round_off(words, results.get(str(place)), product, {})


@check("gemm.strides")
def test_strides(sound: Steps, rng: np.random.Generator, note: Note) -> None:
    """A transposed A, and B and C with gaps between their numbers, cost no copy, and nothing between them changes."""
    product = steps.plain(rng)
    B, C = _spread(product.B), _spread(product.C)
    errors: list[RoundOff] = []
    call = (recipe.SCENARIOS, "multiply_views")
    hint = "A view needs no special case: index it, C[i, j], and Numba knows how far apart numbers are."
    for step in sound.each():
        args = (step, product.alpha, np.ascontiguousarray(product.A.T), B, product.beta, C, EVERY)
        with hinted(hint):
            run = scenarios.run(sound.student, call, args, steps.uses(step), f"`{step}` of views")
        views = run.compared(partial(_expect_views, step, product, C, errors), note)
        if copies := steps.count_copies(views, (product.A, B, C)):
            fail(
                f"`{step}` copies arrays between host and device.",
                expected="none",
                got=str(copies),
                hint="Give the kernel the arrays as they are: with indices, A[i, p], it reads them in whatever order.",
            )
        inside = views.value["C"][1 :: EVERY[0], 2 :: EVERY[1]]  # which launches get and leave, without what is around
        steps.expect_kernels(replace(views, value={"C": inside}), product, note)
        is_copied = any(way == "on the device" and array.size > steps.FEW for way, array in views.seen.copies)
        if (kernels := makers.find_aside(views.seen.launches, [inside], ())) or is_copied:
            note.flag(f"`{step}`: {kernels or 'a copy'} leaves numbers in other arrays than C: are views copied?")
    steps.remark(errors, note)


def _spread(matrix: Array) -> Array:
    """Return an array that holds a matrix in every second row and third column, beginning at (1, 2)."""
    rows, columns = matrix.shape
    wide = np.full((EVERY[0] * rows + 1, EVERY[1] * columns + 2), 7.0)
    wide[1 :: EVERY[0], 2 :: EVERY[1]] = matrix
    return wide


def _expect_views(step: str, product: Product, around: Array, errors: list[RoundOff], value: dict[str, Any]) -> None:
    """Fail unless a product of views is right, and the numbers around it are unchanged; add its error to `errors`."""
    got = as_array(value.get("C"))
    if not isinstance(got, np.ndarray) or got.shape != around.shape:
        fail(f"`{step}` left no {around.shape} array around C.", got=str(got))
    inside = got[1 :: EVERY[0], 2 :: EVERY[1]]
    words = f"`{step}` of an A that is transposed, and B and C with gaps between their numbers:"
    errors.append(products.expect_round_off(words, inside, product, {}))
    changed = got != around
    changed[1 :: EVERY[0], 2 :: EVERY[1]] = False
    if changed.any():
        fail(
            f"`{step}` writes {int(changed.sum())} numbers beside C.",
            expected="only entries of C change",
            hint="Use indices, C[i, j], and leave strides to Numba.",
        )


@check("gemm.shapes")
def test_shapes(sound: Steps, runner: Runner, rng: np.random.Generator) -> None:
    """Shapes that do not fit raise ValueError, and those that do fit raise nothing."""
    m, k, n = np.multiply(recipe.EVEN, rng.integers(1, 3, 3)).tolist()
    more = np.diag(rng.integers(1, 9, 3))
    fitting = [(m, k), (k, n), (m, n)]
    triples = [[(m, k), (k + p, n), (m + q, n + r)] for p, q, r in np.concatenate((more, -more)).tolist()]
    is_gemm_right = GEMM not in runner.replaced
    for step in (*sound.each(), *([recipe.GEMM] if is_gemm_right else [])):
        call, args = (recipe.SCENARIOS, "try_shapes"), (step, [*triples, fitting])
        run = scenarios.run(sound.student, call, args, steps.uses(step), f"`{step}` of wrong shapes")
        raised = run.value.get("raised")
        names = [str(name) for name in raised] if isinstance(raised, list) else []
        *wrong, right = names if len(names) == len(triples) + 1 else [""] * (len(triples) + 1)
        *tried, last = (f"`{step}` of A {A}, B {B}, C {C}" for A, B, C in (*triples, fitting))
        hint = "Compare the shapes before the launch, and raise ValueError with all three in the message."
        scenarios.expect_refusals(dict(zip(tried, wrong, strict=True)), hint)
        if right == "ValueError":
            fail(f"{last}: it raised ValueError.", expected="no exception: these shapes fit")
