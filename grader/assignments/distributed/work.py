"""Runs of the submission, alone and on ranks, and whether every rank computes with its own share.

For that, what a rank receives is falsified, and the result has to change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grader.assignments.distributed import recipe
from grader.assignments.distributed.solutions import Data
from grader.authoring import Array, Inconclusive, Note, Parts, Student, StudentFault, fail
from grader.authoring.judges import ranks
from grader.authoring.judges.ranks import RanksRun, Traced
from grader.authoring.judges.substitutes import Runner


def run(
    runner: Runner, size: int, scene: tuple[str, str], args: tuple[Any, ...], uses: Parts, subject: str, **options: Any
) -> RanksRun:
    """Run a scenario on ranks as `ranks.run` does, with the staff's functions in place of those that are wrong."""
    call, given = runner.wrapped(scene, args, on_ranks=True)
    return ranks.run(runner.student, size, call, given, runner.followed(uses), subject, **options)


def expect_of_all(right: Traced, run: Callable[[tuple[int, int]], RanksRun], least_bytes: int, note: Note) -> None:
    """Fail if the costs at rank 0 are the same whatever samples another rank receives, and flag that.

    Args:
        right: A training, of which each rank returns its `costs`.
        run: The same with a rank and a number of bytes: arrays of at least so many that it receives are halved.
        least_bytes: Half of a sample, so that samples are halved however they are dealt out, in whatever type.
        note: Takes the flag.

    Raises:
        Inconclusive: the training could not be followed; samples that are dealt out in another way than in arrays of
            numbers cannot be falsified; or the training fails with those that are.
    """
    size = len(right.seen.cpu_s)
    for rank in range(1, size):
        spoilt = _run_spoilt(run, rank, least_bytes, right.subject)
        first, second = (numbers_of(value[0].get("costs"), "The costs") for value in (right.value, spoilt.value))
        if first.shape == second.shape and np.allclose(first, second, rtol=1e-9):
            note.flag(f"rank {rank} may leave the training to others: the values are right all the same")
            fail(
                f"{right.subject} on {ranks.count(size)}: the cost is the same whatever samples rank {rank} receives.",
                hint="Each rank computes the error and the derivatives of its own share; nobody does it for others.",
            )


def _run_spoilt(run: Callable[[tuple[int, int]], RanksRun], rank: int, least_bytes: int, subject: str) -> RanksRun:
    """Return the training with falsified arrays; these may be no valid input, such as labels that travel as floats."""
    try:
        return run((rank, least_bytes))
    except StudentFault as fault:
        raise Inconclusive(
            f"{subject} fails where rank {rank} receives other numbers. A TA should read it and give the points."
        ) from fault


def train_alone(student: Student, data: Data, iterations: int) -> tuple[Any, Any, Any]:
    """Return the weights and costs of the submission's own sequential training."""
    found = student.network.gradient_descent(*data.given, recipe.LEARNING_RATE, iterations, recipe.REGULAR)
    theta1, theta2, costs = (np.asarray(one, float) for one in found[:3])
    return theta1, theta2, costs


def is_near(got: Sequence[Any], right: Sequence[Array]) -> bool:
    """Return whether weights and costs are those of another training."""
    pairs = ((np.asarray(one, float), other) for one, other in zip(got, right, strict=True))
    return all(one.shape == other.shape and np.allclose(one, other, rtol=1e-9) for one, other in pairs)


def numbers_of(value: Any, subject: str) -> Array:
    """Return what a rank returned as an array; fail if it is none."""
    try:
        return np.asarray(value, float)
    except (TypeError, ValueError):
        fail(f"{subject} is no array of numbers.", got=str(value)[:100])
