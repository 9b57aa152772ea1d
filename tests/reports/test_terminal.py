"""The terminal's table: readable, complete, and deaf to what students write."""

import pytest
from hypothesis import given
from report_strategies import reports, unhurried
from sample_reports import full_marks, hostile, make, mixed, passed, refused, selected, template, unreadable_utils

from grader.model import Finding, Outcome
from grader.reports import terminal


def test_what_fails_eight_checks_is_said_once_and_a_selection_shows_no_other_rows():
    text = terminal.render(unreadable_utils(), width=200)
    assert "Start with utils.py, line 36: Importing utils.py raised SyntaxError" in text
    assert text.count("Importing utils.py raised SyntaxError") == 2
    assert text.count("The same as utils.sigmoid.") == 7
    text = terminal.render(template(), width=120)
    assert "Start with utils.sigmoid: sigmoid raised NotImplementedError." in text
    assert "Replace `raise NotImplementedError` by your own code" in text
    text = terminal.render(selected(), width=120)
    assert "Only 2 of 28 checks ran" in text
    assert "max.cpu.trivial" in text
    assert "matmul.gpu.correct" not in text


def test_every_check_that_ran_and_the_score_are_there(report):
    text = terminal.render(report, width=120)
    for observation in report.evidence.observations:
        assert observation.check in text
    assert f"Score: {report.score_text}" in text


@unhurried
@given(reports())
def test_plain_output_holds_nothing_that_a_terminal_obeys(report):
    text = terminal.render(report)
    assert f"Score: {report.score_text}" in text
    assert all(char.isprintable() or char in "\n\t" or char.isspace() for char in text)
    assert "\x1b" not in text
    assert "\r" not in text


def test_colour_is_ours_alone_and_rich_markup_of_students_is_shown_as_they_wrote_it():
    text = terminal.render(hostile(), colour=True)
    assert "\x1b[1;31m" in text
    assert "\x1b[2J" not in text
    assert "\x1b]8" not in text
    finding = Finding("[red]x[/red] [/] [link=file:///etc/passwd]y[/link]")
    report = make(lambda check: passed(check, outcome=Outcome.FAILED, finding=finding))
    assert "Start with utils.sigmoid: [red]x[/red] [/] [link=file:///etc/passwd]y[/link]" in terminal.render(report)


def test_a_provisional_score_says_who_decides_a_refusal_why_and_the_last_line_where_the_report_is():
    text = terminal.render(full_marks(), width=120)
    assert "Score: 83 to 100 of 100 (provisional)" in text
    assert "10 points of report.explanation: given by a TA." in text
    text = terminal.render(refused(), width=120)
    assert "Start with the hand-in itself: The member" in text
    assert "Score: 0 to 100 of 100 (provisional)" in text
    assert "All 100 points are undecided: a TA looks at the file and decides." in text
    assert "utils.sigmoid" not in text
    for where in ("out/hw1/report.html", f"out/{'long-' * 20}/report.html"):
        assert terminal.render(mixed(), where=where).endswith(f"Full report: {where}\n")
    text = terminal.render(make(lambda check: passed(check, flags=("Look at this.",))))
    assert text.count("Look at this.") == 8
    assert "20 more" in text


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(width):
    assert max(len(line) for line in terminal.render(mixed(), width=width).splitlines()) <= width
