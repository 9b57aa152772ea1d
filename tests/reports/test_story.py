"""What reports say is the same in every format, and says what to do; marks and shares of points as well."""

import json
from dataclasses import replace

import pytest
import sample_reports as samples
from junitparser import JUnitXml
from rows import each
from sample_reports import MARK, RUBRIC, all_right, full_marks, make, mixed, one_mistake, passed, refused, result_of

from grader.course.grades.difference import Side, compare
from grader.kit.dialogue import Style, check_lines
from grader.kit.prediction import predict
from grader.model import Finding, LateRule, Mark, Outcome
from grader.reports import gradescope, html, junit, story, terminal
from grader.reports.files import decode, encode
from grader.scoring.marks import apply_marks
from grader.scoring.score import score


def test_the_first_step_is_a_function_a_reason_of_refusal_or_none_and_no_warning():
    said = "Start with utils.sigmoid: sigmoid raised NotImplementedError"
    assert story.first_step_text(samples.template()).startswith(said)
    assert "../../etc/cron.d/job" in story.first_step_text(refused())
    assert story.first_step_text(full_marks()) == ""

    def failing(*checks):
        return make(lambda check: passed(check, outcome=Outcome.FAILED) if check in checks else all_right(check))

    assert story.first_step(failing("max.shapes", "matmul.gpu.launch")).criterion.id == "matmul.gpu.launch"
    assert story.first_step(failing("max.shapes")) is None


def test_open_points_name_what_decides_them_are_all_accounted_for_and_end_with_a_persons_mark():
    speedup, ours, explanation = story.open_sentences(mixed())
    assert speedup == "7 points of max.gpu.speedup: undecided by the measurement; a TA looks at it."
    assert ours.startswith("2 points of matmul.numba.compiled: undecided because the grader failed, not the submission")
    assert explanation == "10 points of report.explanation: given by a TA."
    assert "7 points of max.gpu.speedup: decided on a machine with a GPU." in story.open_sentences(full_marks())
    report = samples.selected()
    (sentence,) = story.open_sentences(report)
    assert sentence.startswith(f"{report.score_high - report.score_low:g} points of utils.sigmoid, ")
    assert sentence.endswith("and 16 more: not run this time; run all checks to decide.")
    for points, said in ((0.5, "0.5 points of"), (1.0, "1 point of")):
        rows = (replace(RUBRIC.criteria[0], points=points), *RUBRIC.criteria[1:])
        report = make(lambda check: passed(check, outcome=Outcome.ERROR), rubric=replace(RUBRIC, criteria=rows[:1]))
        assert story.open_sentences(report)[0].startswith(said)
    assert story.open_sentences(refused())[0].startswith("All 100 points are undecided")
    assert story.open_sentences(apply_marks(refused(), [Mark("1", "adjustment", 50)])) == ()


def test_a_selection_says_which_checks_ran_and_the_digits_are_named_for_those_who_learned_them():
    said = "Only 2 of 28 checks ran: max.cpu.correct, max.cpu.trivial."
    assert story.selection_text(samples.selected()).startswith(said)
    assert [story.selection_text(report) for report in (full_marks(), refused())] == ["", ""]
    learned, other = (replace(full_marks().evidence.run, data=data) for data in ("digits", "MNIST"))
    learned, other = (make(all_right, run=run) for run in (learned, other))
    assert story.data_text([learned, refused()]).endswith("not MNIST.")
    assert story.data_text([learned, other]).endswith("not MNIST, for 1 of 2 hand-ins.")
    assert story.data_text([other, refused()]) == ""


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


def test_a_finding_is_told_line_by_line_and_every_outcome_has_its_own_word_and_icon():
    finding = Finding("Wrong.", "1", "2", "Look again.", "utils.py:3")
    told = ["Wrong.", "expected: 1", "got: 2", "hint: Look again.", "at: utils.py:3"]
    assert story.finding_text(finding).splitlines() == told
    assert "got" not in story.finding_text(finding, with_got=False)
    ended = [outcome for outcome in Outcome if outcome is not Outcome.SKIPPED]
    results = [result_of(make(lambda check, one=one: passed(check, outcome=one)), "utils.sigmoid") for one in ended]
    without = make(lambda check: passed(check, outcome=ended[check == "max.numba.correct"]))
    results.append(result_of(without, "max.numba.compiled"))
    styles = [story.style_of(result) for result in results]
    assert len({style.word for style in styles}) == len({style.icon for style in styles}) == len(Outcome)
    assert story.style_of(result_of(mixed(), "max.shapes")).word == "warning"
    assert story.style_of(result_of(full_marks(), "max.shapes")).word == "passed"


