"""Part 5: training with the samples divided among ranks; kernels on GPUs compute the products."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from grader.assignments.distributed import hints, recipe, work
from grader.assignments.distributed.solutions import Data
from grader.authoring import Args, Array, Inconclusive, Note, NotMeasured, Setup, Student, check, expect, fail
from grader.authoring.judges import kernels, loops, races, ranks
from grader.authoring.judges.ranks import RanksRun, Traced, Values
from grader.authoring.judges.substitutes import Runner

MULTIPLY = ("gpu_parallel", "multiply_on_gpu")
TRAINED = ("gpu_scenarios", "trained")
USES = (("gpu_parallel", "train"), MULTIPLY)
SHAPES = ((33, 20, 17), (1, 7, 5), (50, 41, 1), (5, 1, 9))  # rows of A, columns of A and so rows of B, columns of B
EXACT = 1e-9
MOSTLY = 0.5
DRAWN = 2  # how many products of a rank after the first step are checked, one by one
_USE_IT = "Let `multiply_on_gpu` make every product of matrices: two on the way forward, three on the way back."


def _draw(rng: np.random.Generator, shape: tuple[int, int, int] = SHAPES[0]) -> Args:
    rows, inner, columns = shape
    return rng.normal(size=(rows, inner)), rng.normal(size=(inner, columns))


def _solve(A: Array, B: Array) -> tuple[Array, Array]:
    return A @ B, 1e-13 * (np.abs(A) @ np.abs(B)) + 1e-300


@check("gpu.products")
def test_products(student: Student, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    """`multiply_on_gpu(A, B)` returns A·B for any sizes, made by a kernel."""
    drawn = [_draw(rng, shape) for shape in (*SHAPES, SHAPES[0])]
    with races.explained(student, MULTIPLY, drawn[0], setup, note):
        for args in drawn:
            run = student.run(*MULTIPLY, args, watch_inputs=True, record_launches=True, full=True)
            answer = run.compared(partial(_expect_product, *args), note)
            kernels.expect_launched(answer, MULTIPLY[1], "multiply_kernel[blocks, threads](A, B, C)")
            note.flag_overwritten(run, MULTIPLY[1])
    kernels.expect_from_kernels(student, MULTIPLY, answer, partial(_draw, rng), _solve, note)


def _expect_product(A: Array, B: Array, value: Any) -> None:
    kernels.expect_returned(value, MULTIPLY[1])
    right, tolerance = _solve(A, B)
    shorter = {"The last product of each sum is missing.": A[:, :-1] @ B[:-1]} if len(B) > 1 else {}
    subject = f"`multiply_on_gpu` of {len(A)} × {len(B)} and {len(B)} × {B.shape[1]} numbers"
    expect(subject, value, right, atol=tolerance, mistakes=shorter)


@check("gpu.training")
def test_training(runner: Runner, data: Data, rng: np.random.Generator, note: Note) -> None:
    """`train` of `gpu_parallel` ends as that of one process does; every rank computes by `multiply_on_gpu`."""
    staffs = runner.without(".".join(MULTIPLY))
    if note.passed.get("gpu.products") is not False or not staffs.replaced:
        _train(runner, data, 2).compared(partial(_expect_trained, data), note)
    if not staffs.replaced:  # in the kit, where nothing is replaced
        return
    for size in (1, 3):
        trained = _train(staffs, data, size).compared(partial(_expect_trained, data), note)
        _expect_work_of_all(runner.student, trained, len(data.inputs), note)
    first = _train(staffs, data, 2, steps=1).value
    _expect_used(partial(_train, staffs, data, 2, steps=1), first, 1, _products_of(first[1]))
    for spoiler in (1, 2):  # no rank trains for all if rank 0's results need the products of two others
        later = [*_products_of(trained.value[spoiler])][len(_products_of(first[1])) :]
        places = rng.choice(later, min(len(later), DRAWN), replace=False)
        _expect_used(partial(_train, staffs, data, 3), trained.value, spoiler, places)


def _products_of(value: dict[str, Any]) -> dict[int, int]:
    """Return place among a rank's products -> multiplications, without tiny products, which only make Numba compile."""
    sizes = [int(np.prod(shape)) for shape in value.get("products", ())]
    return {place: size for place, size in enumerate(sizes) if size >= recipe.HIDDEN * recipe.CLASSES}  # one sample's


