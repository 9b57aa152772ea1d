"""The right answers of both parts, and how far each of their entries may be off."""

import numpy as np

from grader.assignments.hw1 import comparisons


def test_an_entry_may_be_off_by_a_share_of_what_is_summed_for_it_also_where_its_sum_cancels():
    matrix = np.array([[1000.0, 1.0], [-1.0, 1000.0], [1e-3, 0.0]])
    right, tolerance = comparisons.solve_product(matrix)
    np.testing.assert_array_equal(right, matrix @ matrix.T)
    expected = comparisons.TOLERANCE * np.array([[1e6 + 1, 2e3, 1], [2e3, 1e6 + 1, 1e-3], [1, 1e-3, 1e-6]])
    np.testing.assert_allclose(tolerance, expected)


def test_a_product_in_single_precision_is_right_and_of_numbers_in_half_precision_wrong(rng):
    (matrix,) = comparisons.draw_uniform(rng, (60, 40))
    for kind, is_right in (("f4", True), ("f2", False)):
        rounded = matrix.astype(kind).astype("f4")
        assert comparisons.self_product.is_right((matrix,), rounded @ rounded.T) == is_right


def test_the_larger_of_two_entries_may_not_be_off():
    right, tolerance = comparisons.solve_maximum(np.array([1.0, 5.0]), np.array([2.0, -7.0]))
    assert (right.tolist(), tolerance) == ([2.0, 5.0], 0.0)
