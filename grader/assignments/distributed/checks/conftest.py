"""Fixtures that several checks of `distributed` share."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from grader.assignments.distributed import recipe, samples, solutions, work
from grader.assignments.distributed.solutions import Data
from grader.authoring import Note, Setup, Student, attempt, expect, fail
from grader.authoring.judges.substitutes import Part, Runner, find_wrong


@pytest.fixture(scope="session")
def data(setup: Setup) -> Data:
    """Samples, which the ranks cannot divide evenly, and weights."""
    return solutions.draw_data(np.random.default_rng([setup.seed, 18]))


@pytest.fixture(scope="session")
def runner(student: Student, setup: Setup, data: Data) -> Runner:
    """Runs functions on ranks, with the staff's functions in place of wrong functions that they use."""
    args = (data.theta1, data.theta2, data.inputs, data.labels, 0.5)
    rights = {"cost": data.cost(0.5), "gradients": data.gradients(0.5)}
    users = [Part(f"network.{name}", partial(_expect, name, args, right)) for name, right in rights.items()]
    sigmoid = Part("network.sigmoid", partial(_expect_no_better, users))
    shares = Part("data_parallel.share_samples", partial(_expect_shares, data))
    return find_wrong(Runner.of(student, setup), [*users, sigmoid, shares])


@pytest.fixture(scope="session")
def own_sequential(student: Student, data: Data) -> tuple[Any, Any, Any] | None:
    """Weights and costs of the submission's own sequential training, if it trains at all; they may be wrong.

    A mistake in the derivatives costs points once: other trainings by these derivatives are compared with this one. If
    the first step goes in quite another direction than the right one, it is no training, and the result is None.
    """
    trained = attempt(lambda: [work.train_alone(student, data, steps) for steps in (recipe.ITERATIONS, 1)], None)
    if trained is None:
        return None
    (theta1, theta2, costs), (first1, first2, _) = trained
    if costs.shape != (recipe.ITERATIONS,) or not np.isfinite(costs).all() or np.ptp(costs) == 0:
        return None
    steps = first1 - data.theta1, first2 - data.theta2
    return (theta1, theta2, costs) if samples.point_alike(steps, data.gradients(0), data.arrays[2:]) else None


def _expect(name: str, args: tuple[Any, ...], right: Any, runner: Runner) -> None:
    function, given = runner.only("network.sigmoid").wrapped(("network", name), args)
    expect(name, runner.student.ask_whole(*function, given).value, right, rtol=1e-7)


def _expect_no_better(users: list[Part], runner: Runner) -> None:
    """Fail if a wrong part is right with the staff's `sigmoid`: a helper of this name may do anything else."""
    helped = find_wrong(runner.only().without("network.sigmoid"), users)
    if {*runner.replaced} - {*helped.wrong}:
        fail("`sigmoid` is wrong.")


def _expect_shares(data: Data, runner: Runner) -> None:
    """Fail unless the shares are all samples with their labels; which rank gets which is up to the submission."""
    for size, count in ((3, recipe.SAMPLES), recipe.OTHER_REST):
        args = data.inputs[:count], data.labels[:count]
        run = work.run(runner, size, ("training_scenarios", "shares"), args, recipe.SHARE, "it")
        shares = np.concatenate([np.column_stack([value["inputs"], value["labels"]]) for value in run.value])
        work.expect_usable(runner.student, data, run.value)
        whole = np.column_stack(args)
        expect("the shares", shares[np.lexsort(shares.T)], whole[np.lexsort(whole.T)], rtol=1e-12)
    if run.is_observed and run.held_against is not None:
        work.Needs(data.inputs.nbytes / size, 0, 0).expect_no_more(run.held_against, "it", "its share", Note())
