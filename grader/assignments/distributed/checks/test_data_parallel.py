"""Part 2: samples divided among the ranks."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from grader.assignments.distributed import hints, recipe, samples, solutions, work
from grader.assignments.distributed.solutions import Data
from grader.authoring import Array, Note, Student, StudentFault, attempt, check, expect, fail, hinted
from grader.authoring.judges import ranks, scaling
from grader.authoring.judges.ranks import RanksRun
from grader.authoring.judges.substitutes import Runner

BATCHED = (("data_parallel", "train_batches"),)
MESSAGE_BYTES, REPEATS = (8, 1 << 10, 1 << 14, 1 << 17, 1 << 20), 20
"""Sizes of the messages that are timed, and how often each is sent."""
NAMES = ("theta1", "theta2", "costs")
Trained = tuple[Array, Array, Array]  # weights of both layers after a training, and the cost before each step


def _train(
    runner: Runner,
    data: Data,
    size: int,
    iterations: int = recipe.ITERATIONS,
    others: Array | None = None,
    note: Note | None = None,
    on_all: bool = False,
) -> RanksRun:
    settings = recipe.LEARNING_RATE, iterations, recipe.REGULAR
    args = (data.arrays[:2], data.arrays[2:], settings, others, "train", on_all)
    return work.run(runner, size, recipe.SCENARIOS, args, recipe.TRAIN, "`train`", note=note)


@pytest.fixture(scope="session")
def on_all(runner: Runner, data: Data) -> bool:
    """Return whether `train` fails `data.costs` only because other ranks have None for weights, or for samples."""

    def is_right(on_all: bool) -> bool:
        return _expect_trained(_train(runner, data, 2, on_all=on_all).value, data, data.train()) >= 0

    return not attempt(partial(is_right, False), False) and attempt(partial(is_right, True), False)


@check("data.shares")
def test_shares(student: Student, data: Data, note: Note) -> None:
    """`share_samples` gives every sample to exactly one rank, and no rank more than one sample more than another."""
    scenario = ("training_scenarios", "shares")
    for size, count in (*((one, recipe.SAMPLES) for one in (1, *recipe.SIZES)), recipe.OTHER_REST):
        data = replace(data, inputs=data.inputs[:count], labels=data.labels[:count])
        run = ranks.run(student, size, scenario, (data.inputs, data.labels), recipe.SHARE, "`share_samples`")
        traced = run.compared(partial(_expect_shares, data, note), note)
        work.expect_usable(student, data, run.value)
        needs = work.Needs(data.inputs.nbytes / size, 0, 0)
        if run.is_observed:
            subject = f"`share_samples` of {len(data.inputs)} samples on {ranks.count(size)}"
            needs.expect_no_more(traced.seen, subject, "its share of the samples (rank 0: none)", note)
        elif run.held_against is not None:
            needs.flag_excess(run.held_against, "samples", note)


def _expect_shares(data: Data, note: Note, values: ranks.Values) -> None:
    """Fail unless every sample is in one share, and shares are even."""
    most = max(np.size(value.get("inputs", ())) for value in values)
    if most > data.inputs.size:
        fail(f"A share of `share_samples` holds {most} numbers, and all samples are {data.inputs.size}.")
    shares = [np.atleast_1d(work.numbers_of(value.get("inputs"), "A share of `share_samples`")) for value in values]
    labels = [work.numbers_of(value.get("labels"), "The labels of a share").ravel() for value in values]
    lengths = [len(share) for share in shares]
    note.fact(f"shares_of_{len(values)}", lengths)
    sizes = f"on {ranks.count(len(values))} ({', '.join(map(str, lengths))} of {len(data.inputs)} samples)"
    if [*map(len, labels)] != lengths or any(share.shape[1:] != (recipe.FEATURES,) for share in shares):
        got = ", ".join(f"{share.shape} with {len(marks)} labels" for share, marks in zip(shares, labels, strict=True))
        fail(f"Samples and labels of a share do not fit each other {sizes}.", got=got)
    _expect_each_once(np.concatenate(shares), np.concatenate(labels), data, sizes)
    if max(lengths) - min(lengths) > 1:
        fail(f"Shares differ by more than one sample {sizes}.", hint="The first N % P ranks get one sample more.")


def _expect_each_once(inputs: Array, labels: Array, data: Data, sizes: str) -> None:
    """Fail unless the samples are those of the data, in any order, with their labels."""
    place_of = {row.tobytes(): place for place, row in enumerate(data.inputs)}
    places = [place_of.get(np.ascontiguousarray(row).tobytes(), -1) for row in inputs]
    if -1 in places:
        texts = {"d": "Offsets count numbers, not samples.", "f": "They are rounded to float32: use float64."}
        found = (text for kind, text in texts.items() if np.isin(inputs.astype(kind), data.inputs.astype(kind)).all())
        fail(f"A share holds samples that nobody gave it {sizes}.", hint=next(found, ""))
    lost, twice = len(data.inputs) - len({*places}), len(places) - len({*places})
    if lost or twice:
        counts = {"lost": lost, "twice": twice}
        words = [f"{ranks.count(number, 'sample')} {what}" for what, number in counts.items() if number]
        fail(
            f"Not every sample is in exactly one share {sizes}: {' and '.join(words)}.",
            hint="Scatter takes equal parts only; Scatterv takes the count of each rank."
            if lost
            else "A rank's share begins where the share of the rank before it ends.",
        )
    if not np.array_equal(labels, data.labels[places]):
        fail(f"Labels do not fit their samples {sizes}.", hint="Divide labels as the samples are divided.")


@check("data.weights")
def test_weights(runner: Runner, data: Data, rng: np.random.Generator, note: Note, on_all: bool) -> None:
    """After `train`, all ranks return the same weights and costs, to the last bit."""
    if on_all:
        note.remark("Right if all ranks are given the weights, and arrays of the samples' shapes; see `data.costs`.")
    train, begun = partial(_train, runner, data, note=note, on_all=on_all), data.arrays[2:]
    first, second = (_trained(train(2, iterations=count).value[0])[:2] for count in (1, 2))
    is_complete = all([*map(np.shape, weights)] == [*map(np.shape, begun)] for weights in (first, second))
    if not is_complete or any(map(np.array_equal, first, second)):  # then equal results of all ranks prove nothing
        fail(
            "`train` on 2 ranks returns the same weights after one iteration and after two, or none.",
            hint="Take learning_rate times the derivatives from the weights in each iteration, on every rank.",
        )
    if not any(samples.point_alike(map(np.subtract, one, begun), data.gradients(0), begun) for one in (first, second)):
        note.flag("the first steps of `train` do not go along the derivatives by rank 0's weights: is it a training?")
    names = NAMES[:2] if note.passed.get("data.costs") is False else NAMES  # wrong costs have lost their points
    for size in recipe.SIZES:
        run = train(size)
        of_rank_0, *of_others = (_trained(value, f" on rank {rank}") for rank, value in enumerate(run.value))
        for rank, results in enumerate(of_others, 1):
            pairs = zip(names, results, of_rank_0, strict=False)
            if others := [name for name, array, wanted in pairs if not np.array_equal(array, wanted)]:
                words = f"`train` on {size} ranks: rank {rank} returns other {' and '.join(others)} than rank 0"
                fail(f"{words}.", hint="Return weights and costs on all ranks: all begin with rank 0's and step alike.")
    _flag_excess(runner, rng, note)


def _trained(value: dict[str, Any], where: str = "") -> Trained:
    """Return the weights and costs that a rank returned; fail if they are no numbers."""
    theta1, theta2, costs = (work.numbers_of(value.get(name), f"{name} of `train`{where}") for name in NAMES)
    return theta1, theta2, costs


@check("data.costs")
def test_costs(
    runner: Runner, data: Data, rng: np.random.Generator, note: Note, own_sequential: Trained | None
) -> None:
    """On 1, 2, 3, 4 and 8 ranks, the cost before each step and the weights at the end are the sequential ones."""
    right = data.train()
    if own_sequential is not None and work.is_near(_trained(_train(runner, data, 1).value[0]), own_sequential):
        if not np.allclose(own_sequential[2], right[2], rtol=1e-9):
            note.flag("judged by the submission's own `gradient_descent`, which gives other costs than the right one")
        right = own_sequential
    shares: list[float] = []
    for size in (1, *recipe.SIZES, recipe.LARGEST):
        run = _train(runner, data, size, note=note)
        run.compared(lambda values: shares.append(_expect_trained(values, data, right)), note)
    worst = max(shares)
    note.fact("largest_difference_of_bound", worst)
    note.remark(
        f"The costs on 2, 3, 4 and 8 ranks differ from the sequential ones by {100 * worst:.2g} % of what another "
        "order of summation can change: that is round-off, not a bug."
    )
    _flag_excess(runner, rng, note)


def _expect_trained(values: ranks.Values, data: Data, right: Trained) -> float:
    """Fail unless rank 0 has the costs and weights of a training; return how far off they are, as a share of the bound.

    The bound is what another order of summation can change.
    """
    theta1, theta2, costs = right
    size, value = len(values), values[0]
    bound = samples.bound_training(data, len(costs))
    work.expect_results(value, f"`train` on {ranks.count(size)}, on rank 0,")
    got = work.numbers_of(value.get("costs"), "The costs of `train`")
    subject = f"`train` on {ranks.count(size)}: the cost before each step"
    mistakes = hints.of_costs(costs, hints.SHARED if size > 1 else hints.ON_ONE, _mistakes(data, size, costs))
    expect(subject, got, costs, atol=bound * np.abs(costs), mistakes=mistakes)
    for name, weights in (("theta1", theta1), ("theta2", theta2)):
        expect(f"`train` on {ranks.count(size)}: {name}", value.get(name), weights, atol=float(bound[-1]))
    return float(np.max(np.abs(got - costs) / np.abs(costs) / bound))


def _mistakes(data: Data, size: int, costs: Array) -> dict[str, Array]:
    """Return hint -> the costs that a usual mistake gives; in the kit, only what follows from the right costs."""
    if size == 1:
        return {}
    mistakes = {"They are P times as large: the sum of the ranks' means is no mean.": costs * size}
    if solutions.KNOWS_ALL:
        count = -(-len(data.inputs) // size)
        share = replace(data, inputs=data.inputs[:count], labels=data.labels[:count])
        mistakes["They are those of rank 0's own share: combine the errors of all ranks."] = share.train(len(costs))[2]
    return mistakes


@check("data.once")
def test_once(runner: Runner, rng: np.random.Generator, note: Note, on_all: bool) -> None:
    """The data set travels once, a share to each rank, and in each iteration only derivatives and costs do."""
    deal = _deal(runner, rng, note, on_all)
    traced, _ = deal.run(note, "data.costs")
    trace, size = traced.seen, recipe.MOST
    ranks.keep_diagram(note, trace.calls, size)
    note.fact("data_bytes", deal.own.nbytes)
    note.fact("received_bytes", list(trace.received_bytes))
    note.fact("communication_percent", trace.communication_percent())
    deal.expect_dealt(traced, note)
    subject = f"`train` with {len(deal.own)} samples, {deal.needs.steps} iterations on {size} ranks"
    needed = "its share of the samples (rank 0: none) and the weights once; in each iteration, derivatives"
    deal.needs.expect_no_more(trace, subject, needed, note)


@check("data.work")
def test_work(runner: Runner, rng: np.random.Generator, note: Note, on_all: bool) -> None:
    """Every rank computes with its own share: the costs are those of the samples that the ranks received."""
    deal = _deal(runner, rng, note, on_all)
    trace = deal.expect_of_all(note, "data.costs").seen
    deal.needs.flag_excess(trace, "samples", note)
    note.fact("cpu_s", [round(seconds, 4) for seconds in trace.cpu_s])


def _deal(runner: Runner, rng: np.random.Generator, note: Note, on_all: bool = False) -> work.Deal:
    """Return a training with samples that rank 0 does not have; the right results are those of `data.costs`.

    The kit does not know the right results: there, it takes those of one rank.
    """
    drawn = solutions.draw_data(rng, recipe.DEALT_SAMPLES + int(rng.integers(40)))
    own, others = (samples.draw_full(rng, len(drawn.inputs)) for _ in range(2))
    data, iterations = replace(drawn, inputs=own), recipe.DEALT_STEPS
    train = partial(_train, runner, data, recipe.MOST, iterations, note=note, on_all=on_all)
    compare = partial(_expect_counted, runner, data, iterations)
    needs = work.Needs(own.nbytes / recipe.MOST, data.theta1.nbytes + data.theta2.nbytes, iterations)
    return work.Deal(own, others, train, compare, needs)


def _expect_counted(runner: Runner, drawn: Data, iterations: int, values: ranks.Values, inputs: Array) -> None:
    """Fail unless ranks return the staff's numbers for `inputs`, or those of the submission's `gradient_descent`."""
    data = replace(drawn, inputs=inputs)
    if not solutions.KNOWS_ALL:
        _expect_trained(values, data, _trained(_train(runner, data, 1, iterations).value[0]))
        return
    try:
        _expect_trained(values, data, data.train(iterations))
    except StudentFault:
        own = attempt(lambda: work.train_alone(runner.student, data, iterations), None)
        if own is None or not work.is_near(_trained(values[0]), own):
            raise


@check("data.batches")
def test_batches(student: Student, runner: Runner, data: Data, note: Note) -> None:
    """`train_batches` takes a step for each mini-batch, divided among the ranks: one process would do the same."""
    rate, size = 10 * recipe.LEARNING_RATE, recipe.BATCH
    theta1, theta2, costs = data.theta1, data.theta2, []
    for first in range(0, len(data.inputs), size):
        batch = data.inputs[first : first + size], data.labels[first : first + size]
        theta1, theta2, cost, _ = student.network.gradient_descent(*batch, theta1, theta2, rate, 1)
        costs.append(float(cost[0]))
    args = (data.arrays[:2], data.arrays[2:], (rate, size), None, "train_batches")
    right = {"costs": np.array(costs), "theta1": theta1, "theta2": theta2}
    for number in (1, 3):
        run = work.run(runner, number, recipe.SCENARIOS, args, BATCHED, "`train_batches`", note=note)
        for rank, value in enumerate(run.value):
            subject = f"`train_batches` on {ranks.count(number)}, on rank {rank}:"
            with hinted(f"{size} samples make a mini-batch, divided among the ranks; the last one takes what is left."):
                for name, wanted in right.items():
                    expect(f"{subject} {name}", value.get(name), wanted, rtol=1e-9, atol=1e-9)


def _flag_excess(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """Flag it if rank 0 receives too much: it may compute costs and weights alone, with the samples of all."""
    deal = _deal(runner, rng, note)
    run = attempt(lambda: deal.train(deal.others), None)
    if run is not None and run.held_against is not None:
        deal.needs.flag_excess(run.held_against, "samples", note, at_rank_0=True)


@check("data.speedup", stage="timed")
def test_speedup(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """How much faster `train` is on more ranks, beside Amdahl's law and the α-β model; no points."""
    shapes = ((recipe.TIMED_SAMPLES, recipe.FEATURES), *recipe.WEIGHTS)
    seed = int(rng.integers(1 << 30))

    def train(size: int, steps: int) -> RanksRun:
        args = (shapes, seed, (recipe.LEARNING_RATE, steps, recipe.REGULAR))
        return work.run(runner, size, ("timing_scenarios", "scaled"), args, recipe.TRAIN, "`train`", note=note)

    call, args = ("timing_scenarios", "messages"), (MESSAGE_BYTES, REPEATS)
    sent = ranks.run(runner.student, 2, call, args, recipe.TRAIN, "A ping-pong of the staff's")
    scaling.explain(scaling.Training(train, recipe.TIMED_STEPS), sent.value[0], note)
