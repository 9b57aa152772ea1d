"""What reports say is the same in every format, and says what to do."""

from dataclasses import replace

from rows import each
from sample_reports import RUBRIC, all_right, full_marks, make, mixed, passed, refused, result_of, selected, template

from grader.model import Finding, Outcome
from grader.reports import story
from grader.scoring.score import score


def test_the_first_step_is_the_first_function_the_reason_of_a_refusal_or_none():
    assert story.first_step_text(template()).startswith("Start with utils.sigmoid: sigmoid raised NotImplementedError")
    assert "../../etc/cron.d/job" in story.first_step_text(refused())
    assert story.first_step_text(full_marks()) == ""


def test_a_failure_that_costs_points_comes_before_a_warning():
    def failing(*checks):
        return make(lambda check: passed(check, outcome=Outcome.FAILED) if check in checks else all_right(check))

    assert story.first_step(failing("max.shapes", "matmul.gpu.launch")).criterion.id == "matmul.gpu.launch"
    assert story.first_step(failing("max.shapes")).criterion.id == "max.shapes"
    assert "max.shapes: it fails." in story.first_step_text(failing("max.shapes"))


def test_open_points_name_what_decides_them():
    speedup, ours, explanation = story.open_sentences(mixed())
    assert speedup == "7 points of max.gpu.speedup: undecided by the measurement; a TA looks at it."
    assert ours.startswith("2 points of matmul.numba.compiled: open because the grader failed, not the submission")
    assert explanation == "10 points of report.explanation: given by a TA."
    assert "7 points of max.gpu.speedup: decided on a machine with a GPU." in story.open_sentences(full_marks())


def test_open_sentences_account_for_every_open_point():
    report = selected()
    (sentence,) = story.open_sentences(report)
    assert sentence.startswith(f"{report.score_high - report.score_low:g} points of utils.sigmoid, ")
    assert sentence.endswith("and 16 more: not run this time; grade again without --only.")


def test_a_selection_says_which_checks_ran_and_nothing_is_said_where_there_is_none():
    assert story.selection_text(selected()).startswith("Only 2 of 27 checks ran: max.cpu.correct, max.cpu.trivial.")
    assert [story.selection_text(report) for report in (full_marks(), refused())] == ["", ""]


def test_parts_put_failures_first_and_add_up_to_the_score_and_a_hidden_check_is_no_first_step():
    report = mixed()
    parts = story.parts(report)
    assert [part.name for part in parts] == list(dict.fromkeys(row.part for row in RUBRIC.criteria))
    assert [result.criterion.id for result in parts[0].results][:2] == ["utils.create_batches", "utils.sigmoid"]
    assert sum(part.points_low for part in parts) == report.score_low
    assert sum(part.points_high for part in parts) == report.score_high
    assert sum(part.points for part in parts) == report.rubric.total
    first = story.first_step(report).criterion.id
    rows = tuple(replace(row, visibility="hidden") if row.id == first else row for row in report.rubric.criteria)
    reduced = score(report.evidence, replace(report.rubric, criteria=rows))
    assert story.first_step(reduced).criterion.id != first
    assert first not in story.first_step_text(reduced)


POINTS = {"utils.sigmoid": "3 of 3", "max.gpu.launch": "0 of 4", "max.gpu.speedup": "0 to 7 of 7", "max.shapes": "-"}


@each("check, expected", POINTS.items())
def test_points_are_a_number_a_range_or_a_dash(check, expected):
    assert story.points_text(result_of(mixed(), check)) == expected


def test_every_outcome_has_its_own_word_and_icon_and_a_failure_without_points_is_a_warning():
    results = [result_of(make(lambda check, one=one: passed(check, outcome=one)), "utils.sigmoid") for one in Outcome]
    styles = [story.style_of(result) for result in results]
    assert len({style.word for style in styles}) == len({style.icon for style in styles}) == len(Outcome)
    assert story.style_of(result_of(mixed(), "max.shapes")).word == "warning"


def test_a_finding_is_told_line_by_line():
    finding = Finding("Wrong.", "1", "2", "Look again.", "utils.py:3")
    told = ["Wrong.", "expected: 1", "got: 2", "hint: Look again.", "at: utils.py:3"]
    assert story.finding_text(finding).splitlines() == told
    assert "got" not in story.finding_text(finding, with_got=False)
