"""What is asked of derivatives that are wrong, before a training by them counts as the submission's own."""

import numpy as np

from grader.assignments.distributed import samples, solutions


def test_derivatives_that_are_nearly_right_point_alike_and_others_do_not():
    data = solutions.draw_data(np.random.default_rng(1))
    right = data.gradients(0.5)
    sums, uphill = ([factor * one for one in right] for factor in (len(data.inputs), -1.0))
    with_biases = [one + theta / 206 for one, theta in zip(right, data.given[2:], strict=True)]
    assert all(samples.point_alike(slopes, right) for slopes in (right, sums, uphill, with_biases))
    for slopes in (data.given[2:], right[:1], right[::-1], [0 * one for one in right], None, ["a", "b"]):
        assert not samples.point_alike(slopes, right)
