"""What students read: their points, and nothing that is hidden from them."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from report_strategies import reports, unhurried
from sample_reports import RUBRIC, RUN_CPU, make, mixed, passed, template, with_text

from grader.model import Finding, LineComment, Mark, Observation, Outcome
from grader.reports import html
from grader.reports.audience import for_students
from grader.scoring.marks import apply_marks

SECRET = "6f1d-secret"
SEED = 987654321
HIDDEN = ("utils.sigmoid", "max.gpu.correct", "max.times", "report.pdf")


def secretive(outcome, visibility="hidden"):
    """Return a report in which every text and fact of the hidden checks has the secret in it."""
    rows = tuple(replace(row, visibility=visibility if row.id in HIDDEN else "visible") for row in RUBRIC.criteria)
    told = Finding(*[f"{SECRET} {field}" for field in ("message", "expected", "got", "hint")], location="utils.py:3")

    def observe(check):
        if check not in HIDDEN:
            return passed(check)
        facts = {"input": [SECRET], SECRET: 1, "best_times_s": {SECRET: 1.0}, "speedup": [1.0, 2.0]}
        return Observation(check, f"{SECRET} sentence", outcome, told, (told,), (SECRET,), facts, SECRET, 1.0, 1.0)

    run = replace(mixed().evidence.run, seed=SEED, notes=(SECRET,))
    files = with_text("import numpy\n\n\ndef sigmoid(x):\n")
    report = make(observe, run=run, handed_in=files, rubric=replace(RUBRIC, criteria=rows))
    mark = Mark("1", "utils.sigmoid", 1, SECRET, by=SECRET)
    return replace(report, results=(replace(report.results[0], mark=mark), *report.results[1:]))


@pytest.mark.parametrize("visibility", ["hidden", "after_due_date", "after_published"])
@pytest.mark.parametrize("outcome", list(Outcome))
def test_the_students_page_has_no_hidden_input_no_expected_value_and_no_seed(outcome, visibility):
    report = secretive(outcome, visibility)
    page = html.render(report)
    assert SECRET not in page
    assert str(SEED) not in page
    assert not [check for check in HIDDEN if f"{check}<" in page or f'"{check}"' in page]
    staff = html.render_staff(report)
    assert staff.count(SECRET) > 20
    assert str(SEED) in staff
    assert all(f'id="{check}"' in staff for check in HIDDEN)


def test_a_comment_on_a_line_does_not_say_whose_it_is():
    report = replace(template(), comments=(LineComment("utils.py", 3, "a loop?", by="noa"),))
    assert for_students(report).comments == (LineComment("utils.py", 3, "a loop?"),)


@unhurried
@given(reports())
def test_what_students_get_has_the_same_points(report):
    reduced = for_students(report)
    assert (reduced.score_low, reduced.score_high) == (report.score_low, report.score_high)
    given, shown = ([(one.points_low, one.outcome) for one in each.results] for each in (report, reduced))
    assert (shown, reduced.flags) == (given, ())
    assert all(
        reduced.rubric.criterion(result.criterion.id) == result.criterion and "hidden" in result.criterion.id
        for result, old in zip(reduced.results, report.results, strict=True)
        if old.criterion.visibility != "visible"
    )


def test_a_check_that_ended_in_our_error_shows_no_traceback_to_students():
    error = {"outcome": Outcome.ERROR, "finding": Finding("KeyError: 'secret place'"), "output": "o"}
    report = make(lambda check: passed(check, facts={"traceback": "secret line"}, **error))
    assert "secret" not in html.render(report)
    assert "The grader failed here, not your submission." in html.render(report)
    assert "secret line" in html.render_staff(report)
    assert "secret place" in html.render_staff(report)


@pytest.mark.parametrize("others", [(), ("utils.sigmoid",)])
def test_a_check_that_waited_for_a_hidden_one_does_not_name_it(others):
    changes = {"max.gpu.correct": {"visibility": "hidden"}}
    changes["max.gpu.speedup"] = {"needs": ("max.gpu.correct", *others)}
    rows = tuple(replace(row, **changes.get(row.id, {})) for row in RUBRIC.criteria)
    waiting = Finding("It needs max.gpu.correct, which did not pass.")

    def observe(check):
        outcomes = {"max.gpu.speedup": Outcome.SKIPPED, "max.gpu.correct": Outcome.FAILED}
        return passed(check, outcome=outcomes[check], finding=waiting) if check in outcomes else passed(check)

    page = html.render(make(observe, rubric=replace(RUBRIC, criteria=rows)))
    assert "A hidden check that this one needs did not pass." in page
    assert "max.gpu.correct" not in page


def test_visible_checks_keep_what_teaches_and_nobody_reads_the_seed_notes_or_who_marked_what():
    page = html.render(mixed())
    assert "7 batches: 16, 16, 16, 16, 16, 16, 4 samples" in page
    assert "the last batch holds what remains" in page
    assert "slower than the staff" not in page
    waiting = [one.finding.message for one in for_students(template()).results if one.outcome is Outcome.SKIPPED]
    assert [message.split()[0] for message in waiting] == ["It"] * 4 + ["hw1.pdf"]
    given = Mark("1", "max.times", 5, "clear", "a TA", datetime(2026, 1, 1, tzinfo=UTC))
    marks = [given, *(replace(given, check=check) for check in ("report.explanation", "adjustment"))]
    seen = for_students(apply_marks(mixed(), marks))
    run = for_students(replace(mixed(), evidence=replace(mixed().evidence, run=RUN_CPU))).evidence.run
    assert (run.seed, run.notes) == (0, ())
    assert [(one.mark.by, one.mark.at) for one in seen.results if one.mark] == [("", None)] * 2
    assert [one.by for one in seen.adjustments] == [""]
