"""Points come from evidence and rubric alone; what is undecided is a range, never a quiet zero."""

from dataclasses import replace
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import each

from grader.errors import StaffError
from grader.model import Criterion, Evidence, Finding, Observation, Outcome, Rubric, Run, Submission, Threshold
from grader.scoring.score import score

OPEN = [Outcome.NOT_MEASURED, Outcome.ERROR, Outcome.INCONCLUSIVE]
ABOVE = Threshold("accuracy_percent", above=95)
AT_LEAST = Threshold("speedup", at_least=40)


def rubric(*rows):
    return Rubric("demo", "A demonstration", sum(row.points for row in rows), rows)


def evidence(*observations, device="cpu", refusal=""):
    run = Run(device, "mnist", "none", 1)
    return Evidence(Submission("hw1", "0" * 64), run, observations, assignment="demo", refusal=refusal)


def row(check="a.first", points=10.0, **keys):
    return Criterion(check, "Part 1", points, **keys)


def seen(check="a.first", outcome=Outcome.PASSED, **keys):
    return Observation(check, f"{check} is right.", outcome, **keys)


WITH_A_NEED = rubric(row(), row("a.second", 5, needs=("a.first",)))


def only_result(criterion, observation, device="cpu"):
    (result,) = score(evidence(observation, device=device), rubric(criterion)).results
    return result


def bounds(result):
    return (result.points_low, result.points_high)


DECIDED = {
    "passed": (row(), seen(), 10),
    "failed": (row(), seen(outcome=Outcome.FAILED), 0),
    "failed, with a share": (row(points=5.0), seen(outcome=Outcome.FAILED, share=0.5), 2.5),
    "failed, with a share that is rounded": (row(points=1.0), seen(outcome=Outcome.FAILED, share=1 / 3), 0.33),
    "a TA's, but there is nothing to mark": (row(marked_by="ta"), seen(outcome=Outcome.FAILED), 0),
    "a TA's, worth nothing": (row(points=0.0, marked_by="ta"), seen(), 0),
}


@each("criterion, observation, points", DECIDED)
def test_what_is_decided_has_one_number(criterion, observation, points):
    result = only_result(criterion, observation)
    assert bounds(result) == (points, points)
    assert result.is_partly_right == (observation.share > 0)


@each("outcome", [Outcome.PASSED, Outcome.SKIPPED, *OPEN])
def test_a_share_is_of_no_other_outcome(outcome):
    with_share, without = (only_result(row(), seen(outcome=outcome, share=share)) for share in (0.5, 0.0))
    assert bounds(with_share) == bounds(without)
    assert not with_share.is_partly_right


def test_a_share_moves_with_the_rubric_and_is_lost_where_a_need_is():
    observations = (seen(outcome=Outcome.FAILED, share=0.5), seen("a.second"))
    report = score(evidence(*observations), rubric(row(points=4.0), row("a.second", needs=("a.first",))))
    assert [bounds(result) for result in report.results] == [(2, 2), (0, 0)], "what needs it is skipped all the same"


@pytest.mark.parametrize("outcome", OPEN)
def test_what_is_undecided_is_a_range_and_takes_no_points_from_what_needs_it(outcome):
    report = score(evidence(seen(outcome=outcome)), rubric(row()))
    assert (report.score_low, report.score_high, report.provisional) == (0, 10, True)
    assert report.score_text == "0 to 10 of 10"
    report = score(evidence(seen(outcome=outcome), seen("a.second")), WITH_A_NEED)
    assert report.score_low == 5
    assert report.results[1].outcome is Outcome.PASSED


def test_a_check_that_did_not_run_is_open_and_says_so_and_one_without_points_leaves_the_score_final():
    report = score(evidence(seen()), rubric(row(), row("a.second", 5)))
    assert (report.score_low, report.score_high) == (10, 15)
    assert report.results[1].outcome is Outcome.NOT_MEASURED
    assert "did not run" in report.results[1].finding.message
    report = score(evidence(seen(), seen("a.times", Outcome.NOT_MEASURED)), rubric(row(), row("a.times", 0)))
    assert (report.provisional, report.score_text) == (False, "10 of 10")


def test_results_follow_the_rubric_have_the_checks_finding_and_two_observations_of_one_are_refused():
    report = score(evidence(seen("a.second"), seen("a.gone"), seen()), rubric(row(), row("a.second")))
    assert [result.criterion.id for result in report.results] == ["a.first", "a.second"]
    with pytest.raises(StaffError, match=r"two observations of a\.first"):
        score(evidence(seen(), seen()), rubric(row()))
    finding = Finding("sigmoid(0) is 1.", "0.5", "1")
    assert only_result(row(), seen(outcome=Outcome.FAILED, finding=finding)).finding == finding


