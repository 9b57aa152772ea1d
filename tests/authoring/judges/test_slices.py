"""What a closer look comes to: values of the expected types only, and nobody's loss where it fails."""

import importlib
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest
from rows import check_rows, each

from grader.authoring import Inconclusive, Note, StudentRaised, StudentStopped
from grader.authoring.judges import slices
from grader.authoring.judges.slices import doubt, flag_doubts, observe
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


@each("answer", [None, 3, [], "count", {"count": "3", "names": {}, "more": 1}])
def test_what_is_not_of_the_expected_form_is_nothing_and_what_is_is_kept(answer):
    assert looked(answer) == NOTHING
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
        looked(StudentStopped(Finding("Stopped: it ran longer than 20 s.")))


ROWS = np.arange(6.0).reshape(2, 3)


def test_values_of_workers_are_compared_up_to_round_off_whatever_they_are():
    def check(one, other, same):
        assert slices.is_same(one, other) == slices.is_same(other, one) == same

    nothing = np.full(3, np.nan)
    rows = [(3, 3, True), (3, 4, False), (3, 3.0, False), (None, None, True), (ROWS, None, False), (ROWS, 3, False)]
    rows += [(ROWS, ROWS + 1e-9, True), (ROWS, ROWS + 1, False), (ROWS, ROWS[:1], False), (ROWS, [1.0], False)]
    rows += [(nothing, nothing.copy(), True), ([1, ROWS], (1, ROWS), True), ([1, ROWS], [2, ROWS], False)]
    rows += [([ROWS], [None], False), ({"a": ROWS}, {"a": ROWS}, True)]
    rows += [({"a": 1}, {"b": 1}, False), ({"a": ROWS}, {"a": None}, False)]
    check_rows(check, rows)


def test_the_hosts_work_is_said_in_words_the_most_telling_first():
    assert slices.host_work(["elements", "mixed: numpy.matmul (sums.py:3)"]) == "numpy.matmul (sums.py:3)"
    assert slices.host_work(["data", "compiled: total", "argument 0"]) == "the compiled function total"
    assert slices.host_work(["argument 0", "kernel: add"]) == ""


def test_what_numpy_does_only_in_calls_that_were_not_seen_fully_is_for_a_person():
    def check(fully, mixes, is_doubted):
        calls = [("3 × numpy.maximum", fully), *((mix, False) for mix in mixes)]
        seen = [SimpleNamespace(fully=full, work=SimpleNamespace(mixes=[mix])) for mix, full in calls]
        with pytest.raises(Inconclusive, match=r"`f` used numpy\.\w+ in some") if is_doubted else nullcontext():
            slices.expect_no_other_calls(SimpleNamespace(seen_of=lambda *_: seen), "m", "f")

    others = ["9 × numpy.maximum"], ["9 × numpy.minimum"]
    check_rows(check, [(True, others[0], False), (True, others[1], True), (False, others[0], True)])
