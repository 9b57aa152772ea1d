"""The softmax network with L2, trained with its samples divided, and with its weights divided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.assignments.distributed import hints, recipe, solutions, work
from grader.assignments.distributed.samples import SOFTMAX_NAMES, SOFTMAX_SETTINGS
from grader.authoring import Array, Note, check, expect
from grader.authoring.judges import ranks
from grader.authoring.judges.ranks import RanksRun, Traced
from grader.authoring.judges.substitutes import Runner

Given = tuple[tuple[Array, Array], tuple[Array, ...]]
What = tuple[tuple[str, str], tuple[tuple[str, str], ...]]
DATA = (("training_scenarios", "softmax_trained"), (("data_parallel", "train_softmax"),))
TENSOR = (("model_scenarios", "trained"), (("model_parallel", "train_tensor_parallel"),))
"""Scenario, and the function that it drives."""
DIVIDED = {"W1": 1, "b1": 0, "W2": 0}
"""What tensor parallel ranks have a part of -> along which axis."""
SIZES = (1, 3, 4)
EXACT = 1e-10
"""Of numbers of size 1: far more than round-off makes of four steps with 21 samples."""
COUNTED = (800, 400, 128, 10)
"""Samples, inputs, hidden neurons and outputs of the training whose communication is measured."""


@check("data.softmax")
def test_data_parallel(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """`train_softmax`, with the samples divided, ends on all ranks with the weights and costs of one process."""
    given, trained = _expect_trained(runner, DATA, {}, hints.SHARED, rng, note)
    (inputs, _labels), _weights = given
    half_bytes, size = inputs[0].nbytes // 2, 3
    work.expect_of_all(trained[size], lambda spoil: _train(runner, size, DATA, given, note, spoil), half_bytes, note)
    _note_communication(_counted(runner, DATA, rng, note), note)


@check("tensor.training")
def test_tensor_parallel(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """`train_tensor_parallel` ends with the weights and costs of one process, each rank with its part of them."""
    _expect_trained(runner, TENSOR, DIVIDED, hints.DIVIDED, rng, note)
    counted = _counted(runner, TENSOR, rng, note)
    _flag_gathered_weights(counted, note)
    _note_communication(counted, note)


def _expect_trained(
    runner: Runner,
    what: What,
    divided: Mapping[str, int],
    told: tuple[str, str],
    rng: np.random.Generator,
    note: Note,
) -> tuple[Given, dict[int, Traced]]:
    """Fail unless ranks end with the costs and weights of one process.

    Returns:
        What the training was given, and the training by its number of ranks.

    Args:
        runner: Runs functions of the submission on ranks.
        what: Scenario, and the function that it drives.
        divided: Name -> the axis along which a rank holds its part; of the others, each rank holds all.
        told: What to say of costs, as `hints.of_costs` takes it.
        rng: Draws network and samples.
        note: Takes what is flagged.
    """
    network, inputs, labels = solutions.draw_softmax(rng)
    right, costs = network.train(inputs, labels, SOFTMAX_SETTINGS)
    given = (inputs, labels), network.given

    def compare(values: ranks.Values) -> None:
        size = len(values)
        for rank, value in enumerate(values):
            subject = f"`{what[1][0][1]}` on {ranks.count(size)}, on rank {rank}:"
            _expect_costs(subject, value, np.array(costs), told)
            for name in SOFTMAX_NAMES:
                whole = right[name]
                part = np.array_split(whole, size, divided[name])[rank] if name in divided else whole
                expect(f"{subject} {name}", value.get(name), part, atol=EXACT)

    trained = {}
    for size in SIZES:
        run = _train(runner, size, what, given, note)
        trained[size] = run.compared(compare, note)
    return given, trained


def _train(
    runner: Runner,
    size: int,
    what: What,
    given: Given,
    note: Note,
    spoil: tuple[int, int] = (-1, 0),
) -> RanksRun:
    scenario, uses = what
    args = (*given, SOFTMAX_SETTINGS)
    return work.run(runner, size, scenario, args, uses, f"`{uses[0][1]}`", note=note, spoil=spoil)


def _expect_costs(subject: str, value: dict[str, Any], costs: Array, told: tuple[str, str]) -> None:
    got = value.get("costs")
    find = hints.of_costs(got, costs, told)
    expect(f"{subject} the list of costs", got, costs, rtol=EXACT, mistakes=find)


def _counted(runner: Runner, what: What, rng: np.random.Generator, note: Note) -> Traced:
    """Return a training whose calls are counted; its costs have to be those that it has on one rank."""
    given = _draw_counted(rng)
    run, alone = (_train(runner, size, what, given, note) for size in (recipe.MOST, 1))
    costs, told = np.asarray(alone.value[0].get("costs"), float), ("", "They are not those on one rank.")
    subject = f"`{what[1][0][1]}` of {COUNTED[0]} samples on {ranks.count(recipe.MOST)}, on rank 0:"
    return run.compared(lambda values: _expect_costs(subject, values[0], costs, told), note)


def _draw_counted(rng: np.random.Generator) -> Given:
    """Return samples and weights of a training of which only the communication is asked."""
    samples, features, hidden, classes = COUNTED
    shapes = ((features, hidden), (hidden,), (hidden, classes), (classes,))
    weights = tuple(rng.normal(size=shape) / 20 for shape in shapes)
    return (rng.uniform(size=(samples, features)), rng.integers(0, classes, samples)), weights


def _flag_gathered_weights(traced: Traced, note: Note) -> None:
    """Flag a rank that gives as much as its part of W1 to one call: perhaps another rank computes with it."""
    _, features, hidden, _ = COUNTED
    part_bytes, calls = features * hidden // recipe.MOST * 8, traced.seen.calls
    for place in [*calls.select(kind="send"), *calls.select(kind="collective")]:
        if calls.size_bytes[place] >= part_bytes:
            note.flag(
                f"rank {calls.rank[place]} gives {calls.size_bytes[place]} bytes to {calls.name[place]} "
                f"({calls.line[place]}), as much as its part of W1: does another rank compute with it?"
            )
            return


def _note_communication(traced: Traced, note: Note) -> None:
    """Keep the share of time in communication, and what each rank gives to MPI."""
    trace = traced.seen
    shares, given = trace.communication_percent(), [trace.calls.given_bytes(rank) for rank in range(recipe.MOST)]
    note.fact("communication_percent", shares)
    note.fact("given_bytes_of_each_rank", given)
    samples, features, hidden, classes = COUNTED
    note.remark(
        f"{SOFTMAX_SETTINGS[1]} steps of a network of {features}-{hidden}-{classes} with {samples} samples on "
        f"{len(given)} ranks: {np.mean(shares):.0f} % of the time in communication, waiting included; a rank gives "
        f"{np.mean(given) / 1e3:.4g} kB to MPI on average."
    )
