"""A share of points is shown as such by every format."""

import json

import pytest
from sample_reports import one_mistake, partly_right, result_of

from grader.batch.grades.difference import Side, compare
from grader.kit.lines import Style, check_lines
from grader.kit.prediction import predict
from grader.kit.selfcheck import Announcement
from grader.model import Mark, Outcome
from grader.reports import gradescope, html, junit, terminal
from grader.reports.evidence import decode, encode
from grader.scoring.marks import apply_marks
from grader.scoring.score import score

CHECK = "utils.create_batches"


@pytest.fixture
def report():
    """Everything is right but the last batch, which costs half of five points."""
    return partly_right()


def test_it_survives_the_evidence_moves_the_score_and_a_comparison_says_so(report):
    again = score(decode(encode(report.evidence)), report.rubric)
    assert result_of(again, CHECK).points_low == 2.5
    assert again.score_low == report.score_low == one_mistake().score_low + 2.5
    changes = {change.check: change for change in compare("1", Side(one_mistake()), Side(report))}
    assert changes[CHECK].after == "2.5 of 5 (partly right)"


def test_pages_and_terminal_say_partly_right_and_files_for_programs_have_the_points(report):
    for page in (html.render(report), html.render_staff(report)):
        assert "Partly right." in page
        assert "2.5 of 5" in page
    line = next(line for line in terminal.render(report).splitlines() if CHECK in line)
    assert "partly right" in line
    assert "2.5 of 5" in line
    test = next(test for test in json.loads(gradescope.render(report))["tests"] if test["name"] == CHECK)
    assert (test["score"], test["max_score"], test["status"]) == (2.5, 5, "failed")
    assert "Partly right, 2.5 of 5 points." in test["output"]
    assert "(partly right, 2.5 of 5 points)" in junit.render(report)


def test_the_kit_says_so_and_counts_it(report):
    (first, *_) = check_lines(Announcement(result_of(report, CHECK)), Style(plain=True))
    assert first == f"{CHECK}: partly right, 2.5 of 5 points."
    assert predict(report).high == predict(one_mistake()).high + 2.5


def test_what_a_person_gives_takes_its_place(report):
    for points, outcome in ((4.0, Outcome.PASSED), (0.0, Outcome.FAILED)):
        marked = result_of(apply_marks(report, [Mark("1", CHECK, points, "seen")]), CHECK)
        assert (marked.points_low, marked.points_high, marked.outcome) == (points, points, outcome)
        assert not marked.is_partly_right
