"""Samples and a rubric give the verdict: the clamp, the threshold, and what is too close to call."""

import json
from dataclasses import replace

import numpy as np
import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import each

from grader.model import Outcome, Threshold, Timed
from grader.timing.verdict import conclude, find_needless, has_decided, judge, raw_ratios, read_samples

TIMED = Timed()
AT_LEAST = Threshold("speedup", at_least=40, timed=TIMED)


def samples(slow=0.4, baseline=0.4, fast=0.01, blocks=12, sigma=0.01, seed=0):
    """Return samples whose medians are about the given seconds; `slow=None` for none."""
    rng = np.random.default_rng(seed)
    return {
        role: (mean * np.exp(rng.normal(0, sigma, (blocks, 3 if role == "fast" else 1)))).tolist()
        for role, mean in {"slow": slow, "baseline": baseline, "fast": fast}.items()
        if mean is not None
    }


FREE = Timed(baseline=(0.01, 100))


@each(
    "slow, graded, timed",
    {
        "zipped lists: no worse than the staff's loop": (0.06, 0.4, TIMED),
        "as the staff's": (0.4, 0.4, TIMED),
        "the student's own": (0.5, 0.5, TIMED),
        "at the clamp": (0.6, 0.6, TIMED),
        "sandbagged: at most 1.5 times the staff's": (4.0, 0.6, TIMED),
        "it failed: the staff's loop stands for it": (None, 0.4, TIMED),
        "sandbagged, where the rubric has no clamp": (4.0, 4.0, FREE),
        "zipped lists, where the rubric has no clamp": (0.06, 0.06, FREE),
    },
)
def test_the_students_loop_counts_within_the_clamp_of_the_rubric(slow, graded, timed):
    assert judge(samples(slow, sigma=1e-4), timed).value == pytest.approx(graded / 0.01, rel=0.01)


def test_raw_ratios_know_no_clamp_and_samples_survive_json():
    assert raw_ratios(samples(slow=4.0)) == pytest.approx({"slow": 400, "baseline": 40}, rel=0.05)
    taken = samples()
    assert judge(json.loads(json.dumps(taken)), TIMED) == judge(taken, TIMED)


@each(
    "bound, taken, outcome",
    {
        "clear": (40, samples(fast=0.004), Outcome.PASSED),
        "just clear": (40, samples(fast=0.0095), Outcome.PASSED),
        "close": (40, samples(fast=0.01), Outcome.INCONCLUSIVE),
        "just missed": (40, samples(fast=0.0105), Outcome.FAILED),
        "clear, and the slow function failed": (40, samples(slow=None, fast=0.004), Outcome.PASSED),
        "missed, and the slow function failed": (40, samples(slow=None, fast=0.04), Outcome.FAILED),
        "50 times, of 40": (40, samples(fast=0.008), Outcome.PASSED),
        "50 times, of 50": (50, samples(fast=0.008), Outcome.INCONCLUSIVE),
        "50 times, of 60": (60, samples(fast=0.008), Outcome.FAILED),
    },
)
def test_clear_is_decided_and_close_is_open(bound, taken, outcome):
    assert conclude(replace(AT_LEAST, at_least=bound), taken).outcome is outcome


def test_a_student_reads_speed_interval_and_hint_and_that_no_point_is_lost_where_it_is_too_close():
    finding = conclude(AT_LEAST, samples(fast=0.4 / 172, sigma=0.02), hint="Copying takes most of it.").finding
    assert finding.message.startswith("Speed-up 17")
    assert finding.message.endswith("), needed 40.")
    assert "(95 % interval 16" in finding.message
    assert finding.hint == "Copying takes most of it."
    finding = conclude(AT_LEAST, samples()).finding
    assert "too close to decide" in finding.message
    assert "at the certainty that points need" in finding.got
    assert "No point is lost" in finding.hint
    above = Threshold("speedup", above=40)
    assert "needed more than 40" in conclude(above, samples(fast=0.004)).finding.message
    message = conclude(AT_LEAST, samples(slow=0.4, fast=0.0002, sigma=1e-6)).finding.message
    assert message.startswith("Speed-up 2000 (95 % interval 2000 to 2000)")


@pytest.mark.parametrize("blocks", [1, 2, 8])
def test_few_samples_decide_nothing_however_clear_they_look(blocks):
    concluded = conclude(AT_LEAST, samples(fast=0.001, blocks=blocks))
    assert concluded.outcome is Outcome.INCONCLUSIVE
    assert f"{blocks} blocks" in concluded.finding.got


