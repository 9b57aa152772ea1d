"""The training whose speed is measured: on the GPU path of a submission, beside one by NumPy on the CPU."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.assignments.layers import inputs, recipe
from grader.authoring import Args, Array, Inconclusive, Note, NotMeasured, Shape, Staff, StudentFault, Work, expect
from grader.authoring.comparison import as_numbers
from grader.authoring.judges import chains, scaling, scenarios, slices
from grader.authoring.judges.speedup import Workload
from grader.authoring.judges.substitutes import Runner

MODULE = "timed_scenarios"
ON_GPU, ON_CPU = "train_on_gpu", "train_on_cpu"
NAMES = {ON_GPU: "the GPU path", ON_CPU: "the CPU path"}
PARAMETERS = "W1", "b1", "W2"
"""The parameters with more than one entry: a single number would be found in too many arrays."""
SHARE = 1e-3
"""How far parameters may be off, as a share of what a training changes. Single precision on the GPU stays within it."""


def make_workload(right: str = "", replaced: Sequence[str] = ()) -> Workload:
    """Return what is timed; the parts `replaced` come from the source text `right`, in NumPy on the GPU path, too."""

    def draw(rng: np.random.Generator, shape: Shape) -> Args:
        args: tuple[Any, ...] = (*draw_training(rng, shape), right, list(replaced))
        return args

    return Workload(
        MODULE,
        slow=ON_CPU,
        fast=ON_GPU,
        baseline="train",
        work=Work(draw, solve, lambda shape: 12.0 * shape[0] * shape[1]),
        shape=recipe.TIMED_SHAPE,
        narrowest_bytes=(0, 4 * recipe.TIMED_SHAPE[0]),  # points could be halves; weights are no less than floats
        uses=recipe.NETWORK if "matrix.Matrix" not in replaced else tuple({*recipe.NETWORK} - {*recipe.MATRIX}),
        called=NAMES,
        plain="staff's NumPy",
    )


def draw_training(rng: np.random.Generator, shape: Shape) -> Args:
    """Return the arguments of a training with (neurons, points) = `shape`: see `staff/timed_scenarios.py`."""
    neurons, points = shape
    bound = 1 / np.sqrt(neurons)
    X, Y = inputs.draw_points(rng, points)
    parameters = [
        rng.uniform(-1, 1, (neurons, 2)) / np.sqrt(2),
        rng.uniform(-0.1, 0.1, (neurons, 1)),
        rng.uniform(-bound, bound, (1, neurons)),
        rng.uniform(-0.1, 0.1, (1, 1)),
    ]
    args: tuple[Any, ...] = (parameters, X, Y, (recipe.TIMED_RATE, recipe.TIMED_EPOCHS))
    return args


def solve(parameters: Any, *rest: Any) -> tuple[Array, Array]:
    """Return the parameters after the training, and how far each may be off."""
    from grader.assignments.layers.baselines import baseline  # noqa: PLC0415 - not in the kit, where nothing is timed

    before, after = baseline.hand_over(parameters), baseline.train(parameters, *rest)
    sizes = [part.size for part in parameters]
    moved = [np.abs(part).max() for part in np.split(after - before, np.cumsum(sizes)[:-1])]
    return after, SHARE * np.repeat(moved, sizes)


def count_launches(runner: Runner, work: Workload, rng: np.random.Generator, note: Note) -> Counter[str]:
    """Return how often a training of the timed size launches each kernel; this run is not timed."""
    args, call = work.work.draw(rng, work.shape), (MODULE, ON_GPU)
    run = scenarios.run_unobserved(runner.student, call, args, work.uses, "The GPU path", record_launches=True)
    after, bounds = solve(*args)
    trained = run.compared(lambda value: expect("The GPU path: the parameters", value, after, atol=bounds), note)
    return Counter(launch.kernel for launch in trained.seen.launches)


def expect_same_launches(before: Counter[str], after: Counter[str]) -> None:
    """Raise `Inconclusive` if a training launches other kernels after the timing than before: it may count calls."""
    if before != after:
        raise Inconclusive(
            f"A training on the GPU launched {sum(before.values())} kernels before it was timed, and "
            f"{sum(after.values())} after it. A TA should read it."
        )


def note_serial(staff: Staff, gpu_s: float | None, rng: np.random.Generator, note: Note) -> None:
    """Note which shares of time the layers have in the course's serial loops, beside the text's figures.

    A kit has no loops, and notes nothing. `gpu_s` is the seconds of the submission's GPU path for the timed training,
    if it was measured: the loops are then timed for that training, too.
    """
    shapes = [recipe.PROFILED[:2], *([recipe.TIMED_SHAPE] if gpu_s else [])]
    try:
        timed, *large = (staff.call("serial", "profile", draw_training(rng, shape)).value for shape in shapes)
    except NotMeasured:
        return
    serial, cores = Note(), {"cores, as in the text": recipe.TEXT_CORES}
    scaling.explain_parts(timed, cores, large[0]["total_s"] / gpu_s if large and gpu_s else None, serial)
    note.fact("serial", serial.facts)
    words = f"In the course's serial loops, compiled, on one core: {serial.remarks[0].message}"
    note.remark(f"{words} The text has {recipe.TEXT_SHARES}.")


def expect_kernels(runner: Runner, work: Workload, rng: np.random.Generator, note: Note) -> None:
    """Raise `Inconclusive` unless kernels compute the timed training, at its size; `work` has no staff layer."""
    parameters, X, Y, setting, *_ = args = work.work.draw(rng, work.shape)
    scenario, subject = ("network_scenarios", "train_parts"), "The training that was timed"
    run = runner.run(scenario, (parameters, X, Y, setting, False), work.uses, subject)

    def compare(value: dict[str, Any]) -> None:
        after, bounds = solve(*args)
        got = np.concatenate([as_numbers(value.get(name)).ravel() for name in ("W1", "b1", "W2", "b2")])
        expect(f"{run.subject}: the parameters", got, after, atol=bounds)

    try:
        trained = run.compared(compare, note)
        chains.expect_made_by_kernels(trained, PARAMETERS, [*parameters, X, Y], note)
    except StudentFault as fault:
        raise Inconclusive(f"{fault.finding.message} A TA should read it.") from fault
    origins = {token for launch in trained.seen.launches for token in launch.given}
    if words := slices.host_work(origins - {"elements", "data"}):  # a matrix may have got its numbers so
        raise Inconclusive(
            f"In the training that was timed the host does what kernels are there for: {words}. A TA should read it."
        )