@each(
    "threshold, fact, expected",
    *((ABOVE, 95.1, Outcome.PASSED), (ABOVE, 95.0, Outcome.FAILED), (ABOVE, [95.1, 96], Outcome.PASSED)),
    *((ABOVE, [95.0, 96], Outcome.INCONCLUSIVE), (ABOVE, [94, 95], Outcome.FAILED)),
    *((AT_LEAST, 40, Outcome.PASSED), (AT_LEAST, 39.999, Outcome.FAILED), (AT_LEAST, [40, 44], Outcome.PASSED)),
    *((AT_LEAST, (39, 40), Outcome.INCONCLUSIVE), (AT_LEAST, [30, 39.9], Outcome.FAILED)),
)
def test_a_threshold_decides_on_the_fact(threshold, fact, expected):
    assert only_result(row(threshold=threshold), seen(facts={threshold.fact: fact})).outcome is expected


NO_NUMBERS = [None, nan, inf, "97", True, [97], [1, 2, 3], [97, 96], [nan, 97], {}, 10**400, [["97"], 98]]


@each(
    "threshold, facts",
    {
        **{str(fact)[:20]: (ABOVE, {"accuracy_percent": fact}) for fact in NO_NUMBERS},
        "a missing fact": (ABOVE, {}),
        "samples of no form": (AT_LEAST, {"speedup_samples": {"fast": []}}),
    },
)
def test_a_fact_that_is_no_number_is_ours_and_never_a_zero(threshold, facts):
    result = only_result(row(threshold=threshold), seen(facts=facts))
    assert (result.outcome, bounds(result)) == (Outcome.ERROR, (0, 10))


def test_what_was_skipped_is_open_where_the_rubric_has_its_need_no_more():
    result = only_result(row(), seen(outcome=Outcome.SKIPPED))
    assert (result.outcome, bounds(result)) == (Outcome.INCONCLUSIVE, (0, 10))


@each("outcome", [outcome for outcome in Outcome if outcome not in {Outcome.PASSED, Outcome.SKIPPED}])
def test_a_threshold_turns_nothing_that_did_not_pass(outcome):
    assert only_result(row(threshold=ABOVE), seen(outcome=outcome, facts={"accuracy_percent": 99})).outcome is outcome


def test_a_missed_threshold_says_needed_and_measured_and_raw_samples_win_over_an_interval_beside_them():
    observation = seen(facts={"accuracy_percent": 93.14159}, finding=Finding("", hint="Look at the learning rate."))
    finding = only_result(row(threshold=ABOVE), observation).finding
    assert finding.message == "The accuracy has to be above 95 %, and is not."
    assert (finding.expected, finding.got) == ("above 95 %", "93.14 %")
    assert finding.hint == "Look at the learning rate."
    facts = {"speedup_samples": SAMPLES, "speedup": [10, 20]}
    assert only_result(row(threshold=AT_LEAST), seen(facts=facts)).outcome is Outcome.PASSED
    observation = seen(facts={"speedup_samples": SAMPLES})
    only_result(row(threshold=AT_LEAST), observation)
    assert set(observation.facts) == {"speedup_samples"}


def blocks(seconds, count=9):
    return [[seconds * (1 + 0.001 * number)] for number in range(count)]


SAMPLES = {"slow": blocks(0.5), "baseline": blocks(0.4), "fast": blocks(0.01)}


@each(
    "bound, gpu, outcome",
    *((40, {}, Outcome.PASSED), (49, {}, Outcome.PASSED), (51, {}, Outcome.FAILED)),
    (51, {"copying_s": 0.4 / 80, "call_s": 0.01}, Outcome.FAILED),
    (51, {"copying_s": 0.4 / 55}, Outcome.INCONCLUSIVE),
)
def test_raw_samples_are_judged_anew_under_each_threshold_and_by_what_plain_copies_leave(bound, gpu, outcome):
    facts = {"speedup_samples": SAMPLES, "gpu": gpu}
    result = only_result(row(threshold=Threshold("speedup", at_least=bound)), seen(facts=facts))
    assert result.outcome is outcome
    assert result.observation.facts["speedup"] == pytest.approx([50, 50])
    end = ": this server cannot reach it" if outcome in OPEN else ""
    assert result.finding.message == f"Speed-up 50 (95 % interval 50 to 50), needed {bound}{end}."


@pytest.mark.parametrize("outcome", [Outcome.PASSED, Outcome.FAILED])
def test_only_a_real_gpu_decides_a_gpu_check_and_one_whose_need_passed_stands_as_observed(outcome):
    assert only_result(row(hardware="gpu"), seen(outcome=outcome), "cpu").outcome is Outcome.NOT_MEASURED
    assert only_result(row(hardware="gpu"), seen(outcome=outcome), "gpu").outcome is outcome
    report = score(evidence(seen(), seen("a.second", outcome)), WITH_A_NEED)
    assert (report.results[1].outcome, report.provisional) == (outcome, False)


