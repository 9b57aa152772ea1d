"""People decide after the checks: marks close ranges, lateness costs what the rubric says, nothing goes below 0."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from rows import each

from grader.model import Criterion, Evidence, File, LateRule, Mark, Observation, Outcome, Rubric, Run, Submission
from grader.scoring.marks import apply_marks, late_points, late_text, line_key
from grader.scoring.score import score

ROWS = (Criterion("a.code", "Part 1", 90), Criterion("a.text", "Part 1", 10, marked_by="ta"))


def report(outcome=Outcome.PASSED, late=None):
    kinds = (outcome, Outcome.PASSED)
    seen = tuple(Observation(row.id, "It is right.", kind) for row, kind in zip(ROWS, kinds, strict=True))
    return scored(seen, late=late)


def scored(seen, rows=ROWS, late=None, refusal=""):
    evidence = Evidence(Submission("hw1", "0" * 64), Run("cpu", "digits", "limits", 1), seen, "demo", refusal=refusal)
    return score(evidence, Rubric("demo", "A demonstration", 100, rows, late=late))


def mark(check, points, comment=""):
    return Mark("dana", check, points, comment, by="ta")


def bounds(found):
    return (found.score_low, found.score_high)


@each("marks", {"no mark": [], "one of a dropped check": [mark("a.gone", 5)]})
def test_nothing_decided_changes_nothing(marks):
    assert apply_marks(report(), marks) == report()


def test_a_mark_closes_its_range_no_points_are_a_failure_and_more_than_a_row_has_are_all_of_them():
    found = apply_marks(report(), [mark("a.text", 8, "clear")])
    assert (found.score_text, found.provisional) == ("98 of 100", False)
    assert (found.results[1].mark.by, found.results[1].finding.message) == ("ta", "clear")
    none = apply_marks(report(), [mark("a.text", 0)]).results[1]
    assert (none.outcome, none.finding.message) == (Outcome.FAILED, "The course staff gave these points.")
    assert apply_marks(report(), [mark("a.text", 15)]).score_high == 100
    worth_nothing = scored((Observation("a.note", "", Outcome.FAILED),), (Criterion("a.note", "Part 1", 0),))
    assert apply_marks(worth_nothing, [mark("a.note", 0)]).results[0].outcome is Outcome.PASSED


def report_of_a_need(first, second):
    rows = (Criterion("a.code", "Part 1", 90), Criterion("a.speed", "Part 1", 10, needs=("a.code",)))
    seen = (Observation("a.code", "It is right.", first), Observation("a.speed", "It is fast.", second))
    return scored(seen, rows)


def test_what_was_skipped_for_a_check_opens_with_its_mark_and_is_lost_with_it_unless_both_are_marked():
    found = apply_marks(report_of_a_need(Outcome.FAILED, Outcome.SKIPPED), [mark("a.code", 90)])
    assert found.results[1].outcome is Outcome.INCONCLUSIVE
    assert bounds(found) == (90, 100)
    both_passed = report_of_a_need(Outcome.PASSED, Outcome.PASSED)
    assert bounds(apply_marks(both_passed, [mark("a.code", 0)])) == (0, 0)
    assert bounds(apply_marks(both_passed, [mark("a.code", 0), mark("a.speed", 10)])) == (10, 10)


@each("outcome", list(Outcome))
def test_a_mark_overrides_whatever_the_check_observed(outcome):
    code = apply_marks(report(outcome), [mark("a.code", 45)]).results[0]
    assert (code.points_low, code.points_high, code.outcome) == (45, 45, Outcome.PASSED)


def test_lateness_of_nothing_costs_nothing_counts_points_with_marks_and_comes_before_adjustments():
    refused = LateRule(points_per_day=5, max_days=4)
    assert [str(late_points(refused, days, 0.0)) for days in (1, 30)] == ["0.0", "0.0"]
    found = apply_marks(report(late=LateRule(percent_per_day=10)), [mark("a.text", 10), mark("adjustment", 3)], days=1)
    assert bounds(found) == (93, 93)
    assert [entry.what for entry in found.adjustments] == ["late", "adjustment"]


def test_an_adjustment_moves_both_ends_and_never_below_zero():
    found = apply_marks(report(), [mark("adjustment", -12.5, "copied code")])
    assert bounds(found) == (77.5, 87.5)
    assert found.adjustments[0].text == "adjustment: -12.5 points. copied code"
    assert bounds(apply_marks(report(Outcome.FAILED), [mark("adjustment", -20)])) == (0, 0)


@each(
    "rule, days, expected",
    *((LateRule(points_per_day=5), 1, -5), (LateRule(points_per_day=5), 1.01, -10)),
    *((LateRule(points_per_day=5), 1 + 1e-12, -5), (LateRule(percent_per_day=2.5), 1, -2.25)),
    *((LateRule(points_per_day=5, free_days=2), 2, 0), (LateRule(points_per_day=5, free_days=2), 3, -5)),
    *((LateRule(points_per_day=5), 30, -90), (LateRule(percent_per_day=10), 3, -27)),
    *((LateRule(percent_per_day=10), 30, -90), (LateRule(points_per_day=5, max_days=4), 4, -20)),
    *((LateRule(points_per_day=5, free_days=1, max_days=4), 4.5, -90), (LateRule(max_days=4), 3, 0)),
)
def test_lateness_costs_what_the_rule_says(rule, days, expected):
    assert late_points(rule, days, 90) == expected


RULED = "late: -20 to -18 points. 2 days late: counts as 2; 10 % for each"
FREE = "late: +0 points. 1 day late; the rubric has no [late] table, so this costs nothing (ill)"


@each(
    "rule, days, comment, expected, said",
    (LateRule(percent_per_day=10), 2, "", (72, 80), RULED),
    (None, 1, "ill", (90, 100), FREE),
)
def test_open_points_stay_open_under_lateness_and_what_it_costs_is_said(rule, days, comment, expected, said):
    found = apply_marks(report(late=rule), days=days, comment=comment)
    assert (bounds(found), found.adjustments[0].text) == (expected, said)


points = st.integers(0, 400).map(lambda quarter: quarter / 4)
rules = st.builds(
    LateRule, free_days=st.integers(0, 3), points_per_day=st.integers(0, 30), max_days=st.none() | st.integers(3, 9)
) | st.builds(LateRule, percent_per_day=st.integers(0, 100))


@given(rules, st.floats(0, 40), points, points)
def test_penalties_keep_the_scores_order_take_no_more_than_there_is_and_later_is_never_cheaper(rule, days, one, other):
    assert late_points(rule, days + 1, one) <= late_points(rule, days, one)
    low, high = sorted((one, other))
    assert 0 <= low + late_points(rule, days, low) <= high + late_points(rule, days, high) <= high


@given(st.sampled_from(list(Outcome)), rules, st.floats(0, 9), st.integers(-50, 50))
def test_the_range_stays_a_range(outcome, rule, days, extra):
    found = apply_marks(report(outcome, late=rule), [mark("adjustment", extra)], days)
    assert 0 <= found.score_low <= found.score_high


def test_evidence_and_rubric_stay_as_they_are_and_of_a_refused_file_a_person_decides_everything():
    before = report()
    after = apply_marks(before, [mark("a.text", 3)], days=2)
    assert replace(after, results=before.results, score_low=90, score_high=100, adjustments=()) == before
    refused = scored((), refusal="It is no zip.")
    assert bounds(apply_marks(refused)) == (0, 100)
    assert bounds(apply_marks(refused, [mark("adjustment", 50)])) == (50, 50)
    assert bounds(apply_marks(refused, [mark("a.code", 60)])) == (60, 60)
    assert bounds(apply_marks(refused, [mark(line_key(File("utils.py", 9, "0" * 64), 3), 0, "Why?")])) == (0, 100)


TO_FOUR_DAYS, WITH_A_FREE_DAY = LateRule(points_per_day=5, max_days=4), LateRule(free_days=1, points_per_day=5)


@each(
    "rule, days, said",
    (TO_FOUR_DAYS, 1.3827, "1 day 9 h late: counts as 2"),
    (TO_FOUR_DAYS, 1, "1 day late: counts as 1"),
    (TO_FOUR_DAYS, 2.0007, "2 days 1 min late: counts as 3"),
    (TO_FOUR_DAYS, 0.0001, "1 min late: counts as 1"),
    (TO_FOUR_DAYS, 0.5, "12 h late: counts as 1"),
    (TO_FOUR_DAYS, 29 / 1440, "29 min late: counts as 1"),
    (TO_FOUR_DAYS, 0.99999, "1 day late: counts as 1"),
    (TO_FOUR_DAYS, 0.0007, "1 min late: counts as 1"),
    (TO_FOUR_DAYS, 0.4174, "10 h 1 min late: counts as 1"),
    (TO_FOUR_DAYS, 5, "5 days late: not accepted"),
    (WITH_A_FREE_DAY, 1.3827, "1 day 9 h late: counts as 1 (1 free)"),
    (None, 1.3827, "1 day 9 h late"),
)
def test_lateness_is_said_as_people_do(rule, days, said):
    assert late_text(rule, days) == said
