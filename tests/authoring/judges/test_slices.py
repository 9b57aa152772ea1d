"""What a closer look comes to: values of the expected types only, and nobody's loss where it fails."""

from types import SimpleNamespace

import pytest
from rows import check_rows

from grader.authoring import Inconclusive, Note, StudentRaised, StudentStopped
from grader.authoring.judges.slices import doubt, flag_changes, flag_doubts, observe
from grader.model import Finding

NOTHING = {"count": 0, "names": [], "value": None}


def looked(answer):
    """Return what `observe` makes of an observer's answer, or of what it raised."""

    def ask(module, function, args, **_options):
        assert (module, function, args) == ("grader.worker.sliced.kernels", "look", ("m", "f"))
        if isinstance(answer, Exception):
            raise answer
        return SimpleNamespace(value=answer)

    return observe(SimpleNamespace(ask_slices=ask), "sliced.kernels", "look", ("m", "f"), NOTHING)


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


def test_whole_files_that_cannot_be_looked_at_again_cost_no_point():
    def look_again():
        raise StudentStopped(Finding("Stopped after 20 s."))

    note = Note()
    flag_changes(SimpleNamespace(look_again=look_again), "utils", note)
    assert note.flags == ["utils.py could not be looked at again: Stopped after 20 s."]