@pytest.mark.parametrize("outcome", [Outcome.PASSED, Outcome.INCONCLUSIVE])
def test_a_tas_row_stays_open_until_the_ta_has_marked_it_and_says_so(outcome):
    result = only_result(row(marked_by="ta"), seen(outcome=outcome))
    assert (result.outcome, bounds(result)) == (Outcome.INCONCLUSIVE, (0, 10))
    assert outcome is not Outcome.PASSED or "TA" in result.finding.message


def test_what_needs_a_check_follows_it_in_any_order_of_rows_when_it_is_wrong_and_when_it_passes_now():
    rows = (row("a.third", needs=("a.second",)), row("a.second", 5, needs=("a.first",)), row(threshold=ABOVE))
    observed = [seen(facts={"accuracy_percent": 90}), seen("a.second"), seen("a.third")]
    report = score(evidence(*observed), rubric(*rows))
    assert [result.outcome for result in report.results[:2]] == [Outcome.SKIPPED] * 2
    assert "a.second" in report.results[0].finding.message
    assert "a.first" in report.results[1].finding.message
    assert report.score_high == 0
    rows = (row(), row("a.speed", 7, needs=("a.first",), hardware="gpu"))
    report = score(evidence(seen(outcome=Outcome.FAILED), seen("a.speed", Outcome.NOT_MEASURED)), rubric(*rows))
    assert (report.score_text, report.provisional) == ("0 of 17", False)
    report = score(evidence(seen(), seen("a.second", Outcome.SKIPPED)), WITH_A_NEED)
    assert report.results[1].outcome is Outcome.INCONCLUSIVE
    assert (report.score_low, report.score_high) == (10, 15)


@each("outcome", [Outcome.PASSED, Outcome.SKIPPED, Outcome.NOT_MEASURED])
def test_what_needs_a_check_that_failed_is_lost_even_if_it_was_skipped_for_it(outcome):
    rows = rubric(row(), row("a.other"), row("a.second", 5, needs=("a.first", "a.other")))
    failed = [seen(check, Outcome.FAILED) for check in ("a.first", "a.other")]
    result = score(evidence(*failed, seen("a.second", outcome)), rows).results[2]
    assert (result.outcome, bounds(result)) == (Outcome.SKIPPED, (0, 0))
    assert outcome is Outcome.SKIPPED or result.finding.hint == "Repair a.first first."


def test_a_failure_keeps_its_own_finding_and_a_refused_hand_in_is_open_with_its_reason_and_one_flag():
    own = Finding("second is wrong as well.")
    second = seen("a.second", Outcome.FAILED, finding=own)
    assert score(evidence(seen(outcome=Outcome.FAILED), second), WITH_A_NEED).results[1].finding == own
    report = score(evidence(refusal="The member ../x leaves the folder."), rubric(row(), row("a.files", 0)))
    assert (report.score_low, report.score_high, report.provisional) == (0, 10, True)
    assert {result.outcome for result in report.results} == {Outcome.INCONCLUSIVE}
    assert {result.finding.message for result in report.results} == {"The member ../x leaves the folder."}
    assert len(report.flags) == 1


outcomes = st.sampled_from(list(Outcome))
facts = st.one_of(
    st.none(), st.floats(), st.integers(), st.just("97"), st.lists(st.floats(), max_size=3), st.tuples(st.floats(0, 99))
)


@st.composite
def cases(draw):
    size = draw(st.integers(1, 6))
    rows, observations = [], []
    for number in range(size):
        keys = {"threshold": draw(st.sampled_from([None, ABOVE, AT_LEAST])), "points": draw(st.integers(0, 20)) / 2}
        keys |= {"hardware": draw(st.sampled_from(["", "gpu"])), "marked_by": draw(st.sampled_from(["", "ta"]))}
        needs = draw(st.sets(st.integers(0, number - 1))) if number else ()
        rows.append(row(f"a.c{number}", needs=tuple(f"a.c{need}" for need in needs), **keys))
        if draw(st.booleans()):
            values = {"accuracy_percent": draw(facts), "speedup": draw(facts)}
            observations.append(seen(f"a.c{number}", draw(outcomes), facts=values))
    return evidence(*observations, device=draw(st.sampled_from(["cpu", "gpu"]))), rubric(*rows)


@given(cases())
def test_points_stay_within_the_rubric_need_a_check_that_passed_and_only_own_failures_cost_any(case):
    found, rows = case
    report = score(found, rows)
    assert 0 <= report.score_low <= report.score_high <= rows.total
    for result in report.results:
        assert (result.points_low < result.points_high) == (result.outcome.is_open and result.criterion.points > 0)
    assert report.provisional == (report.score_low < report.score_high)
    for result in score(*case).results:
        if result.points_low > 0:
            assert result.observation.outcome is Outcome.PASSED
    repaired = replace(found, observations=tuple(replace(o, outcome=Outcome.ERROR) for o in found.observations))
    assert score(repaired, rows).score_high == rows.total
