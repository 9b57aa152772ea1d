"""The softmax network with L2, trained with its samples divided, and with its weights divided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.assignments.distributed import hints, recipe, solutions, work
from grader.assignments.distributed.samples import SOFTMAX_NAMES, SOFTMAX_SETTINGS
from grader.authoring import Array, Note, Student, check, expect
from grader.authoring.judges import ranks
from grader.authoring.judges.ranks import Run

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
def test_data_parallel(student: Student, rng: np.random.Generator, note: Note, unsound: list[str]) -> None:
    """`train_softmax`, with the samples divided, ends on all ranks with the weights and costs of one process."""
    given, size = _expect_trained(student, DATA, {}, hints.SHARED, rng, unsound, note), 3
    run = _train(student, size, DATA, given, unsound, note)
    ranks.expect_followed(student, run, DATA[1])
    (inputs, _labels), _weights = given
    half_bytes = inputs[0].nbytes // 2
    work.expect_of_all(run, lambda spoil: _train(student, size, DATA, given, unsound, note, spoil), half_bytes, note)
    _note_communication(_train(student, recipe.MOST, DATA, _draw_counted(rng), unsound, note), note)


@check("tensor.training")
def test_tensor_parallel(student: Student, rng: np.random.Generator, note: Note, unsound: list[str]) -> None:
    """`train_tensor_parallel` ends with the weights and costs of one process, each rank with its part of them."""
    _expect_trained(student, TENSOR, DIVIDED, hints.DIVIDED, rng, unsound, note)
    run = _train(student, recipe.MOST, TENSOR, _draw_counted(rng), unsound, note)
    _flag_gathered_weights(run, note)
    _note_communication(run, note)


def _expect_trained(
    student: Student,
    what: What,
    divided: Mapping[str, int],
    told: tuple[str, str],
    rng: np.random.Generator,
    unsound: list[str],
    note: Note,
) -> Given:
    """Fail unless ranks end with the costs and weights of one process; return what the training was given.

    Args:
        student: The submission.
        what: Scenario, and the function that it drives.
        divided: Name -> the axis along which a rank holds its part; of the others, each rank holds all.
        told: What to say of costs, as `hints.of_costs` takes it.
        rng: Draws network and samples.
        unsound: Parts of the submission that are replaced.
        note: Takes what is flagged.
    """
    network, inputs, labels = solutions.draw_softmax(rng)
    right, costs = network.train(inputs, labels, SOFTMAX_SETTINGS)
    given = (inputs, labels), network.given
    for size in SIZES:
        run = _train(student, size, what, given, unsound, note)
        for rank, value in enumerate(run.values):
            subject = f"`{what[1][0][1]}` on {ranks.count(size)}, on rank {rank}:"
            _expect_costs(subject, value, np.array(costs), told)
            for name in SOFTMAX_NAMES:
                whole = right[name]
                part = np.array_split(whole, size, divided[name])[rank] if name in divided else whole
                expect(f"{subject} {name}", value.get(name), part, atol=EXACT)
    return given


def _train(
    student: Student,
    size: int,
    what: What,
    given: Given,
    unsound: list[str],
    note: Note,
    spoil: tuple[int, int] = (-1, 0),
) -> Run:
    scenario, uses = what
    args = (*given, SOFTMAX_SETTINGS, unsound)
    return ranks.run(student, size, scenario, args, uses, f"`{uses[0][1]}`", note=note, spoil=spoil)


def _expect_costs(subject: str, value: dict[str, Any], costs: Array, told: tuple[str, str]) -> None:
    got = value.get("costs")
    find = hints.of_costs(got, costs, told)
    expect(f"{subject} the list of costs", got, costs, rtol=EXACT, mistakes=find)


def _draw_counted(rng: np.random.Generator) -> Given:
    """Return samples and weights of a training of which only the communication is asked."""
    samples, features, hidden, classes = COUNTED
    shapes = ((features, hidden), (hidden,), (hidden, classes), (classes,))
    weights = tuple(rng.normal(size=shape) / 20 for shape in shapes)
    return (rng.uniform(size=(samples, features)), rng.integers(0, classes, samples)), weights


def _flag_gathered_weights(run: Run, note: Note) -> None:
    """Flag a rank that gives as much as its part of W1 to one call: perhaps another rank computes with it."""
    _, features, hidden, _ = COUNTED
    part_bytes, calls = features * hidden // recipe.MOST * 8, run.calls
    for place in [*calls.select(kind="send"), *calls.select(kind="collective")]:
        if calls.size_bytes[place] >= part_bytes:
            note.flag(
                f"rank {calls.rank[place]} gives {calls.size_bytes[place]} bytes to {calls.name[place]} "
                f"({calls.line[place]}), as much as its part of W1: does another rank compute with it?"
            )
            return


def _note_communication(run: Run, note: Note) -> None:
    """Keep the share of time in communication, and what each rank gives to MPI."""
    shares, given = run.communication_percent(), [run.calls.given_bytes(rank) for rank in range(len(run.values))]
    note.fact("communication_percent", shares)
    note.fact("given_bytes_of_each_rank", given)
    samples, features, hidden, classes = COUNTED
    note.remark(
        f"{SOFTMAX_SETTINGS[1]} steps of a network of {features}-{hidden}-{classes} with {samples} samples on "
        f"{len(given)} ranks: {np.mean(shares):.0f} % of the time in communication, waiting included; a rank gives "
        f"{np.mean(given) / 1e3:.4g} kB to MPI on average."
    )
