"""What a closer look comes to: values of the expected types only, and nobody's loss where it fails."""

import importlib
from types import SimpleNamespace

import numpy as np
import pytest
from rows import check_rows

from grader.authoring import Inconclusive, Note, StudentRaised, StudentStopped
from grader.authoring.judges import slices
from grader.authoring.judges.slices import doubt, find_other_answer, flag_doubts, observe
from grader.model import Finding

NOTHING = {"count": 0, "names": [], "value": None}


def looked(answer):
    """Return what `observe` makes of an observer's answer, or of what it raised."""

    def ask(module, function, args, **_options):
        assert (module, function, args) == ("grader.worker.sliced.kernels", "look", ("m", "f"))
        if isinstance(answer, Exception):
            raise answer
        return SimpleNamespace(value=answer)

    return observe(SimpleNamespace(ask_slices=ask), slices.Observer("sliced.kernels", "look", NOTHING), ("m", "f"))


@pytest.mark.parametrize("observer", [one for one in vars(slices).values() if isinstance(one, slices.Observer)])
def test_every_observer_is_a_function_of_the_worker(observer):
    assert callable(getattr(importlib.import_module(f"grader.worker.{observer.module}"), observer.function))


def test_what_is_not_of_the_expected_form_is_nothing():
    def check(answer):
        assert looked(answer) == NOTHING

    check_rows(check, [None, 3, [], "count", {"count": "3", "names": {}, "more": 1}])


def test_what_is_of_the_expected_form_is_kept():
    assert looked({"count": 3, "names": ["a"], "value": 2.5}) == {"count": 3, "names": ["a"], "value": 2.5}


def test_an_observer_that_raises_leaves_the_points_to_a_ta():
    with pytest.raises(Inconclusive, match=r"A closer look at `f` did not work: it raised TypeError"):
        looked(StudentRaised(Finding("it raised TypeError"), "TypeError"))


def test_what_one_check_doubts_is_a_flag_of_later_ones_that_ask():
    student, first, later = SimpleNamespace(doubts_about={}), Note(), Note()
    doubt(student, ("m", "f"), "a race", first)
    for call in (("m", "f"), ("m", "g")):
        flag_doubts(student, call, later)
    assert first.flags == later.flags == ["a race"]


def test_a_function_that_never_ends_is_its_own_fault():
    with pytest.raises(StudentStopped):
        looked(StudentStopped(Finding("Stopped after 20 s.")))


def other_answer(found, again, whole):
    """Return what is said of an answer of slices, the same asked again, and that of the whole files."""

    def give(value):
        if isinstance(value, Exception):
            raise value
        return SimpleNamespace(value=value)

    return find_other_answer(SimpleNamespace(last=(give(found), lambda: give(again), lambda: give(whole))))


ROWS = np.arange(6.0).reshape(2, 3)


def test_another_answer_of_the_whole_file_is_told():
    def check(found, whole):
        assert other_answer(found, found, whole) == "as a slice it gives another answer than as a whole file"

    check_rows(
        check, [(3, 4), (ROWS, ROWS + 1), (ROWS, ROWS[:1]), ([1, ROWS], [2, ROWS]), ({"a": 1}, {"b": 1}), (3, None)]
    )


def test_the_same_answer_is_none_however_it_is_rounded():
    def check(found, whole):
        assert other_answer(found, found, whole) == ""

    nothing = np.full(3, np.nan)
    check_rows(check, [(ROWS, ROWS + 1e-9), (nothing, nothing.copy()), ([ROWS], (ROWS,)), ({"a": ROWS}, {"a": ROWS})])


def test_what_says_nothing_of_the_slice_is_no_other_answer():
    def check(again, whole):
        assert other_answer(3, again, whole) == ""

    check_rows(check, [(4, 5), (3, StudentStopped(Finding("Stopped."))), (Inconclusive("nobody knows"), 5)])
    assert find_other_answer(SimpleNamespace(last=None)) == ""
