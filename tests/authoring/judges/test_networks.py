"""Functions that work entry by entry, batches and biases: what fails, what is flagged, and what is partly right."""

from types import SimpleNamespace

import numpy as np
import pytest
from rows import each

from grader.authoring import Answer, Note, StudentFault
from grader.authoring.judges.networks import expect_batches, expect_entrywise, expect_vectors


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


@each("end, share", [(lambda count, size: count - count % size, 0.5), (lambda count, size: count - size, 1.0)])
def test_who_leaves_out_a_smaller_last_batch_keeps_a_share_and_who_leaves_out_a_full_one_nothing(end, share):
    def cut(_module, _function, args):
        data, labels, size = args
        places = [slice(at, at + size) for at in range(0, end(len(data), size), size)]
        return Answer("it", [(data[place], labels[place]) for place in places])

    note = Note()
    with pytest.raises(StudentFault, match="the batches have the wrong sizes"):
        expect_batches(SimpleNamespace(run=cut), ("utils", "cut"), np.random.default_rng(1), note, share=0.5)
    assert note.share == share


def test_biases_of_the_input_layer_are_left_out():
    student = SimpleNamespace(run=lambda *_call: Answer("it", [np.zeros(size) for size in (3, 1, 5)]))
    assert [*map(len, expect_vectors(student, ("utils", "zeros"), [3, 1, 5]))] == [1, 5]