@each(
    "fast, copying_s, outcome",
    {
        "copies leave 45 of 40": (0.0105, 0.4 / 45, Outcome.INCONCLUSIVE),
        "copies leave 55": (0.0105, 0.4 / 55, Outcome.FAILED),
        "copies leave 45, and it is reached": (0.009, 0.4 / 45, Outcome.PASSED),
        "nobody measured copies": (0.0105, None, Outcome.FAILED),
        "evidence that is damaged": (0.0105, "soon", Outcome.FAILED),
    },
)
def test_nobody_fails_where_copies_alone_leave_too_little(fast, copying_s, outcome):
    concluded = conclude(AT_LEAST, samples(fast=fast), copying_s=copying_s)
    assert concluded.outcome is outcome
    is_open = outcome is Outcome.INCONCLUSIVE
    assert ("needed 40: this server cannot reach it" in concluded.finding.message) == is_open
    assert ("plain copies of the numbers alone allow 4" in concluded.finding.got) == is_open


def test_another_clamp_needs_no_new_samples_and_more_certainty_leaves_more_open():
    taken = samples(slow=0.6, fast=0.0125)  # 32 times against the staff's loop, 48 against the student's own
    strict = replace(AT_LEAST, timed=Timed(baseline=(1.0, 1.0)))
    assert conclude(AT_LEAST, taken).outcome is Outcome.PASSED
    assert conclude(strict, taken).outcome is Outcome.FAILED
    taken = samples(fast=0.0097, blocks=15, sigma=0.02, seed=4)
    sure = replace(AT_LEAST, timed=Timed(error_percent=0.01))
    assert judge(taken, sure.timed).sure[0] < judge(taken, TIMED).sure[0]
    assert conclude(sure, taken).outcome is Outcome.INCONCLUSIVE


@each(
    "fact",
    *(None, [39, 41], {}, {"fast": [[1.0]]}),
    *({"fast": [[1.0]], "baseline": blocks} for blocks in ([], [[]], [[1.0], [1.0]])),
    *({"fast": [[1.0]], "baseline": [[time]]} for time in (0.0, -1.0, "1", True, None, float("inf"))),
    *({"fast": [[1.0]], "baseline": [[1.0]], "other": [[1.0]]}, {"fast": 1.0, "baseline": 2.0}),
)
def test_what_has_no_form_of_samples_decides_nothing(fact):
    assert read_samples(fact) is None
    assert conclude(AT_LEAST, fact) is None


def test_sampling_may_end_when_the_answer_is_clear():
    assert has_decided(samples(fast=0.004), AT_LEAST)
    assert has_decided(samples(fast=0.02), AT_LEAST)
    assert not has_decided(samples(fast=0.01), AT_LEAST)
    assert not has_decided(samples(fast=0.004, blocks=5), AT_LEAST)


@each("slow, needless", [(0.06, ("slow",)), (0.4, ()), (0.5, ("baseline",)), (0.6, ()), (4.0, ("slow",)), (None, ())])
def test_who_cannot_bind_need_not_be_timed(slow, needless):
    assert find_needless(samples(slow), TIMED) == needless


def test_neither_fewer_blocks_of_one_side_nor_drift_of_all_changes_a_ratio():
    taken = samples(slow=0.5, fast=0.01, blocks=20)
    shorter = {**taken, "baseline": taken["baseline"][:9]}
    assert judge(shorter, TIMED).value == pytest.approx(judge(taken, TIMED).value, rel=0.01)
    assert conclude(AT_LEAST, shorter).outcome is Outcome.PASSED
    drifting = {
        role: [[seconds * (1 + number / 20) for seconds in block] for number, block in enumerate(blocks)]
        for role, blocks in taken.items()
    }
    drifting["baseline"] = drifting["baseline"][:9]
    assert judge(drifting, TIMED).value == pytest.approx(judge(taken, TIMED).value, rel=1e-9)


seconds = st.floats(1e-4, 10)
blocks_of = st.lists(st.tuples(seconds, seconds, seconds), min_size=1, max_size=25)


@settings(max_examples=examples(60))
@given(blocks_of, st.floats(0.5, 200))
def test_a_verdict_is_never_at_odds_with_what_is_shown(rows, bound):
    slow, baseline, fast = ([[value] for value in column] for column in zip(*rows, strict=True))
    threshold = Threshold("speedup", at_least=bound, timed=TIMED)
    taken = {"slow": slow, "baseline": baseline, "fast": fast}
    concluded = conclude(threshold, taken)
    ratio = judge(taken, TIMED)
    assert ratio.sure[0] <= ratio.value * (1 + 1e-9)
    assert ratio.value <= ratio.sure[1] * (1 + 1e-9)
    if concluded.outcome is Outcome.PASSED:
        assert min(ratio.shown[0], ratio.sure[0]) >= bound
    if concluded.outcome is Outcome.FAILED:
        assert max(ratio.shown[1], ratio.sure[1]) < bound
    assert has_decided(taken, threshold) == (concluded.outcome is not Outcome.INCONCLUSIVE)
