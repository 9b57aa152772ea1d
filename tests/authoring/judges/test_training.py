"""A training: its batches, its network's weights, and what it came to, told from predictions."""

import re
from contextlib import nullcontext
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from rows import each

from grader.authoring import Answer, Inconclusive, Note, StudentFault
from grader.authoring.judges import networks
from grader.authoring.judges import training as trainings
from grader.authoring.judges.networks import expect_batches
from grader.authoring.judges.training import TaughtElsewhere, expect_learning

LABELS = np.tile(np.arange(10, dtype=np.uint8), 100)
LIMIT_S = 7.0


def knowing(percent):
    """Return predictions of which so many are right."""
    return np.where(np.arange(len(LABELS)) < len(LABELS) * percent // 100, LABELS, (LABELS + 1) % 10)


def judge(*percents, control=10, note=None, doubt="", **more):
    """Judge a network that knows so much before the training and after each epoch, as the parent predicts."""
    answer = {"parameters": [*percents], "control": control, **more}
    waited_s = []
    training = SimpleNamespace(doubt=doubt, result=lambda limit_s: waited_s.append(limit_s) or answer)
    note = note or Note()
    expect_learning(training, knowing, LABELS, len(percents) - 1, "utils.py", note, limit_s=LIMIT_S)
    assert waited_s == [LIMIT_S]
    return note


def test_what_counts_is_what_the_network_knows_at_the_end():
    facts = judge(10, 60, 96, 80, fit_s=1.23456).facts
    assert facts["accuracy_per_epoch_percent"] == [60, 96, 80]
    assert (facts["test_accuracy_percent"], facts["test_images"], facts["fit_s"]) == (80, 1000, 1.235)


@each(
    "before, control, is_refused, flags",
    [(95, 10, True, 0), (10, 95, True, 0), (40, 10, False, 1), (10, 40, False, 1), (18, 18, False, 0)],
)
def test_much_that_a_network_was_never_taught_is_refused_and_less_is_shown_to_a_ta(before, control, is_refused, flags):
    note = Note()
    with pytest.raises(TaughtElsewhere) if is_refused else nullcontext():
        judge(before, 96, control=control, note=note)
    assert ["chance gives" in flag for flag in note.flags] == [True] * flags


@each("states", ("a text", [10] * 2, [10] * 4, [10] * 1_000_000))
def test_another_number_of_states_than_of_epochs_fails_before_any_is_asked(states):
    asked = []
    training = SimpleNamespace(doubt="", result=lambda _limit_s: {"parameters": states})
    with pytest.raises(StudentFault, match="one row of predictions per epoch"):
        expect_learning(training, asked.append, LABELS, 2, "utils.py", Note(), limit_s=LIMIT_S)
    assert asked == []


def test_a_training_that_only_the_whole_file_comes_through_is_for_a_ta_and_keeps_its_facts():
    note = Note()
    with pytest.raises(Inconclusive, match=r"^`sigmoid` could not be followed\. A TA"):
        judge(10, 96, doubt="`sigmoid` could not be followed", note=note)
    assert note.facts["test_accuracy_percent"] == 96


def test_a_training_has_a_limit_between_the_shortest_and_the_longest():
    limits_s = [trainings.limit_s([4, 3], 2, steps) for steps in (1, 10**9)]
    assert limits_s == [trainings.SHORTEST_LIMIT_S, trainings.LONGEST_LIMIT_S]


MISSING = "The last, smaller batch is missing."


def cut(data, labels, size, beyond=0):
    return [(data[at : at + size], labels[at : at + size]) for at in range(0, len(data) + beyond, size)]


@each(
    "function, hint, share, flags",
    (cut, "", 1.0, 0),
    (lambda data, labels, size: cut(data, labels, size)[: len(data) // size], MISSING, 0.75, 0),
    (lambda *given: cut(*given)[:-1], MISSING, 1.0, 0),
    (lambda data, labels, size: cut(data, labels[::-1], size), "Some labels belong to other samples", 1.0, 0),
    (lambda data, labels, size: cut(data[::-1], labels[::-1], size), "", 1.0, 1),
    (lambda data, labels, size: cut(data, labels[:-1], size), ".* one label .* data of 1 and labels of 0 rows", 1.0, 0),
    (lambda data, labels, size: [*cut(data[:6], labels[:6], size), (data[6:], labels[6:])], "Each holds 3", 1.0, 0),
    (lambda data, labels, size: cut(data, labels, size, 1), "Each holds 4 samples; .* none is empty", 1.0, 0),
)
def test_only_a_missing_last_batch_leaves_a_share_and_another_order_is_flagged_once(function, hint, share, flags):
    note, said = Note(), ""
    try:
        expect_batches(student(function), ("utils", "create_batches"), np.random.default_rng(1), note, share=0.75)
    except StudentFault as fault:
        said = f"{fault.finding.hint} {fault.finding.got}"
    assert (bool(re.match(hint, said)), bool(said), note.share, len(note.flags)) == (True, bool(hint), share, flags)


NAME = ("net", "make")
SIZES = [784, 128, 10]


def student(function):
    return SimpleNamespace(run=lambda _module, _function, args: Answer("it", function(*args)))


@pytest.mark.parametrize("extra", [[], [np.zeros(784)], [np.zeros(1)]])
def test_a_vector_for_the_first_layer_is_left_out(extra):
    found = networks.expect_vectors(student(lambda sizes: [*extra, *map(np.zeros, sizes[1:])]), NAME, SIZES)
    assert [vector.shape for vector in found] == [(128,), (10,)]


@each("made, hint", ([0.0] * 5, "one a layer"), ([np.zeros(128)], "Each layer but the input"))
def test_another_number_of_vectors_fails_with_what_it_shows(made, hint):
    with pytest.raises(StudentFault, match=r"`make\(\[784, 128, 10\]\)` returned \d items") as caught:
        networks.expect_vectors(student(lambda _sizes: made), NAME, SIZES)
    assert hint in caught.value.finding.hint


def draw(rng, sizes):
    return [rng.uniform(-1, 1, shape) / np.sqrt(shape[0]) for shape in pairwise(sizes)]


def test_random_weights_are_drawn_anew_each_time():
    rng = np.random.default_rng(1)
    networks.expect_random_weights(student(lambda sizes: draw(rng, sizes)), NAME, [SIZES], "")
    with pytest.raises(StudentFault, match="the same numbers on every call"):
        networks.expect_random_weights(student(lambda sizes: draw(np.random.default_rng(1), sizes)), NAME, [SIZES], "")
    half = student(lambda sizes: [draw(rng, sizes)[0], np.zeros((128, 10))])
    with pytest.raises(StudentFault, match="the same numbers on every call in matrix 1"):
        networks.expect_random_weights(half, NAME, [SIZES], "")


@each(
    "change, words",
    *((lambda w: 2 * w, "beyond"), (lambda w: w**3, "not uniform")),
    *((lambda w: w ** (1 if len(w) > 128 else 3), "not uniform"), (lambda w: w.T, "wrong shapes")),
)
def test_random_weights_of_another_kind_fail(change, words):
    rng = np.random.default_rng(1)
    with pytest.raises(StudentFault, match=words):
        networks.expect_random_weights(student(lambda sizes: list(map(change, draw(rng, sizes)))), NAME, [SIZES], "")