TIMES = {"100 s": 100.0, "12.3 s": 12.34, "1 s": 1, "45.7 ms": 0.04567, "45.6 ms": 0.0456, "1 ms": 0.001}
TIMES |= {"500 µs": 0.0005, "7.8 µs": 7.8e-6, "0 µs": 0, "1230 s": 1234.0, "1000 ms": 0.9996}


def test_a_time_has_the_unit_in_which_it_is_at_least_one():
    assert [story.seconds_text(seconds) for seconds in TIMES.values()] == [*TIMES]


@each("names, said", [("", ""), ("abcd", "a, b, c, d"), ("abcde", "a, b, c, d and 1 more")])
def test_of_many_names_only_the_first_are_listed(names, said):
    assert story.listed(names) == said


def test_a_shared_line_is_where_to_begin_if_it_is_one_and_a_marked_check_repeats_nothing():
    def failing(location):
        finding = Finding("Wrong.", location=location)
        return make(lambda check: passed(check, outcome=Outcome.FAILED, finding=finding))

    first, second = (row.id for row in RUBRIC.criteria[:2])
    for location, check, said in (
        ("utils.py:3", first, "utils.py, line 3"),
        ("utils.py:3", second, second),
        ("utils.py:?", first, first),
    ):
        assert story.place_of(result_of(failing(location), check), failing(location)) == said
    marked = apply_marks(failing("utils.py:3"), [Mark("1", check, 0, "copied") for check in (first, second)])
    assert story.repeats(failing("utils.py:3"))[second] == first
    assert second not in story.repeats(marked)


@pytest.fixture
def decided():
    report = one_mistake()
    late = replace(report, rubric=replace(report.rubric, late=LateRule(points_per_day=5)))
    marks = [
        Mark("1", "report.explanation", 8, f"clear <b>{MARK}</b> \x1b[31m", "omri-the-ta"),
        Mark("1", "adjustment", -2, "wrong file name", "omri-the-ta"),
    ]
    return apply_marks(late, marks, days=1)


def test_every_format_tells_what_people_decided_and_where_nothing_was_the_contract_stays(decided):
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
    suites = {suite.name: suite for suite in JUnitXml.fromstring(junit.render(decided).encode())}
    assert [case.name for case in suites["Adjustments"]] == ["late", "adjustment"]
    text = junit.render(decided)
    assert "marked: 8 of 10 points. clear" in text
    assert "-2 points. wrong file name" in text
    document = JUnitXml.fromstring(junit.render_many([("one", decided), ("<two>", full_marks())], "hw1").encode())
    assert [suite.name for suite in document] == ["one", "<two>"]
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


CHECK = "utils.create_batches"


@pytest.fixture
def report():
    """Everything is right but the last batch, which costs half of five points."""
    return samples.partly_right()


def test_partly_right_survives_the_evidence_moves_the_score_and_is_said_everywhere(report):
    again = score(decode(encode(report.evidence)), report.rubric)
    assert result_of(again, CHECK).points_low == 2.5
    assert again.score_low == report.score_low == one_mistake().score_low + 2.5
    changes = {change.check: change for change in compare("1", Side(one_mistake()), Side(report))}
    assert changes[CHECK].after == "2.5 of 5 (partly right)"
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
    (first, *_) = check_lines(result_of(report, CHECK), Style(plain=True))
    assert first == f"{CHECK}: partly right, 2.5 of 5 points."
    assert predict(report).high == predict(one_mistake()).high + 2.5


def test_what_a_person_gives_takes_its_place(report):
    for points, outcome in ((4.0, Outcome.PASSED), (0.0, Outcome.FAILED)):
        marked = result_of(apply_marks(report, [Mark("1", CHECK, points, "seen")]), CHECK)
        assert (marked.points_low, marked.points_high, marked.outcome) == (points, points, outcome)
        assert not marked.is_partly_right
