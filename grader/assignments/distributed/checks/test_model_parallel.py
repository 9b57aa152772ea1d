"""Part 4: the network divided among the ranks."""

import itertools
from functools import partial, reduce

import numpy as np

from grader.assignments.distributed import hints, recipe, work
from grader.authoring import Array, Note, check, expect, fail
from grader.authoring.judges import ranks
from grader.authoring.judges.networks import logistic
from grader.authoring.judges.ranks import Calls, RanksRun, Trace
from grader.authoring.judges.substitutes import Runner

FORWARD = (("model_parallel", "tensor_forward"),)
PIPELINE = (("model_parallel", "pipeline_forward"),)
MODULE = "model_scenarios"
MOST_IDLE = 0.52  # of 4 ranks with 5 micro-batches, 0.375 have to be; 0.5 are if each rank is late by one micro-batch
ROUND_OFF = 1e-11  # sums of some hundred numbers of size 1, in float64, differ by less in whatever order


@check("tensor.forward")
def test_forward(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """`tensor_forward` returns on every rank what one process would compute with all columns and rows."""
    for size in (1, *recipe.SIZES):
        X, W1, W2 = rng.normal(size=(9, 12)), rng.normal(size=(12, 18)) / 3, rng.normal(size=(18, 5)) / 3
        _forward(runner, size, (X, W1, W2), note).compared(partial(_expect_outputs, X, W1, W2), note)


def _expect_outputs(X: Array, W1: Array, W2: Array, values: ranks.Values) -> None:
    """Fail unless every rank has the outputs of both layers."""
    size, right = len(values), logistic(X @ W1) @ W2
    for rank, value in enumerate(values):
        subject = f"`tensor_forward` on {ranks.count(size)}, on rank {rank},"
        mistakes: dict[str, Array] = {"It is sigmoid(inputs W1 W2).": logistic(X @ W1 @ W2)}
        if size > 1:
            own = np.array_split(W1, size, axis=1)[rank], np.array_split(W2, size)[rank]
            summand = "This is one rank's part: add up all ranks' parts, and return the sum on every rank."
            mistakes |= {"It is P times as large.": right * size, "It is the mean, not the sum.": right / size}
            mistakes[summand] = logistic(X @ own[0]) @ own[1]
        expect(subject, value.get("outputs"), right, atol=ROUND_OFF, mistakes=mistakes)


def _forward(runner: Runner, size: int, arrays: tuple[Array, ...], note: Note) -> RanksRun:
    return work.run(runner, size, (MODULE, "forward"), arrays, FORWARD, "`tensor_forward`", note=note)


@check("tensor.reduction")
def test_reduction(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """Of two tensor-parallel layers, only the output travels: one reduction, and no hidden layer."""
    samples, hidden = int(rng.integers(35, 45)), recipe.MOST * int(rng.integers(60, 70))
    X, W1, W2 = rng.normal(size=(samples, 12)), rng.normal(size=(12, hidden)) / 3, rng.normal(size=(hidden, 4)) / 9
    run = _forward(runner, recipe.MOST, (X, W1, W2), note)
    forward = run.compared(partial(_expect_outputs, X, W1, W2), note, "tensor.forward")
    output_bytes = samples * 4 * 8
    for rank, received in enumerate(forward.seen.received_bytes):
        note.fact(f"received_bytes_of_rank_{rank}", received)
        # a wrong output may be one rank's part; and one rank may add up what all others send it
        if not output_bytes / 2 <= received <= recipe.MOST * output_bytes + 512:
            fail(
                f"`tensor_forward` on {recipe.MOST} ranks: rank {rank} receives {received} bytes.",
                expected=f"the output, {output_bytes} bytes, once",
                hint="Gather nothing: multiply your hidden columns by your rows of W2, then add up once, on all ranks.",
            )


@check("pipeline.values")
def test_pipeline(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """`pipeline_forward` returns at the last rank what all layers make of the samples."""
    for size, samples, parts in ((1, 6, 2), (2, 8, 4), (3, 11, 4), (4, 10, 5)):
        X, layers = _draw_pipeline(rng, size, samples)
        _pipeline(runner, X, layers, parts, note).compared(partial(_expect_at_last, X, layers, parts), note)


def _expect_at_last(X: Array, layers: list[Array], parts: int, values: ranks.Values) -> None:
    """Fail unless the last rank has what all layers make of the samples."""
    right = reduce(lambda values, W: logistic(values @ W), layers, X)
    subject = f"`pipeline_forward` of {len(X)} samples in {parts} micro-batches on {ranks.count(len(layers))}"
    expect(subject, values[-1].get("outputs"), right, atol=ROUND_OFF, mistakes=hints.of_pipeline(right))
    for rank, value in enumerate(values[:-1]):
        if value.get("outputs") is not None:
            fail(f"{subject}: rank {rank} returns something, too.", hint="Return None on all but the last rank.")


@check("pipeline.messages")
def test_messages(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """Each rank but the last sends every micro-batch on by itself, as soon as it is done."""
    size, parts, samples = recipe.MOST, 5, int(rng.integers(20, 30))
    X, layers = _draw_pipeline(rng, size, samples, wide=9)
    run = _pipeline(runner, X, layers, parts, note)
    trace = run.compared(partial(_expect_at_last, X, layers, parts), note, "pipeline.values").seen
    calls = trace.calls
    ranks.keep_diagram(note, calls, size)
    least = samples // parts * 8
    sends = [
        [at for at in calls.select(rank=rank, kind="send") if calls.size_bytes[at] >= least] for rank in range(size)
    ]
    idle = work.note_bubbles(calls, sends[:-1], parts, note)
    for rank, numbers in enumerate(sends[:-1]):
        if len(numbers) < parts:
            fail(
                f"`pipeline_forward` with {parts} micro-batches on {size} ranks: rank {rank} sends "
                f"{ranks.count(len(numbers), 'message')}.",
                expected=f"{parts}, one for each micro-batch",
                hint="Cut the samples into micro-batches, so that the next rank can begin with the first of them.",
            )
        if others := {int(calls.peer[place]) for place in numbers} - {rank + 1}:
            fail(
                f"`pipeline_forward` on {size} ranks: rank {rank} sends to rank {max(others)}.",
                expected=f"to rank {rank + 1} only, which has the next layer",
            )
        first = _first_batch(calls, numbers, parts, least * layers[rank].shape[1], note)
        last = _last_before_sending(calls, rank, 8 * min(map(len, layers)), first)
        if last >= 0:
            words = f"`pipeline_forward` on {size} ranks: rank {rank} receives all micro-batches before it sends one"
            if calls.name[last][0] not in "Ii":  # requests may all be complete before a late rank sends anything
                fail(f"{words}.", hint="Receive a micro-batch, compute, send it on; then take the next one.")
            note.flag(f"{words}: is it late, or does it wait for all?")
    if idle > MOST_IDLE:
        note.flag(f"by the order of its calls, a rank is idle for {idle:.1%} of the time: do batches go on one by one?")
    _expect_no_more(trace, layers, samples, note)


def _expect_no_more(trace: Trace, layers: list[Array], samples: int, note: Note) -> None:
    """Fail if a rank receives much more than its micro-batches; flag it if it gives much more than those it makes."""
    widths = [layers[-1].shape[1], *map(len, layers[1:])]  # of what comes: to rank 0, perhaps the outputs
    for rank, received in enumerate(trace.received_bytes):
        batches_bytes = samples * 8 * widths[rank]
        if received > 2 * batches_bytes + 512:
            fail(
                f"`pipeline_forward` on {len(layers)} ranks: rank {rank} receives {received} bytes.",
                expected=f"its micro-batches, {batches_bytes} bytes",
                hint="Each rank applies its own layer: weights do not travel, nor do the inputs of another layer.",
            )
        if (given := trace.calls.given_bytes(rank)) > 1.5 * samples * 8 * layers[rank].shape[1] + 512:
            note.flag(f"rank {rank} gives {given} bytes to MPI, more than its micro-batches have: for what?")


def _first_batch(calls: Calls, sends: list[int], parts: int, batch_bytes: int, note: Note) -> int:
    """Return the first of a rank's messages that is a micro-batch; tell a TA if it is not clear which messages are."""
    whole = [at for at in sends if calls.size_bytes[at] >= batch_bytes]
    if len(whole) != parts and not len(whole) + 1 == len(sends) == parts:  # the last one may take what is left
        words = f"of {len(sends)} messages of rank {calls.rank[sends[0]]}, {len(whole)} have the size of a micro-batch"
        note.flag(f"{words}, and there are {parts}: does the first one go on before the last one comes?")
    return (whole if len(whole) == parts else sends)[0]


def _last_before_sending(calls: Calls, rank: int, least: int, first: int) -> int:
    """Return the receive that ends last, if `first` is sent only after it; else -1. Shorter messages do not count."""
    receives = [at for at in calls.select(rank=rank, kind="receive") if calls.size_bytes[calls.sent_by[at]] >= least]
    last = max(receives, key=lambda at: float(calls.done_s[at]), default=-1)
    return last if len(receives) > 1 and calls.done_s[last] < calls.at_s[first] else -1


def _draw_pipeline(rng: np.random.Generator, size: int, samples: int, wide: int = 1) -> tuple[Array, list[Array]]:
    """Return samples and layers, `wide` times as wide as the smallest; wide layers have more weights than samples."""
    widths = [wide * width for width in (6, 9, 5, 7, 4)[: size + 1]]
    layers = [rng.normal(size=pair) / wide for pair in itertools.pairwise(widths)]
    return rng.normal(size=(samples, widths[0])), layers


def _pipeline(runner: Runner, X: Array, layers: list[Array], parts: int, note: Note) -> RanksRun:
    args = (X, layers, parts)
    return work.run(runner, len(layers), (MODULE, "pipeline"), args, PIPELINE, "`pipeline_forward`", note=note)
