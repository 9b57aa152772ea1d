"""Hints at the mistake behind wrong numbers, and what is asked of derivatives that are wrong."""

from functools import partial

import numpy as np
from rows import each

from grader.assignments.distributed import hints, samples, solutions
from grader.authoring.comparison import difference

COSTS = np.array([5.0, 4.0, 3.0])
RING = np.array([3.0, 5.0, 7.0, 9.0, 11.0])
PIPELINE = np.arange(6.0).reshape(3, 2)


@each(
    "got, words",
    *(([4.0, 3.0, 2.5], "after each step"), ([6.0, 4.0, 3.0], "The first cost is wrong")),
    *(([5.0, 6.0, 7.0], "The costs rise"), ([5.0, 4.5, 4.2], "later costs are wrong")),
)
def test_costs_tell_what_is_wrong_first(got, words):
    ((text, numbers),) = hints.of_costs(COSTS, hints.SHARED)(np.array(got)).items()
    assert words in text
    assert numbers.tolist() == got


def test_a_ring_tells_strange_numbers_from_incomplete_sums_and_a_pipeline_another_order_of_samples():
    pairs = {"cover all": [3, 5, 7, 9, 1], "P - 1 steps": [1, 1, 7, 9, 11], "at other places": [5, 3, 7, 9, 11]}
    for words, got in {**pairs, "7 right digits": RING * (1 + 4e-7)}.items():
        assert [words in text for text in hints.of_ring(RING, 4)(np.array(got, float))] == [True]
    (text,) = hints.of_pipeline(PIPELINE)(PIPELINE[::-1])
    assert text == "The samples come in another order: put micro-batches together as they came."
    assert hints.of_pipeline(PIPELINE)(PIPELINE + 1) == {}


@each("got", [[], [1.0], 1.0, [[5.0, 4.0, 3.0]]])
def test_an_array_of_another_shape_gives_no_hint_of_its_own(got):
    known = {"It is the mean.": COSTS / 2}
    assert hints.of_costs(COSTS, hints.ALONE, known)(np.array(got)) == known
    assert hints.always(COSTS, "Always.", known)(np.array(got)) == known


@each("got", [None, "x", [[1.0], [1.0, 2.0]], {"a": 1}])
def test_what_is_no_array_is_told_without_a_hint_at_the_mistake(got):
    finding = difference(got, COSTS, mistakes=hints.always(COSTS, "Always."))
    assert finding is not None
    assert "Always." not in finding.hint


def test_derivatives_that_are_nearly_right_point_alike_and_others_do_not():
    data = solutions.draw_data(np.random.default_rng(1))
    right, thetas = data.gradients(0.5), data.arrays[2:]
    sums, uphill = ([factor * one for one in right] for factor in (len(data.inputs), -1.0))
    with_biases = [one + theta / 206 for one, theta in zip(right, thetas, strict=True)]
    alike = partial(samples.point_alike, right=data.gradients(0), thetas=thetas)
    assert all(alike(slopes) for slopes in (right, sums, uphill, with_biases))
    of_l2 = [np.insert(theta[:, 1:], 0, 0.0, axis=1) for theta in thetas]
    assert alike([*map(np.add, right, of_l2)])
    for slopes in (thetas, of_l2, right[:1], right[::-1], [0 * one for one in right], None, ["a", "b"]):
        assert not alike(slopes)
