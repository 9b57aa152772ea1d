"""Part 4: the network divided among the ranks."""

from __future__ import annotations

import itertools
import math

import numpy as np

from grader.assignments.distributed import recipe, solutions
from grader.authoring import Array, Note, Student, check, expect, fail
from grader.authoring.judges import ranks
from grader.authoring.judges.ranks import Run

FORWARD = (("model_parallel", "tensor_forward"),)
TRAINING = (("model_parallel", "train_tensor_parallel"),)
PIPELINE = (("model_parallel", "pipeline_forward"),)
MODULE = "model_scenarios"
ROUND_OFF = 1e-11
"""Sums of some hundred numbers of size 1, in float64, differ by less in whatever order."""


@check("tensor.forward")
def test_forward(student: Student, rng: np.random.Generator, note: Note, unsound: list[str]) -> None:
    """`tensor_forward` returns on every rank what one process would compute with all columns and rows."""
    for size in (1, *recipe.SIZES):
        X, W1, W2 = rng.normal(size=(9, 12)), rng.normal(size=(12, 18)) / 3, rng.normal(size=(18, 5)) / 3
        run = _forward(student, size, (X, W1, W2), unsound, note)
        right = solutions.sigmoid(X @ W1) @ W2
        for rank, value in enumerate(run.values):
            subject = f"`tensor_forward` on {size} ranks, on rank {rank},"
            mistakes: dict[str, Array] = {"It is P times as large.": right * size} if size > 1 else {}
            expect(subject, value.get("outputs"), right, atol=ROUND_OFF, mistakes=mistakes)


def _forward(student: Student, size: int, given: tuple[Array, ...], unsound: list[str], note: Note) -> Run:
    return ranks.run(student, size, (MODULE, "forward"), (*given, unsound), FORWARD, "`tensor_forward`", note=note)


@check("tensor.reduction")
def test_reduction(student: Student, rng: np.random.Generator, note: Note, unsound: list[str]) -> None:
    """Of two tensor-parallel layers, only the output travels: one reduction, and no hidden layer."""
    X, W1, W2 = rng.normal(size=(40, 12)), rng.normal(size=(12, 256)), rng.normal(size=(256, 4))
    run = _forward(student, recipe.MOST, (X, W1, W2), unsound, note)
    ranks.expect_followed(student, run, FORWARD)
    output_bytes = 40 * 4 * 8
    for rank in range(recipe.MOST):
        places = [*run.calls.select(rank=rank, kind="send"), *run.calls.select(rank=rank, kind="collective")]
        given = int(sum(run.calls.size_bytes[place] for place in places))
        note.fact(f"bytes_of_rank_{rank}", given)
        if given > 2 * output_bytes + 512:
            fail(
                f"`tensor_forward` on {recipe.MOST} ranks: rank {rank} gives {given} bytes to MPI.",
                expected=f"the output, {output_bytes} bytes, once",
                hint="Columns of W1 give columns of the hidden layer: just what the same rows of W2 need.",
            )


@check("tensor.training")
def test_training(student: Student, rng: np.random.Generator, note: Note, unsound: list[str]) -> None:
    """`train_tensor_parallel` ends with the weights and costs of one process, each rank with its part of them."""
    network, X, labels = solutions.draw_softmax(rng)
    settings = solutions.SOFTMAX_SETTINGS
    right, costs = network.train(X, labels, settings)
    for size in (1, 3, 4):
        given = ((X, labels), network.given, settings, unsound)
        run = ranks.run(student, size, (MODULE, "trained"), given, TRAINING, "`train_tensor_parallel`", note=note)
        for rank, value in enumerate(run.values):
            subject = f"`train_tensor_parallel` on {size} ranks, on rank {rank}:"
            biases = (size - 1) * settings[2] / 2 * float((network.b2**2).sum())
            first = {"b2 counts more than once in the L2 term.": np.array([costs[0] + biases, *costs[1:]])}
            expect(f"{subject} the costs", value.get("costs"), costs, rtol=1e-10, mistakes=first)
            for name, axis in (("W1", 1), ("b1", 0), ("W2", 0), ("b2", None)):
                whole = right[name]
                part = whole if axis is None else np.array_split(whole, size, axis)[rank]
                expect(f"{subject} {name}", value.get(name), part, atol=1e-10)
    note.fact("calls_per_iteration", len(run.calls.select(rank=0)) / settings[1])


