"""What a training came to, from predictions: how well the network did, and what it knew without being taught."""

from types import SimpleNamespace

import numpy as np
import pytest
from rows import check_rows

from grader.authoring import Inconclusive, Note, StudentFault
from grader.authoring.judges import training as trainings
from grader.authoring.judges.training import Predicted, TaughtElsewhere, expect_learning
from grader.errors import StudentTooSlow
from grader.model import Finding

LABELS = np.tile(np.arange(10, dtype=np.uint8), 100)
LIMIT_S = 7.0


def knowing(percent):
    """Return predictions of which so many are right."""
    return np.where(np.arange(len(LABELS)) < len(LABELS) * percent // 100, LABELS, (LABELS + 1) % 10)


def judge(*percents, control=10, note=None, doubt="", **more):
    """Judge a network that knows so much before the training and after each epoch."""
    answer = {"predictions": np.array([knowing(one) for one in percents]), "control": knowing(control), **more}
    waited_s = []
    training = SimpleNamespace(doubt=doubt, result=lambda limit_s: waited_s.append(limit_s) or answer)
    note = note or Note()
    expect_learning(training, LABELS, len(percents) - 1, "utils.py", note, limit_s=LIMIT_S)
    assert waited_s == [LIMIT_S]
    return note


def test_what_counts_is_what_the_network_knows_at_the_end():
    facts = judge(10, 60, 96, 80, fit_s=1.23456).facts
    assert facts["accuracy_per_epoch_percent"] == [60, 96, 80]
    assert (facts["test_accuracy_percent"], facts["test_images"], facts["fit_s"]) == (80, 1000, 1.235)


def test_what_a_network_knows_that_it_was_never_taught_is_refused_if_it_is_much_and_else_shown_to_a_ta():
    def check(before, control, is_refused, flags):
        note = Note()
        try:
            judge(before, 96, control=control, note=note)
        except TaughtElsewhere:
            assert is_refused
        else:
            assert not is_refused
        assert ["chance gives" in flag for flag in note.flags] == [True] * flags

    check_rows(
        check, [(95, 10, True, 0), (10, 95, True, 0), (40, 10, False, 1), (10, 40, False, 1), (18, 18, False, 0)]
    )


def test_a_training_that_only_the_whole_file_comes_through_is_for_a_ta_and_keeps_its_facts():
    note = Note()
    with pytest.raises(Inconclusive, match=r"^`sigmoid` could not be followed\. A TA"):
        judge(10, 96, doubt="`sigmoid` could not be followed", note=note)
    assert note.facts["test_accuracy_percent"] == 96


def test_the_parent_predicts_with_what_was_learnt():
    training = SimpleNamespace(doubt="open", result=lambda _limit_s: [3])
    predicted = Predicted(training, lambda answer: {"predictions": answer})
    assert (predicted.result(LIMIT_S), predicted.doubt) == ({"predictions": [3]}, "open")


def test_a_training_that_hangs_is_told_in_words_that_students_know():
    def result(_limit_s):
        raise StudentTooSlow(Finding("`train` took too long."))

    training = SimpleNamespace(doubt="", result=result)
    with pytest.raises(StudentFault, match=r"^The training with your utils.py took too long"):
        expect_learning(training, LABELS, 1, "utils.py", Note(), limit_s=LIMIT_S)


def test_a_training_has_a_limit_between_the_shortest_and_the_longest():
    limits_s = [trainings.limit_s([4, 3], 2, steps) for steps in (1, 10**9)]
    assert limits_s == [trainings.SHORTEST_LIMIT_S, trainings.LONGEST_LIMIT_S]
