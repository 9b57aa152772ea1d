"""Part 1: C ← α A B + β C, by each of the three steps."""

from dataclasses import replace

import numpy as np

from grader.assignments.gemm import products, recipe, steps
from grader.assignments.gemm.products import Product, RoundOff
from grader.authoring import Note, Setup, Student, StudentFault, attempt, check
from grader.authoring.judges import costs, races, slices
from grader.authoring.judges.scenarios import SceneRun

FACTORS = ((1.5, -0.5), (-2.0, 0.0), (1.0, 1.0), (0.5, 3.0), (1.0, 0.0), (-1.0, 0.25))
"""α and β of the products of `recipe.SHAPES`."""
TINY = 19, 18, 20  # more than a tile of 16 in each direction, and small enough to follow every access
FEWEST_LANES = 2.5  # lanes of a warp that load at a time, for sizes at which hardly any tile is full


def _draw_odd(rng: np.random.Generator, count: int) -> list[Product]:
    sizes = np.array(recipe.ODD) + 2 * rng.integers(0, 4, 3)  # no submission can know these before
    return [products.draw(rng, tuple(sizes.tolist()), FACTORS[0]) for _ in range(count)]


def _draw_all(rng: np.random.Generator) -> list[Product]:
    return [products.draw(rng, sizes, factors) for sizes, factors in zip(recipe.SHAPES, FACTORS, strict=True)]


def _expect_values(student: Student, step: str, rng: np.random.Generator, note: Note) -> None:
    """Fail unless all products of a step come out right, and kernels compute them."""
    errors: list[RoundOff] = []
    watched = [*_draw_odd(rng, 2), _draw_all(rng)[rng.integers(2, len(recipe.SHAPES))]]
    scenes = [(steps.run(student, step, product, f" of {product.words}"), product) for product in watched]
    runs = [steps.compare(scene, product, errors, note) for scene, product in scenes]
    many = _draw_all(rng)
    results = steps.run_all(student, step, many)
    for place, product in enumerate(many):
        words = steps.subject(step, product)
        errors.append(products.expect_round_off(words, results.get(str(place)), product, product.mistakes()))
    steps.remark(errors, note)
    for run, product in zip(runs, watched, strict=True):
        steps.expect_kernels(run, product, note)


def _expect_step(student: Student, step: str, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    tiny, wide = products.draw(rng, TINY, FACTORS[0]), *_draw_odd(rng, 1)
    call = recipe.SCENARIOS, "multiply"
    try:
        with races.explained(student, call, (step, *tiny.args), setup, note, (step, *wide.args)):
            _expect_values(student, step, rng, note)
    except StudentFault as fault:
        if fault.finding.hint or not steps.is_sound(student, step, even := products.draw(rng, recipe.EVEN, FACTORS[0])):
            raise
        sizes = even.words.partition(",")[0]
        hint = f"It is right for {sizes}: what is different where a tile is not full, or the sizes are not equal?"
        raise StudentFault(replace(fault.finding, hint=hint)) from fault
    if words := slices.find_old_values(student, call, (step, *tiny.args), steps.run(student, step, tiny).value):
        note.flag(words)


@check("gemm.naive.correct")
def test_naive(student: Student, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    """`gemm_naive` computes C ← α A B + β C for any sizes, by kernels, up to round-off."""
    _expect_step(student, "gemm_naive", rng, setup, note)


@check("gemm.tiled.correct")
def test_tiled(student: Student, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    """`gemm_tiled` computes C ← α A B + β C for any sizes, by kernels, up to round-off."""
    _expect_step(student, "gemm_tiled", rng, setup, note)
    call, args = (recipe.SCENARIOS, "multiply"), ("gemm_tiled", *products.draw(rng, TINY, FACTORS[0]).args)
    counted = attempt(lambda: costs.run(student, call, args, steps.uses("gemm_tiled"), "it").held_against, None)
    if counted is not None:
        steps.flag_few_lanes("gemm_tiled", counted, FEWEST_LANES, note)


@check("gemm.blocked.correct")
def test_blocked(student: Student, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    """`gemm_blocked` computes C ← α A B + β C for any sizes, by kernels, up to round-off."""
    _expect_step(student, "gemm_blocked", rng, setup, note)


@check("gemm.gemm.correct")
def test_gemm(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`gemm`, which everything else uses, computes the same by whichever step suits the sizes."""
    errors: list[RoundOff] = []
    right: list[tuple[SceneRun, Product]] = []
    faults: dict[str, StudentFault] = {}
    for product in (*_draw_odd(rng, 1), *_draw_all(rng), steps.plain(rng)):
        words, got = steps.subject(recipe.GEMM, product), None
        try:
            run = steps.run(student, recipe.GEMM, product, f" of {product.words}")
            got = run.value.get("C")
            errors.append(products.expect_round_off(words, got, product, product.mistakes()))
            right.append((run, product))
        except StudentFault as fault:
            if (step := _whose(student, product, got)) is None:
                raise
            faults.setdefault(step, fault)
    if not right:
        raise next(iter(faults.values()))
    for step in faults:
        note.remark(f"`gemm` is wrong where `{step}` is, which costs points there alone.")
    steps.remark(errors, note)
    for run, product in right:
        if product.C.size > 1:
            _expect_kernels(student, run, product, note)


def _expect_kernels(student: Student, run: SceneRun, product: Product, note: Note) -> None:
    """Fail unless kernels computed a product of `gemm`; only flag it if it comes from a step that failed its check."""
    try:
        steps.expect_kernels(steps.compare(run, product, [], note), product, note)
    except StudentFault:
        step = _whose(student, product, run.value.get("C"))
        if step is None or note.passed.get(steps.owner(step)) is not False:
            raise
        note.flag(f"the host computes products of `gemm` where it does so in `{step}`, which costs points there alone")


def _whose(student: Student, product: Product, got: object) -> str | None:
    """Return the step that gives the same wrong numbers, or that raises if `gemm` gave none; None if no step does."""
    for step in recipe.STEPS:
        try:
            own = steps.run(student, step, product).value.get("C")
        except StudentFault:
            if got is None:
                return step
            continue
        if got is not None and np.array_equal(np.asarray(own), np.asarray(got), equal_nan=True):
            return step
    return None
