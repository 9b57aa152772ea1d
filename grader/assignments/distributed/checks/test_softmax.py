"""The softmax network with L2, trained with its samples divided, and with its weights divided."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.assignments.distributed import hints, recipe, solutions, work
from grader.assignments.distributed.samples import SOFTMAX_NAMES, SOFTMAX_SETTINGS, draw_full
from grader.authoring import Array, Note, check, expect
from grader.authoring.judges import ranks
from grader.authoring.judges.ranks import RanksRun, Traced
from grader.authoring.judges.substitutes import Runner

What = tuple[tuple[str, str], tuple[tuple[str, str], ...]]
DATA = (("training_scenarios", "softmax_trained"), (("data_parallel", "train_softmax"),))
TENSOR = (("model_scenarios", "trained"), (("model_parallel", "train_tensor_parallel"),))
"""Scenario, and the function that it drives."""
DIVIDED = {"W1": 1, "b1": 0, "W2": 0}  # array of which each tensor parallel rank has a part -> the axis that is divided
SIZES = (1, 3, 4)
EXACT = 1e-10  # tolerance for numbers of size 1: far more than the round-off of four steps with 21 samples
BOTH_WAYS = ("allreduce", "allgather", "alltoall", "reduce_scatter")
"""Calls that do in one step what a reduction to one rank and a broadcast do in two."""
SCALAR_BYTES = 256  # the most bytes of a sum of squares, as whatever object it is sent
Sizes = tuple[int, int, int, int]  # samples, inputs, hidden neurons and outputs
COUNTED: Sizes = (800, recipe.FEATURES, 128, 10)  # sizes of the training whose communication is reported
DEALT: Sizes = (recipe.DEALT_SAMPLES, recipe.FEATURES, 16, 10)
"""With few weights: a share of the samples is then much more than rank 0 may receive."""
FEW: Sizes = (24, recipe.FEATURES, 128, 10)
"""With few samples: a part of the weights is then much more than a rank may receive."""


@check("data.softmax")
def test_data_parallel(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """`train_softmax`, with the samples divided, ends on all ranks with the weights and costs of one process."""
    _expect_trained(runner, DATA, {}, rng, note)
    deal = _deal(runner, rng, note)
    deal.needs.flag_excess(deal.expect_of_all(note).seen, "samples", note)
    _note_communication(_counted(runner, DATA, COUNTED, rng, note), note)


@check("tensor.training")
def test_tensor_parallel(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """`train_tensor_parallel` ends with the weights and costs of one process, each rank with its part of them."""
    _expect_trained(runner, TENSOR, DIVIDED, rng, note)
    few = (FEW[0] + int(rng.integers(8)), *FEW[1:])
    needs = work.Needs(0, few[0] * few[-1] * 8, SOFTMAX_SETTINGS[1])
    needs.flag_excess(_counted(runner, TENSOR, few, rng, note).seen, "parts of the weights", note)
    counted = _counted(runner, TENSOR, COUNTED, rng, note)
    _flag_way_back(counted, note)
    _note_communication(counted, note)


def _flag_way_back(traced: Traced, note: Note) -> None:
    """Tell student and TA if more is reduced than the output, once in each step: the backward pass needs nothing."""
    calls, steps = traced.seen.calls, SOFTMAX_SETTINGS[1]
    large = [at for at in calls.select(rank=0, kind="collective") if calls.size_bytes[at] > SCALAR_BYTES]
    ways = sum(2 if any(name in calls.name[at].lower() for name in BOTH_WAYS) else 1 for at in large)
    if ways > 2 * steps + 2:  # and something before the first step
        words = f"{traced.subject} adds up arrays {ways // 2} times in {steps} steps, and once in each is enough"
        note.flag(f"{words}: what travels on the way back?")
        note.remark(f"{words}, for the output.", hint="Each rank has what the derivatives of its own weights need.")


def _expect_trained(
    runner: Runner, what: What, divided: Mapping[str, int], rng: np.random.Generator, note: Note
) -> None:
    """Fail unless ranks end with the costs and weights of one process.

    `divided`: name of an array -> the axis along which ranks have parts; each rank has all of the other arrays.
    """
    weights, inputs, labels = solutions.draw_softmax(rng)
    right, costs = solutions.train_softmax(weights, inputs, labels, SOFTMAX_SETTINGS)

    def compare(values: ranks.Values) -> None:
        size = len(values)
        sentences = hints.ON_ONE if size == 1 else hints.DIVIDED if divided else hints.SHARED
        for rank, value in enumerate(values):
            subject = f"`{what[1][0][1]}` on {ranks.count(size)}, on rank {rank}:"
            work.expect_costs(subject, value, np.array(costs), sentences)
            for name in SOFTMAX_NAMES:
                whole = right[name]
                part = np.array_split(whole, size, divided[name])[rank] if name in divided else whole
                expect(f"{subject} {name}", value.get(name), part, atol=EXACT)

    for size in SIZES:
        _train(runner, size, what, ((inputs, labels), weights, SOFTMAX_SETTINGS), note).compared(compare, note)


def _train(runner: Runner, size: int, what: What, args: tuple[Any, ...], note: Note) -> RanksRun:
    scenario, uses = what
    return work.run(runner, size, scenario, args, uses, f"`{uses[0][1]}`", note=note)


def _deal(runner: Runner, rng: np.random.Generator, note: Note) -> work.Deal:
    """Return a training with samples that rank 0 does not have."""
    (own, labels), weights = _draw(rng, (recipe.DEALT_SAMPLES + int(rng.integers(40)), *DEALT[1:]))
    rate, _, regular = SOFTMAX_SETTINGS
    settings = rate, recipe.DEALT_STEPS, regular

    def train(others: Array | None) -> RanksRun:
        return _train(runner, recipe.MOST, DATA, ((own, labels), weights, settings, others), note)

    def compare(values: ranks.Values, inputs: Array) -> None:
        _expect_costs_of(runner, DATA, values, ((inputs, labels), weights, settings), note)

    needs = work.Needs(own.nbytes / recipe.MOST, sum(part.nbytes for part in weights), settings[1])
    return work.Deal(own, draw_full(rng, len(own)), train, compare, needs)


def _counted(runner: Runner, what: What, sizes: Sizes, rng: np.random.Generator, note: Note) -> Traced:
    """Return a training whose calls are counted."""
    args = (*_draw(rng, sizes), SOFTMAX_SETTINGS)
    run = _train(runner, recipe.MOST, what, args, note)
    return run.compared(lambda values: _expect_costs_of(runner, what, values, args, note), note)


def _expect_costs_of(runner: Runner, what: What, values: ranks.Values, args: tuple[Any, ...], note: Note) -> None:
    """Fail unless rank 0 has the right costs; in the kit, which does not know them, those of a run on one rank."""
    (inputs, labels), weights, settings = args
    if solutions.KNOWS_ALL:
        costs: Any = solutions.train_softmax(weights, inputs, labels, settings)[1]
    else:
        costs = _train(runner, 1, what, args, note).value[0].get("costs")
    subject = f"`{what[1][0][1]}` of {len(inputs)} samples on {ranks.count(len(values))}, on rank 0:"
    work.expect_costs(subject, values[0], np.asarray(costs, float), ("", "They are not those on one rank."))


def _draw(rng: np.random.Generator, sizes: Sizes) -> tuple[tuple[Array, Array], tuple[Array, ...]]:
    """Return samples and weights of a training whose communication is checked."""
    samples, features, hidden, classes = sizes
    shapes = ((features, hidden), (hidden,), (hidden, classes), (classes,))
    weights = tuple(rng.normal(size=shape) / 20 for shape in shapes)
    return (draw_full(rng, samples), rng.integers(0, classes, samples)), weights


def _note_communication(traced: Traced, note: Note) -> None:
    """Keep the share of time in communication, and what each rank gives to MPI."""
    trace = traced.seen
    shares = trace.communication_percent()
    own_bytes = [trace.calls.given_bytes(rank) for rank in range(recipe.MOST)]
    note.fact("communication_percent", shares)
    note.fact("given_bytes_of_each_rank", own_bytes)
    samples, features, hidden, classes = COUNTED
    note.remark(
        f"{SOFTMAX_SETTINGS[1]} steps of a network of {features}-{hidden}-{classes} with {samples} samples on "
        f"{len(own_bytes)} ranks: {np.mean(shares):.0f} % of the time in communication, waiting included; a rank gives "
        f"{np.mean(own_bytes) / 1e3:.4g} kB to MPI on average."
    )
