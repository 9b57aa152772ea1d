"""Part 2: samples divided among the ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.assignments.distributed import hints, recipe, samples, solutions, work
from grader.assignments.distributed.solutions import Data
from grader.authoring import Array, Note, Student, StudentFault, attempt, check, expect, fail
from grader.authoring.judges import ranks
from grader.authoring.judges.ranks import Calls, RanksRun, Traced
from grader.authoring.judges.substitutes import Runner

SETTINGS = (recipe.LEARNING_RATE, recipe.ITERATIONS, recipe.REGULAR)
Trained = tuple[Array, Array, Array]
"""Weights of both layers after a training, and the cost before each step."""


def _train(
    runner: Runner,
    data: Data,
    size: int,
    iterations: int = recipe.ITERATIONS,
    spoil: tuple[int, int] = (-1, 0),
    note: Note | None = None,
) -> RanksRun:
    settings = (recipe.LEARNING_RATE, iterations, recipe.REGULAR)
    given = (data.given[:2], data.given[2:], settings)
    return work.run(runner, size, recipe.SCENARIOS, given, recipe.TRAIN, "`train`", spoil=spoil, note=note)


@check("data.shares")
def test_shares(student: Student, data: Data, note: Note) -> None:
    """`share_samples` gives every sample to exactly one rank, and no rank more than one sample more than another."""
    for size in (1, *recipe.SIZES):
        scenario = ("training_scenarios", "shares")
        run = ranks.run(student, size, scenario, (data.inputs, data.labels), recipe.SHARE, "`share_samples`")
        shares = [work.numbers_of(value.get("inputs"), "A share of `share_samples`") for value in run.value]
        labels = [work.numbers_of(value.get("labels"), "The labels of a share").ravel() for value in run.value]
        lengths = [len(share) for share in shares]
        note.fact(f"shares_of_{size}", lengths)
        told = f"on {ranks.count(size)} ({', '.join(map(str, lengths))} of {len(data.inputs)} samples)"
        if [len(one) for one in labels] != lengths or any(one.shape[1:] != (recipe.FEATURES,) for one in shares):
            fail(f"Samples and labels of a share do not fit each other {told}.")
        _expect_each_once(np.concatenate(shares), np.concatenate(labels), data, told)
        if max(lengths) - min(lengths) > 1:
            fail(f"Shares differ by more than one sample {told}.", hint="The first N % P ranks get one sample more.")


def _expect_each_once(inputs: Array, labels: Array, data: Data, told: str) -> None:
    """Fail unless the samples are those of the data, in whatever order, with their labels."""
    place_of = {row.tobytes(): place for place, row in enumerate(data.inputs)}
    places = [place_of.get(np.ascontiguousarray(row).tobytes(), -1) for row in inputs]
    if -1 in places:
        fail(f"A share holds samples that nobody gave it {told}.")
    lost, twice = len(data.inputs) - len({*places}), len(places) - len({*places})
    if lost or twice:
        words = [
            f"{ranks.count(number, 'sample')} {what}" for number, what in ((lost, "lost"), (twice, "twice")) if number
        ]
        fail(
            f"Not every sample is in exactly one share {told}: {' and '.join(words)}.",
            hint="Scatter takes equal parts only; Scatterv takes the count of each rank.",
        )
    if not np.array_equal(labels, data.labels[places]):
        fail(f"Samples got the labels of others {told}.", hint="Divide labels as the samples are divided.")


@check("data.weights")
def test_weights(runner: Runner, data: Data, note: Note) -> None:
    """After `train`, all ranks return the same weights and costs, to the last bit."""
    _expect_steps([_train(runner, data, 2, iterations=count, note=note).value[0] for count in (1, 2)], data)
    for size in recipe.SIZES:
        run = _train(runner, data, size, note=note)
        for rank in range(1, size):
            for name in ("theta1", "theta2", "costs"):
                first, other = (work.numbers_of(run.value[one].get(name), f"{name} of `train`") for one in (0, rank))
                if not np.array_equal(first, other):
                    fail(
                        f"`train` on {size} ranks: rank {rank} returns {'other ' if name == 'costs' else 'another '}"
                        f"{name} than rank 0.",
                        hint="All ranks begin with rank 0's weights, and make the same steps with the same sums.",
                    )


def _expect_steps(values: list[dict[str, Any]], data: Data) -> None:
    """Fail unless a further iteration changes the weights: that all ranks return the same is no merit else."""
    names, shapes = ("theta1", "theta2"), [data.theta1.shape, data.theta2.shape]
    first, second = ([work.numbers_of(value.get(name), f"{name} of `train`") for name in names] for value in values)
    if [end.shape for end in second] != shapes or any(
        np.array_equal(*pair) for pair in zip(first, second, strict=True)
    ):
        fail(
            "`train` on 2 ranks returns the same weights after one iteration and after two, or none.",
            hint="Take learning_rate times the derivatives from the weights in each iteration, on every rank.",
        )


@check("data.costs")
def test_costs(runner: Runner, data: Data, note: Note, own_sequential: Trained | None) -> None:
    """On 1, 2, 3, 4 and 8 ranks, the cost before each step and the weights at the end are the sequential ones."""
    right = data.train(*SETTINGS)
    if own_sequential is not None and _is_near(_train(runner, data, 1).value, own_sequential):
        if not np.allclose(own_sequential[2], right[2], rtol=1e-9):
            note.flag("judged by the submission's own `gradient_descent`, which gives other costs than the right one")
        right = own_sequential
    sizes = (1, *recipe.SIZES, recipe.LARGEST)
    shares: list[float] = []
    for size in sizes:
        run = _train(runner, data, size, note=note)
        run.compared(lambda values: shares.append(_expect_trained(values, data, right)), note)
    worst = max(shares)
    note.fact("largest_difference_of_bound", worst)
    note.remark(
        f"The costs on 2, 3, 4 and 8 ranks differ from the sequential ones by {100 * worst:.2g} % of what another "
        "order of summation can change: that is round-off, not a bug."
    )


def _expect_trained(values: ranks.Values, data: Data, right: Trained) -> float:
    """Fail unless rank 0 has the costs and weights of a training; return how far off they are, as a share of the bound.

    The bound is what another order of summation can change.
    """
    theta1, theta2, costs = right
    size, value = len(values), values[0]
    bound = samples.bound_training(data, recipe.LEARNING_RATE, len(costs))
    got = work.numbers_of(value.get("costs"), "The costs of `train`")
    subject = f"`train` on {ranks.count(size)}: the cost before each step"
    mistakes = hints.of_costs(got, costs, hints.SHARED, _mistakes(data, size, costs))
    expect(subject, got, costs, atol=bound * np.abs(costs), mistakes=mistakes)
    for name, weights in (("theta1", theta1), ("theta2", theta2)):
        expect(f"`train` on {ranks.count(size)}: {name}", value.get(name), weights, atol=float(bound[-1]))
    return float(np.max(np.abs(got - costs) / np.abs(costs) / bound))


def _is_near(values: ranks.Values, own: Trained) -> bool:
    """Return whether training on one rank gives what the submission's own sequential training gives."""
    return work.is_near([work.numbers_of(values[0].get(name), name) for name in ("theta1", "theta2", "costs")], own)


