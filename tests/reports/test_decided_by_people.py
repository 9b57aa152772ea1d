"""Marks, lateness and adjustments stand in every format, and who gave them is not for students."""

import json
from dataclasses import replace

import pytest
from junitparser import JUnitXml
from sample_reports import MARK, full_marks, one_mistake

from grader.model import LateRule, Mark, Outcome
from grader.reports import gradescope, junit, story, terminal
from grader.scoring.marks import apply_marks


@pytest.fixture
def decided():
    report = one_mistake()
    late = replace(report, rubric=replace(report.rubric, late=LateRule(points_per_day=5)))
    marks = [
        Mark("1", "report.explanation", 8, f"clear <b>{MARK}</b> \x1b[31m", "omri-the-ta"),
        Mark("1", "adjustment", -2, "wrong file name", "omri-the-ta"),
    ]
    return apply_marks(late, marks, days=1)


def test_gradescope_is_told_and_where_nothing_was_decided_the_contract_stays(decided):
    document = json.loads(gradescope.render(decided))
    assert document["score"] == 86
    assert "late: -5 points. 1 day late: counts as 1; 5 points for each" in document["output"]
    assert "adjustment: -2 points. wrong file name" in document["output"]
    assert [entry["what"] for entry in document["extra_data"]["adjustments"]] == ["late", "adjustment"]
    assert document["extra_data"]["marks"]["report.explanation"]["points"] == 8
    (test,) = [test for test in document["tests"] if test["name"] == "report.explanation"]
    assert (test["score"], test["status"]) == (8, "passed")
    assert "clear" in test["output"]
    assert not {"marks", "adjustments"} & set(json.loads(gradescope.render(full_marks()))["extra_data"])


def test_junit_has_a_suite_for_adjustments_and_one_for_each_of_a_batch(decided):
    suites = {suite.name: suite for suite in JUnitXml.fromstring(junit.render(decided).encode())}
    assert [case.name for case in suites["Adjustments"]] == ["late", "adjustment"]
    text = junit.render(decided)
    assert "marked: 8 of 10 points. clear" in text
    assert "-2 points. wrong file name" in text
    document = JUnitXml.fromstring(junit.render_many([("one", decided), ("<two>", full_marks())], "hw1").encode())
    assert [suite.name for suite in document] == ["one", "<two>"]


def test_the_terminal_tells_it_and_a_marked_check_looks_marked(decided):
    text = terminal.render(decided)
    assert "late: -5 points. 1 day late" in text
    assert "adjustment: -2 points. wrong file name" in text
    assert "clear <b>" in text
    (result,) = [result for result in decided.results if result.mark]
    assert story.style_of(result).word == "marked"
    assert result.outcome is Outcome.PASSED


@pytest.mark.parametrize("render", [gradescope.render, junit.render, terminal.render])
def test_students_do_not_read_who_marked_them_and_no_escape_gets_through(decided, render):
    text = render(decided)
    assert "omri-the-ta" not in text
    assert "\x1b" not in text