@check("pipeline.values")
def test_pipeline(student: Student, rng: np.random.Generator, note: Note, unsound: list[str]) -> None:
    """`pipeline_forward` returns at the last rank what all layers make of the samples."""
    for size, samples, parts in ((1, 6, 2), (2, 8, 4), (3, 11, 4), (4, 10, 5)):
        X, layers = _draw_pipeline(rng, size, samples)
        right = X
        for W in layers:
            right = solutions.sigmoid(right @ W)
        run = _pipeline(student, X, layers, parts, unsound, note)
        subject = f"`pipeline_forward` of {samples} samples in {parts} micro-batches on {size} ranks"
        expect(subject, run.values[-1].get("outputs"), right, atol=ROUND_OFF)


@check("pipeline.messages")
def test_messages(student: Student, rng: np.random.Generator, note: Note, unsound: list[str]) -> None:
    """Each rank but the last sends every micro-batch on by itself, as soon as it is done."""
    size, parts = recipe.MOST, 5
    X, layers = _draw_pipeline(rng, size, 20)
    run = _pipeline(student, X, layers, parts, unsound, note)
    ranks.expect_followed(student, run, PIPELINE)
    ranks.keep_diagram(note, run.calls, size)
    note.fact("share_of_bubbles", (size - 1) / (parts + size - 1))
    for rank in range(size - 1):
        sends = run.calls.select(rank=rank, kind="send")
        numbers = [place for place in sends if run.calls.size_bytes[place] >= math.floor(20 / parts) * 8]
        if len(numbers) < parts:
            fail(
                f"`pipeline_forward` with {parts} micro-batches on {size} ranks: rank {rank} sends {len(numbers)} "
                f"message{'s' if len(numbers) != 1 else ''}.",
                expected=f"{parts}, one for each micro-batch",
                hint="Cut the samples into micro-batches, so that the next rank can begin with the first of them.",
            )
        if others := {int(run.calls.peer[place]) for place in numbers} - {rank + 1}:
            fail(
                f"`pipeline_forward` on {size} ranks: rank {rank} sends to rank {max(others)}.",
                expected=f"to rank {rank + 1} only, which has the next layer",
            )
        if rank > 0 and _waits_for_all(run, rank):
            fail(
                f"`pipeline_forward` on {size} ranks: rank {rank} receives all micro-batches before it sends one.",
                hint="Receive a micro-batch, compute, send it on; then take the next one.",
            )


def _waits_for_all(run: Run, rank: int) -> bool:
    """Return whether a rank asks for its last micro-batch, in a call that waits, before it sends the first."""
    receives = [place for place in run.calls.select(rank=rank, kind="receive") if run.calls.name[place][0] not in "Ii"]
    sends = run.calls.select(rank=rank, kind="send")
    return bool(receives and sends and len(receives) > 1 and receives[-1] < sends[0])


def _draw_pipeline(rng: np.random.Generator, size: int, samples: int) -> tuple[Array, list[Array]]:
    widths = [6, 9, 5, 7, 4][: size + 1]
    return rng.normal(size=(samples, 6)), [rng.normal(size=pair) for pair in itertools.pairwise(widths)]


def _pipeline(student: Student, X: Array, layers: list[Array], parts: int, unsound: list[str], note: Note) -> Run:
    given = (X, layers, parts, unsound)
    return ranks.run(student, len(layers), (MODULE, "pipeline"), given, PIPELINE, "`pipeline_forward`", note=note)
