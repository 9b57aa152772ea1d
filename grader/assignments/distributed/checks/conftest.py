"""Fixtures that several checks of `distributed` share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grader.assignments.distributed import recipe, samples, solutions, work
from grader.assignments.distributed.solutions import Data
from grader.authoring import Setup, Student, attempt
from grader.authoring.judges import ranks


@pytest.fixture(scope="session")
def data(setup: Setup) -> Data:
    """Samples that divide by no number of ranks, and weights."""
    return solutions.draw_data(np.random.default_rng([setup.seed, 18]))


@pytest.fixture(scope="session")
def unsound(student: Student, data: Data) -> list[str]:
    """The functions that are wrong on their own: others are judged with the staff's in their place.

    So one mistake costs one check.
    """
    given = (data.theta1, data.theta2, data.inputs, data.labels, 0.5)
    found = []
    for name, right in (("cost", (data.cost(0.5),)), ("gradients", data.gradients(0.5))):
        if not _is_sound(lambda name=name: getattr(student.network, name)(*given), right):
            found.append(name)
    sigmoids = samples.sigmoid(np.array([-1.0, 0.0, 2.0]))
    if not _is_sound(lambda: student.network.sigmoid(np.array([-1.0, 0.0, 2.0])), (sigmoids,)):
        found.append("sigmoid")
    if not _is_sound(lambda: _shares(student, data), (data.inputs, data.labels)):
        found.append("share_samples")
    return found


@pytest.fixture(scope="session")
def own_sequential(student: Student, data: Data) -> tuple[Any, Any, Any] | None:
    """What the submission's own sequential training gives, if it trains at all; it may be wrong, as its checks say.

    Who has one mistake in the derivatives loses their points only: two trainings by them are compared with each other.
    A first step that goes elsewhere than the right one is no such mistake, and nothing is compared with its training.
    """
    trained = attempt(
        lambda: [work.train_alone(student, data, iterations) for iterations in (recipe.ITERATIONS, 1)], None
    )
    if trained is None:
        return None
    (theta1, theta2, costs), (first1, first2, _) = trained
    if costs.shape != (recipe.ITERATIONS,) or not np.isfinite(costs).all() or np.ptp(costs) == 0:
        return None
    steps = first1 - data.theta1, first2 - data.theta2
    return (theta1, theta2, costs) if samples.point_alike(steps, data.gradients(recipe.REGULAR)) else None


def _shares(student: Student, data: Data) -> tuple[Any, ...]:
    scenario = ("training_scenarios", "shares")
    run = ranks.run(student, 3, scenario, (data.inputs, data.labels), recipe.SHARE, "it")
    return tuple(np.concatenate([np.asarray(value[name]) for value in run.value]) for name in ("inputs", "labels"))


def _is_sound(call: Any, right: tuple[Any, ...]) -> bool:
    """Return whether a function gives the right numbers, however it does that."""

    def is_right() -> bool:
        got = call()
        got = got if isinstance(got, tuple | list) else (got,)
        return all(np.allclose(np.asarray(one, float), other, rtol=1e-7) for one, other in zip(got, right, strict=True))

    return attempt(is_right, False)
