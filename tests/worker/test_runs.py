"""A value that is wrong: whose points it costs."""

from types import SimpleNamespace

import pytest
from rows import each

from grader.errors import Inconclusive, StudentFault
from grader.model import Finding
from grader.worker.runs import Run

WRONG = StudentFault(Finding("`f` returns 3."))


def compare(_value):
    raise WRONG


@each(
    "passed, message",
    *(({"a": True, "b": True}, "a, b passed: the answer changes"), ({"a": True, "b": False}, None)),
    *(({"b": False}, None), ({"a": True}, "returns 3"), ({}, "returns 3")),
)
def test_a_wrong_value_costs_nothing_more_once_any_owner_has_lost_its_points(passed, message):
    run, note = Run("`f`", 3), SimpleNamespace(passed=passed)
    if message is None:
        assert run.compared(compare, note, "a", "b").value == 3
        return
    with pytest.raises(StudentFault, match=message):
        run.compared(compare, note, "a", "b")


def test_an_edge_that_compiled_code_passes_over_explains_a_wrong_value():
    run = Run("`f`", 3, doubt="alone it raised: `f` raised IndexError: index is out of bounds")
    with pytest.raises(StudentFault) as told:
        run.compared(compare, SimpleNamespace(passed={}))
    assert told.value.finding.hint.endswith("it raises IndexError: index is out of bounds.")


def test_what_was_seen_counts_only_of_a_run_that_was_observed_and_followed():
    def seen_of(run):
        return run.compared(lambda _value: None, SimpleNamespace(passed={})).seen

    assert seen_of(Run("`f`", 3, "seen")) == "seen"
    for run, why in ((Run("`f`", 3, "seen", "`f` uses os"), "`f` uses os"), (Run("`f`", 3), "`f` could not be foll")):
        with pytest.raises(Inconclusive, match=f"^{why}"):
            seen_of(run)