def _mistakes(data: Data, size: int, costs: Array) -> dict[str, Array]:
    """Return what usual mistakes make of the costs, as far as the first of them tells."""
    if size == 1:
        return {}
    found = {"They are P times as large: the sum of the ranks' means is no mean.": costs * size}
    settings = (recipe.LEARNING_RATE, len(costs), recipe.REGULAR)
    own = solutions.costs_of_a_share(data, -(-len(data.inputs) // size), settings)
    if own is not None:
        found["They are those of rank 0's own share: combine the errors of all ranks."] = own
    return found


@check("data.once")
def test_once(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """The data set travels once, a share to each rank, and not again in every iteration."""
    data = solutions.draw_data(rng, recipe.MANY_SAMPLES + int(rng.integers(40)))
    fewest = int(rng.integers(1, 4))
    few, many = (_counted(runner, data, recipe.MOST, iterations, note).seen for iterations in (fewest, fewest + 2))
    ranks.keep_diagram(note, few.calls, recipe.MOST)
    size_bytes = data.inputs.nbytes
    per_iteration = (_traffic(many.calls) - _traffic(few.calls)) / 2
    before = _traffic(few.calls) - fewest * per_iteration
    least = 2 * (recipe.MOST - 1) * (data.theta1.nbytes + data.theta2.nbytes)
    note.fact("data_bytes", size_bytes)
    note.fact("bytes_per_iteration", per_iteration)
    note.fact("least_bytes_per_iteration", least)
    note.fact("bytes_before_the_first", before)
    note.fact("communication_percent", many.communication_percent())
    _flag_odd_amounts(few.calls, many.calls, fewest, data, note)
    if per_iteration > size_bytes / 2:
        fail(
            f"In every iteration {per_iteration / 1e6:.3g} MB travel; the data set has {size_bytes / 1e6:.3g}.",
            expected=f"about {least / 1e6:.2g} MB: the derivatives",
            hint="Share the samples before the first iteration; afterwards only the derivatives and costs travel.",
        )
    if before > 2 * size_bytes:
        fail(
            f"Before the first iteration {before / 1e6:.3g} MB travel; the data set has {size_bytes / 1e6:.3g}.",
            hint="Send each rank its own share only: Scatterv, not Bcast.",
        )


def _counted(runner: Runner, data: Data, size: int, iterations: int, note: Note) -> Traced:
    """Return a training of which calls are counted; what is wrong with its results is the business of `data.costs`.

    Right is what `data.costs` takes for right: the staff's numbers, or those of the submission's `gradient_descent`.
    Where nobody knows them, in the kit, the results are those of one rank.
    """
    run = _train(runner, data, size, iterations, note=note)

    def compare(values: ranks.Values) -> None:
        if not data.knows(iterations):
            alone = _train(runner, data, 1, iterations).value[0]
            names = ("theta1", "theta2", "costs")
            _expect_trained(values, data, tuple(work.numbers_of(alone.get(name), name) for name in names))  # type: ignore[arg-type] # three of them
            return
        try:
            _expect_trained(values, data, data.train(recipe.LEARNING_RATE, iterations, recipe.REGULAR))
        except StudentFault:
            own = attempt(lambda: work.train_alone(runner.student, data, iterations), None)
            if own is None or not _is_near(values, own):
                raise

    return run.compared(compare, note, "data.costs")


def _flag_odd_amounts(few: Calls, many: Calls, fewest: int, data: Data, note: Note) -> None:
    """Flag a rank that gives away as much as its samples, or less than its derivatives: perhaps it computes nothing.

    However derivatives are combined, each rank gives as many numbers of its own as there are weights. What is given in
    the two iterations that `many` has more than `few` is taken for that of an iteration; what the `fewest` of these do
    not explain came before.
    """
    weights_bytes = data.theta1.nbytes + data.theta2.nbytes
    for rank in range(1, recipe.MOST):
        per_iteration = (_given_bytes(many, rank) - _given_bytes(few, rank)) / 2
        before = _given_bytes(few, rank) - fewest * per_iteration
        if before > data.inputs.nbytes / recipe.MOST / 2:
            most = max(_given(few, rank), key=lambda place: few.size_bytes[place])
            note.flag(
                f"rank {rank} gives {before:.0f} bytes before the first iteration, most of them to "
                f"{few.name[most]} ({few.line[most]}), as much as its samples: does it compute with them "
                "itself?"
            )
            return
        if per_iteration < 0.9 * weights_bytes:
            note.flag(
                f"rank {rank} gives {per_iteration:.0f} bytes in each iteration, and there are {weights_bytes} bytes "
                "of derivatives: does it compute any?"
            )
            return


def _given(calls: Calls, rank: int) -> list[int]:
    """Return the places of calls by which a rank gives numbers of its own, not those that it has from a root."""
    places = [*calls.select(rank=rank, kind="send"), *calls.select(rank=rank, kind="collective")]
    from_a_root = ("scatter", "iscatter", "bcast", "ibcast")
    return [place for place in places if not calls.name[place].lower().startswith(from_a_root)]


def _given_bytes(calls: Calls, rank: int) -> int:
    return int(sum(calls.size_bytes[place] for place in _given(calls, rank)))


def _traffic(calls: Calls) -> float:
    """Return the bytes that travel if MPI does what all ranks ask of it in the cheapest way."""
    total = 0.0
    for place in [*calls.select(kind="send"), *calls.select(kind="collective")]:
        is_root = bool(calls.rank[place] == calls.peer[place])
        total += _copies(calls.name[place].lower(), recipe.MOST, is_root=is_root) * float(calls.size_bytes[place])
    return total


def _copies(name: str, size: int, *, is_root: bool) -> float:
    """Return how often what a rank gives to a call travels: to each other rank, round a ring and back, or once."""
    if name.endswith("bcast"):
        return size - 1 if is_root else 0
    return 2 * (size - 1) / size if name.endswith("allreduce") else 1


@check("data.work")
def test_work(runner: Runner, data: Data, note: Note) -> None:
    """Every rank computes with its own share: what a rank receives enters the result."""
    right = _counted(runner, data, 3, 2, note)
    half_bytes = data.inputs[0].nbytes // 2
    work.expect_of_all(right, lambda spoil: _train(runner, data, 3, 2, spoil), half_bytes, note)
    note.fact("cpu_s", [round(one, 4) for one in right.seen.cpu_s])
