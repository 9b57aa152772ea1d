"""Comparison: what is right passes in every form, what is wrong is said with index, expected and got."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from rows import check_rows, each

from grader.authoring.comparison import as_array, describe, difference, matches
from grader.model import Finding
from grader.worker.wire import Foreign

MATRIX = np.arange(12).reshape(3, 4)
SQUARE = np.arange(1, 17, dtype=float).reshape(4, 4)


@each(
    "got",
    *(MATRIX, MATRIX.astype(np.int32), MATRIX.astype(np.uint8), MATRIX.astype(np.float32), MATRIX.astype(np.float64)),
    *(np.asfortranarray(MATRIX), MATRIX.tolist(), tuple(map(tuple, MATRIX.tolist())), list(MATRIX)),
    *([[np.int64(value) for value in row] for row in MATRIX], [[float(value) for value in row] for row in MATRIX]),
    *(kind(0.5) for kind in (float, np.float64, np.float32, np.array)),
)
def test_right_values_and_numbers_pass_in_every_form(got):
    assert difference(got, MATRIX if np.size(got) > 1 else 0.5) is None


@each(
    "got, message, hint",
    *((None, "returned None", "return statement"), ("text", "returned the text 'text'", "")),
    *((np.ones((3, 4)) * 1j, "complex128 array", ""), (np.full((3, 4), None), "not numbers", "")),
    *(({"a": 1}, "returned a dict of 1 item", ""), ([[1, 2], [3]], "do not form an array", "same length")),
    *(([[0, 1, 2, 3], [4, 5, None, 7]], "not numbers", "never set"), ([["a"]], "not numbers", "numbers only")),
    ([[1, [2]], [3, 4]], "do not form an array", "same length"),
    (Foreign("numba.cuda.DeviceNDArray", "<...>"), "DeviceNDArray", "copy_to_host"),
    ([Foreign("numba.cuda.DeviceNDArray", "<...>")], "not numbers", "copy_to_host"),
    (Foreign("builtins.map", "<map object>"), "builtins.map", "list(...)"),
    (Foreign("builtins.NotImplementedType", "NotImplemented"), "NotImplemented", "not written"),
    (MATRIX.T, "has the shape (4, 3), not (3, 4)", "transposed"),
    (MATRIX.ravel(), "has the shape (12,), not (3, 4)", "flattened"),
    (MATRIX[None], "has the shape (1, 3, 4), not (3, 4)", "arrangement"),
    *((MATRIX[:2], "has the shape (2, 4), not (3, 4)", ""), (7, "has the shape (), not (3, 4)", "in a loop")),
    *(([], "has the shape (0,), not (3, 4)", ""), (MATRIX > 3, "truth values", "choose a value")),
)
def test_what_is_no_such_array_is_refused_and_says_so(got, message, hint):
    finding = difference(got, MATRIX)
    assert message in finding.message
    assert hint.lower() in finding.hint.lower()
    assert "(3, 4)" in finding.expected


def test_an_array_of_one_number_is_none():
    finding = difference([[2.5]], np.array(2.5))
    assert (finding.message, "not an array of one" in finding.hint) == ("has the shape (1, 1), not ().", True)


def test_wrong_values_are_shown_with_index_expected_and_got_five_at_most_and_in_full_where_alike():
    got = MATRIX.copy()
    got[1, 2] = 99
    finding = difference(got, MATRIX)
    assert finding.message == "is wrong in 1 of 12 values; the worst, at [1, 2], is off by 93."
    assert (finding.expected, finding.got) == ("[1, 2]: 6", "[1, 2]: 99")
    finding = difference(MATRIX + 1, MATRIX)
    assert finding.message.startswith("is wrong in 12 of 12 values")
    assert finding.got == "[0, 0]: 1, [0, 1]: 2, [0, 2]: 3, [0, 3]: 4, [1, 0]: 5, …"
    assert difference(0.25, 0.5, rtol=1e-9) == Finding("is wrong.", expected="0.5", got="0.25")
    finding = difference(np.array([0.1 + 1e-12]), np.array([0.1]))
    assert finding.got != finding.expected


@pytest.mark.parametrize("tolerance", [0.0, 1.0, 1e300])
@pytest.mark.parametrize("expected", [MATRIX, MATRIX.astype(float)])
def test_nan_is_wrong_under_every_tolerance(tolerance, expected):
    got = MATRIX.astype(float)
    got[0, 0] = np.nan
    finding = difference(got, expected, rtol=tolerance, atol=tolerance)
    assert "is wrong in 1 of 12 values, 1 of them NaN or infinite" in finding.message


def test_numbers_are_not_rounded_and_tolerances_may_differ_from_element_to_element():
    def check(got, expected, is_right, **tolerances):
        assert (difference(got, np.array(expected), **tolerances) is None) == is_right

    check_rows(lambda bad: check([bad], [0], False), [np.inf, -np.inf, 2.0**63, 1e300, 0.5])
    infinities = [np.inf, -np.inf]
    check([2.0**63], [-(2**63)], False)
    check([1.0], [2.0], True, rtol=0.5)
    check([2.0], [1.0], False, rtol=0.5)
    check(infinities, infinities, True, rtol=1e-6)
    check([np.inf, np.inf], infinities, False, rtol=1e-6)
    rows = [([2**53 + 1], [2**53], False), ([float(2**53)], [2**53 + 1], False), ([2**62 + 1], [2**62 + 1], True)]
    check_rows(lambda got, expected, same: check(np.array(got), expected, same), rows)
    check(np.array([2**64 - 1], np.uint64), [-1], False)
    for got, is_right in (([1.0, 1.5], True), ([1.5, 1.0], False)):
        check(got, [1.0, 1.0], is_right, atol=np.array([0.0, 0.6]))


@each(
    "got, hint",
    *((np.zeros_like(SQUARE), "everything is zero"), (SQUARE.T, "transposed"), (np.triu(SQUARE), "upper triangle")),
    *((SQUARE * (1 - np.eye(*SQUARE.shape)), "diagonal"), (np.tril(SQUARE), "lower triangle")),
    (np.where(np.arange(4)[:, None] < 3, SQUARE, 0), "from row 3 on"),
    *((np.where(np.arange(4) < 3, SQUARE, 0), "from column 3 on"), (np.where(SQUARE == 9, 0, SQUARE), "never set")),
    (np.where(SQUARE == 6, 0, SQUARE), "all wrong values are zero"),
    (np.where(np.arange(4)[:, None] == 1, 0, SQUARE), "only row 1 is never set"),
    *((np.where(np.arange(4) == 0, 0, SQUARE), "only column 0 is never set"), (SQUARE[:, :3], "columns are not")),
    *((SQUARE + 1, ""), (np.where(SQUARE == 9, 1, SQUARE), "")),
)
def test_the_shape_of_an_error_is_recognised(got, hint):
    found = difference(got, SQUARE, rtol=1e-9).hint
    assert hint.lower() in found.lower()
    assert bool(hint) == bool(found)


@each(
    "got, hint",
    (np.array([[-10, 7], [-1, 0]], np.int8), "more than a byte"),
    (np.array([[255, 0], [255, 0]]), "[[0] * n] * m is one row m times"),
)
def test_what_lists_and_small_types_do_to_integers_is_recognised(got, hint):
    assert hint in difference(got, np.array([[246, 7], [255, 0]])).hint


def test_what_was_in_memory_before_is_recognised():
    finding = difference(np.array([[2.0, 3e-317], [0.0, 1.0]]), np.array([[2.0, 0.0], [0.0, 1.0]]))
    assert "in memory before" in finding.hint
    assert "in memory before" not in difference(np.array([1e-9]), np.array([0.0])).hint


def test_a_known_mistake_is_recognised_by_its_values_whatever_its_shape():
    a, b = MATRIX, MATRIX[::-1]
    mistakes = {"this is the minimum": np.minimum(a, b), "this is A, unchanged": a}
    right = np.maximum(a, b)
    assert difference(np.minimum(a, b).tolist(), right, mistakes=mistakes).hint == "this is the minimum"
    assert difference(a.astype(float), right, mistakes=mistakes).hint == "this is A, unchanged"
    assert difference(a * (1 + 1e-5), right, mistakes=mistakes).hint == "", "which is near it, and another mistake"
    assert difference(right, right, mistakes=mistakes) is None
    x = np.arange(6.0).reshape(3, 2)
    assert difference(x.T @ x, x @ x.T, rtol=1e-9, mistakes={"this is Xᵀ·X": x.T @ x}).hint == "this is Xᵀ·X"


class TestSequences:
    WEIGHTS = (np.zeros((2, 3)), np.zeros((3, 1)))

    def test_right_lists_and_tuples_pass(self):
        assert difference([array.copy() for array in self.WEIGHTS], self.WEIGHTS) is None
        assert difference(self.WEIGHTS, list(self.WEIGHTS)) is None

    @pytest.mark.parametrize("got", [None, 3.0, np.array([1, 2]), np.array(3.0), Foreign("builtins.zip", ""), {}])
    def test_another_kind_of_value_is_refused(self, got):
        assert difference(got, self.WEIGHTS).expected == "a tuple of 2 items"

    def test_each_item_may_be_off_by_both_tolerances(self):
        for inside, beyond, how in ((101.0, 103.0, {"rtol": 0.02}), (101.0, 103.0, {"atol": 2.0})):
            assert difference([[inside]], [np.array([100.0])], **how) is None
            assert difference([[beyond]], [np.array([100.0])], **how) is not None

    def test_a_wrong_number_of_items_and_the_wrong_item_are_said(self):
        assert difference([self.WEIGHTS[0]], self.WEIGHTS).message == "returned a list of 1 item, not of 2."
        one_too_many = [*self.WEIGHTS, self.WEIGHTS[0]]
        assert difference(one_too_many, self.WEIGHTS).message == "returned a list of 3 items, not of 2."
        finding = difference([self.WEIGHTS[0], self.WEIGHTS[1].T], self.WEIGHTS)
        assert finding.message == "(item 1) has the shape (1, 3), not (3, 1)."


@given(hnp.arrays(np.int64, hnp.array_shapes(max_dims=3)))
def test_every_integer_array_equals_itself_as_a_list(array):
    assert difference(array.tolist(), array) is None


@given(
    hnp.arrays(np.int64, st.just((3, 4)), elements=st.integers(-(2**62), 2**62)),
    st.integers(0, 2),
    st.integers(0, 3),
    st.integers(1, 9),
)
def test_every_single_change_of_an_integer_is_noticed_and_located(array, row, column, change):
    got = array.copy()
    got[row, column] += change
    assert difference(got, array).got == f"[{row}, {column}]: {got[row, column]}"
    assert int(np.count_nonzero(~matches(got, array))) == 1


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text()
    | st.builds(Foreign, st.text(), st.text())
    | hnp.arrays(st.sampled_from([np.float16, np.float32, np.int8, np.uint64, np.bool_]), hnp.array_shapes(min_side=0)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=12,
)


@given(anything)
def test_any_value_of_the_wire_is_judged_without_an_exception_and_is_an_array_of_numbers_or_a_finding(value):
    for expected in (MATRIX, 0.5, [1.0, np.ones(3)]):
        finding = difference(value, expected, rtol=1e-6, atol=1e-9)
        assert finding is None or len(finding.message + finding.expected + finding.got + finding.hint) < 2000
    result = as_array(value)
    assert isinstance(result, Finding) or result.dtype.kind in "biuf"
    assert len(describe(value)) < 200


def test_mistakes_are_only_worked_out_when_something_is_wrong():
    def mistakes(_got):
        asked.append(1)
        return {"This is zero.": np.zeros(2)}

    asked = []
    assert difference(np.ones(2), np.ones(2), mistakes=mistakes) is None
    assert not asked
    assert difference(np.zeros(2), np.ones(2), mistakes=mistakes).hint == "This is zero."


def test_what_is_right_about_a_wrong_result_is_not_held_against_it_and_one_number_throughout_is_named():
    assert difference(np.array([True]), np.array([True])) is None
    infinite = difference(np.array([np.inf, 1.0]), np.array([np.inf, 2.0]), rtol=1e-9)
    assert infinite.message == "is wrong in 1 of 2 values; the worst, at [1], is off by 1."
    assert infinite.hint == ""
    five = difference(np.arange(7), np.array([1, 2, 3, 4, 5, 5, 6]))
    assert (five.got[-6:], five.expected[-6:]) == ("[4]: 4", "[4]: 5"), "and no more"
    assert "in memory" not in difference(np.array([[2.0, 3e-317]]), np.array([[2.0, 1.0]])).hint
    assert difference(np.array([[1, 2]]), np.array([[1, 5]])).hint == "", "one row is like itself"
    assert difference(np.full((2, 3), 7.5), np.arange(6.0).reshape(2, 3)).hint == "Every value is 7.5."
    assert "Every value" not in difference(np.array([7.5, 7.5, 8.5]), np.arange(3.0)).hint
