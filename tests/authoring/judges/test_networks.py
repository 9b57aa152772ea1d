"""Functions that work entry by entry: what fails, what is flagged, and what is right with the staff's parts."""

from types import SimpleNamespace

import numpy as np
import pytest

from grader.authoring import Answer, Note, StudentFault
from grader.authoring.judges.networks import expect_batches, expect_entrywise


def solve(x):
    return x**2, {"This is twice the entry.": 2 * x}


def judge(function, **options):
    note = Note()
    expect_entrywise("square", lambda x: Answer("it", function(x)), solve, np.random.default_rng(1), note, **options)
    return note


def test_a_right_function_gets_neither_flag_nor_remark_and_a_usual_mistake_is_named():
    note = judge(lambda x: x * x)
    assert (note.flags, note.remarks) == ([], [])
    with pytest.raises(StudentFault) as caught:
        judge(lambda x: 2 * x)
    assert caught.value.finding.message.startswith("`square` of a vector of 61 numbers")
    assert caught.value.finding.hint == "This is twice the entry."


def test_what_is_right_for_matrices_only_fails_and_for_floats_only_is_flagged_once():
    with pytest.raises(StudentFault, match="a 3 × 5 matrix"):
        judge(lambda x: x * x if np.ndim(x) == 1 else x[0] ** 2)
    note = judge(lambda x: x * x if isinstance(x, np.ndarray) and x.dtype == float else None)
    assert len(note.flags) == 1
    assert "square is right for arrays of floats" in note.flags[0]
    assert "`square` of integers" in note.flags[0]


def test_an_overwritten_argument_is_flagged():
    note = Note()
    overwriting = lambda x: Answer("it", x**2, inputs_changed=(0,))  # noqa: E731 - as short as the others
    expect_entrywise("square", overwriting, solve, np.random.default_rng(1), note)
    assert note.flags == ["square overwrites its argument; the values are right, and the sheet does not forbid it"]


def test_batches_that_begin_one_sample_apart_are_told_which_sample_comes_again():
    """Not that 9 rows are not 5: the right rows among them are no array that anybody asked for."""

    def cut(_module, _function, args):
        data, labels, size = args
        return SimpleNamespace(value=[(data[i : i + size], labels[i : i + size]) for i in range(len(data) // size)])

    with pytest.raises(StudentFault, match="in batches of 3: sample 1 comes 2 times") as caught:
        expect_batches(SimpleNamespace(run=cut), ("utils", "cut"), np.random.default_rng(1), Note(), share=0.5)
    assert caught.value.finding.hint == "Batch k begins with sample k * 3."
