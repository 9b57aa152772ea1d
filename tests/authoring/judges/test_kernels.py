"""Whether the launches of a kernel make an answer, told from what workers report of arrays and labels."""

from types import SimpleNamespace

import numpy as np
import pytest

from grader.authoring import Inconclusive, Note, StudentFault
from grader.authoring.judges import kernels, scenarios

SIZE = 20
CALL = ("matmul_functions", "matmul_transpose_gpu")
X = np.random.default_rng(3).uniform(size=(SIZE, SIZE))
RIGHT = X @ X.T
NOTHING = np.zeros((SIZE, SIZE))
OWN, OTHER = "transpose_kernel", "other_kernel"
HOST, KERNEL = ("argument 0", "elements"), ("argument 0", "kernel: transpose_kernel")


def student_of(label, *, told=0, args=(X,), after=(RIGHT,), launches=(OWN,), given=("argument 0",), without=NOTHING):
    """Return a student whose worker reports these launches, each of which leaves `after` in its arrays."""
    before = [*args, NOTHING][-len(after) :]
    arrays = [*before, *after]
    launched = {
        "grid": [1, 1, 1],
        "block": [SIZE, 1, 1],
        "given": [*given],
        "before": [*range(len(before))],
        "after": [*range(len(before), len(arrays))],
        "numbers": [],
        "place": "matmul_functions.py:3",
        "constants": [],
        "constants_from": [],
    }
    report = {
        "value": RIGHT,
        "came_from": {},
        "work": {"label": list(label), "told": told},
        "launches": [{"kernel": kernel, **launched} for kernel in launches],
        "copies": [],
        "arrays": arrays,
        "is_complete": True,
        "is_thinned": False,
    }
    reports = {"watch": report, "run_without": {"value": without}, "run_with_old_values": {"tried": False}}
    return SimpleNamespace(
        judged=set(),
        doubts_about={},
        why_open=lambda *_: "",
        load=lambda _: None,
        expect_spelt=lambda *_: None,
        run_slices=lambda _uses, as_slices, _as_whole: as_slices(),
        ask_slices=lambda _module, function, *_, **__: SimpleNamespace(value=reports[function]),
    )


def judge(label, *, args=(X,), **reported):
    """Judge a right answer by what workers say: where it comes from, and what the arrays of the kernel hold.

    `without` is the answer of a call in which the kernel was not launched.
    """
    student = student_of(label, args=args, **reported)
    kernels.expect_launch(student, CALL, OWN, (1, SIZE), lambda: args, lambda *_: (RIGHT, 1e-9), Note(), "it")


def rows(count):
    """Return the answer, right in its first rows only."""
    return np.where(np.arange(SIZE)[:, None] < count, RIGHT, 0)


def test_a_kernel_that_leaves_the_answer_in_one_of_its_arrays_makes_it():
    judge(KERNEL, after=[X, RIGHT])


def test_the_host_may_copy_the_half_that_symmetry_leaves():
    judge(HOST, after=[X, np.tril(RIGHT)])


def test_an_answer_that_only_the_host_has_is_not_the_kernels():
    with pytest.raises(StudentFault, match="`transpose_kernel` does not make the answer of .*: the host does"):
        judge(HOST, after=[X, NOTHING + 1])


def test_what_the_arguments_hold_already_is_no_work_of_the_kernel():
    with pytest.raises(StudentFault, match="the host does"):
        judge(HOST, args=(X, np.tril(RIGHT)), after=[np.tril(RIGHT)])


def test_a_kernel_that_is_told_number_by_number_is_for_a_person():
    with pytest.raises(Inconclusive, match="gives its kernels 300 numbers one by one"):
        judge(KERNEL, told=300)


def test_a_few_numbers_for_each_row_are_not_too_many():
    judge(KERNEL, told=4 * SIZE)


def test_two_kernels_may_make_a_half_each():
    judge(KERNEL, launches=(OWN, OTHER), without=rows(SIZE // 2))


def test_a_kernel_without_which_most_of_the_answer_is_there_does_not_make_it():
    with pytest.raises(StudentFault, match="The launches of `transpose_kernel` do not make the answer"):
        judge(KERNEL, launches=(OWN, OTHER), without=rows(15))


def origin(label, **reported):
    """Judge where a right answer comes from; return the note."""
    student, note = student_of(label, **reported), Note()
    run = scenarios.watch(student, CALL, (X,)).compared(lambda _value: None, note)
    kernels.expect_origin(student, CALL, (X,), run, (RIGHT, 1e-9), note)
    return note


def test_one_array_of_the_right_numbers_is_enough_where_python_handed_them_over():
    note = origin(("elements", f"kernel: {OWN}"), after=[X, RIGHT])
    assert note.facts["kernels_alone_right_percent"] == 100


def test_an_array_that_holds_the_answer_before_any_launch_is_for_a_person():
    with pytest.raises(Inconclusive, match="gives its kernels an array that holds the answer"):
        origin(KERNEL, args=(RIGHT,), after=[RIGHT, RIGHT])


def test_numbers_of_python_are_for_a_person_unless_they_are_the_given_ones():
    for padded in (X, np.pad(X, 3)[3:, 3:], X.T):
        origin(KERNEL, args=(padded,), after=[padded, RIGHT], given=["data"])
    beside = np.hstack([X, RIGHT + 1])
    for others in (X + 1, beside):
        with pytest.raises(Inconclusive, match="numbers that Python computed"):
            origin(KERNEL, args=(others,), after=[others, RIGHT], given=["data"])