def _expect_used(train: Callable[..., RanksRun], values: Values, spoiler: int, places: Iterable[int]) -> None:
    """Fail unless rank 0's results change whenever the rank `spoiler` gets another product at one of these places."""
    for place in places:
        other = train(spoilt=(spoiler, int(place))).value[0]
        names = ("theta1", "theta2", "costs")
        first, second = ([np.asarray(each.get(name)) for name in names] for each in (other, values[0]))
        if all(map(np.array_equal, first, second)):
            which = f"call {place + 1} of {len(values[spoiler]['products'])}"
            fail(f"`train` does not use what {which} of `multiply_on_gpu` returns on rank {spoiler}.", hint=_USE_IT)


def _train(runner: Runner, data: Data, size: int, *, steps: int = recipe.ITERATIONS, spoilt: Args = ()) -> RanksRun:
    settings = (recipe.LEARNING_RATE, steps, recipe.REGULAR)
    return work.run(runner, size, TRAINED, (data.arrays, settings, *spoilt), USES, "`gpu_parallel.train`")


def _expect_trained(data: Data, values: Values) -> None:
    """Fail unless all ranks have the costs and weights of a training by one process."""
    theta1, theta2, costs = data.train()
    for rank, value in enumerate(values):
        subject = f"`gpu_parallel.train` on {ranks.count(len(values))}, on rank {rank}:"
        work.expect_costs(subject, value, costs, hints.SHARED)
        for name, weights in (("theta1", theta1), ("theta2", theta2)):
            expect(f"{subject} {name}", value.get(name), weights, atol=EXACT)


def _expect_work_of_all(student: Student, trained: Traced, samples: int, note: Note) -> None:
    """Fail unless every rank asks `multiply_on_gpu` for all products of its share; flag other numbers than given."""
    size = len(trained.seen.cpu_s)  # from what was observed: a whole file may say anything
    each = 2 * recipe.FEATURES * recipe.HIDDEN + 3 * recipe.HIDDEN * recipe.CLASSES
    needed = recipe.ITERATIONS * each * (samples // size)
    for rank, value in enumerate(trained.value):
        asked = sum(_products_of(value).values())
        if not (asked or loops.find_products(student, *USES[0])):
            raise Inconclusive("`gpu_parallel.train` does not call `multiply_on_gpu`: a TA reads what it calls.")
        if asked < needed:
            on = f"`gpu_parallel.train` on {ranks.count(size)}"
            least = f"at least {needed}, for {samples // size} samples and {recipe.ITERATIONS} steps"
            fail(f"{on}: rank {rank} lets `multiply_on_gpu` multiply {asked} times.", expected=least, hint=_USE_IT)
        if min(size * value["known"][0], *value["known"][1:]) < MOSTLY:
            note.flag(f"rank {rank} lets `multiply_on_gpu` multiply other numbers than samples and weights: for what?")


@check("gpu.speedup", stage="timed")
def test_speedup(runner: Runner, data: Data, setup: Setup, note: Note) -> None:
    """How long two ranks train with products by NumPy and by `multiply_on_gpu`, on GPUs; no points."""
    if setup.device != "gpu":
        raise NotMeasured("Kernels on the CPU say nothing of a GPU's time.")
    args = (data.arrays, (recipe.LEARNING_RATE, recipe.STEPS, recipe.REGULAR))
    seconds = {}
    for module in ("data_parallel", "gpu_parallel"):
        uses = (*USES, *recipe.TRAIN)
        run = work.run(runner, 2, ("gpu_scenarios", "timed"), (module, *args), uses, f"`{module}.train`")
        seconds[module] = max(float(value["seconds"]) for value in run.value)
    note.fact("seconds", seconds)
    ratio = seconds["data_parallel"] / seconds["gpu_parallel"]
    note.remark(f"On 2 ranks, training with products by kernels is {ratio:.2f} times as fast as by NumPy.")
