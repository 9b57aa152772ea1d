"""Batches: what the last one is missing costs a share, and everything else all points."""

from types import SimpleNamespace

import numpy as np
from rows import check_rows

from grader.authoring import Note, StudentFault
from grader.authoring.judges.batches import expect_batches

MISSING = "The last, smaller batch is missing."


def cut(data, labels, size):
    return [(data[at : at + size], labels[at : at + size]) for at in range(0, len(data), size)]


def judged(function):
    """Return what fails, the share of the points that is left, and the flags."""
    note = Note()
    student = SimpleNamespace(run=lambda _module, _function, given: SimpleNamespace(value=function(*given)))
    try:
        expect_batches(student, ("utils", "create_batches"), np.random.default_rng(1), note, share=0.75)
    except StudentFault as fault:
        return fault.finding.hint, note.share, note.flags
    return "", note.share, note.flags


def test_only_a_last_smaller_batch_that_is_missing_leaves_a_share():
    def check(function, hint, share):
        said, left, flags = judged(function)
        assert (said.startswith(hint), bool(said), left, flags) == (True, bool(hint), share, [])

    check_rows(
        check,
        [
            (cut, "", 1.0),
            (lambda data, labels, size: cut(data, labels, size)[: len(data) // size], MISSING, 0.75),
            (lambda *given: cut(*given)[:-1], MISSING, 1.0),
            (lambda data, labels, size: cut(data, labels[::-1], size), "Some labels belong to other samples", 1.0),
        ],
    )


def test_another_order_of_the_samples_is_flagged_once():
    said, share, flags = judged(lambda data, labels, size: cut(data[::-1], labels[::-1], size))
    assert (said, share, len(flags)) == ("", 1.0, 1)
