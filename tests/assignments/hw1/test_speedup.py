"""The speed check of hw1 with a simulated GPU, clock and staff: the real code around simulated calls."""

import importlib
import re
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest
import simulated_speed
from rows import each
from simulated_speed import WORD_S

from grader.assignments.hw1 import comparisons
from grader.authoring import Inconclusive, Note, Observed, StudentFault
from grader.authoring.judges import speedup
from grader.errors import WorkerError
from grader.model import Outcome, Threshold, Timed
from grader.timing.gpus import Gpu
from grader.timing.health import Health
from grader.worker import wire

THRESHOLD = Threshold("speedup", at_least=40, timed=Timed())


class World(simulated_speed.World):
    def __init__(self, **seconds):
        staffs = {"max_loop": 0.4, "hand_over": 0.0, "copies": 0.002}
        usual = {"max_cpu": 0.4, "max_numba": 0.002, "max_gpu": 0.004}
        super().__init__(comparisons.MAX_WORKLOAD, staffs | usual | seconds)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(comparisons, "MAX_WORKLOAD", replace(comparisons.MAX_WORKLOAD, shape=(4, 5)))


measured = partial(simulated_speed.measured, threshold=THRESHOLD)
graded = partial(simulated_speed.graded, threshold=THRESHOLD)


@each("gpu_s, outcome", (0.004, Outcome.PASSED), (0.01, Outcome.INCONCLUSIVE), (0.02, Outcome.FAILED))
def test_a_clear_ratio_is_decided_and_a_close_one_is_open(monkeypatch, gpu_s, outcome):
    result = graded(measured(monkeypatch, World(max_gpu=gpu_s)))
    assert result.outcome is outcome
    assert result.finding.message.startswith("Speed-up ")
    assert "needed 40" in result.finding.message


def test_a_report_finds_the_interval_and_the_samples_and_first_calls_apart(monkeypatch):
    note = measured(monkeypatch, World())
    low, high = graded(note).observation.facts["speedup"]
    assert 90 < low < high < 110
    assert "speedup" not in note.facts
    assert set(note.facts["times_s"]) == {"max_cpu", "staff's loop", "max_numba", "max_gpu"}
    assert len(note.facts["times_s"]["max_gpu"]) == 5 * len(note.facts["times_s"]["max_numba"]) == 45
    assert all(seconds > 1 for seconds in note.facts["first_call_s"].values())
    assert max(note.facts["times_s"]["max_gpu"]) < 0.01


def test_a_loop_written_slowly_on_purpose_earns_nothing_beyond_the_clamp(monkeypatch):
    note = measured(monkeypatch, World(max_cpu=3.0, max_gpu=0.02))  # 150 times as fast as that, 20 as the staff's
    assert graded(note).outcome is Outcome.FAILED
    assert note.facts["raw_ratios"]["to max_cpu"] > 100
    (flag,) = note.flags
    assert re.match(r"max_cpu takes 7\.\d+ times as long as a plain loop, \d(\.\d+)? s instead of 0\.4\d* s", flag)
    assert "1.5 times count at most" in flag


@pytest.mark.parametrize(("times", "is_flagged"), [(1.0, False), (1.1, False), (1.2, True), (1.45, True)])
def test_a_loop_that_is_credited_beyond_a_plain_one_is_shown_to_a_ta(monkeypatch, times, is_flagged):
    note = measured(monkeypatch, World(max_cpu=0.4 * times))
    assert graded(note).outcome is Outcome.PASSED
    assert any("Is it slowed down on purpose? A TA should read it." in flag for flag in note.flags) == is_flagged


def test_a_loop_written_cleverly_costs_nothing_and_the_flag_of_a_slow_one_moves_no_point(monkeypatch):
    note = measured(monkeypatch, World(max_cpu=0.06))  # 15 times, and 98 against the staff's
    assert graded(note).outcome is Outcome.PASSED
    assert note.flags == []
    world = {"max_cpu": 0.56, "max_gpu": 0.012}  # 46 times as fast as max_cpu, 33 as the staff's loop
    flagged = measured(monkeypatch, World(**world))
    silent = measured(monkeypatch, World(**world), threshold=replace(THRESHOLD, timed=Timed(flagged_from=2.0)))
    assert (len(flagged.flags), silent.flags) == (1, [])
    assert graded(flagged).outcome is graded(silent).outcome is Outcome.PASSED


def test_old_evidence_follows_a_new_rubric(monkeypatch):
    note = measured(monkeypatch, World(max_cpu=0.6, max_gpu=0.005))
    assert graded(note).outcome is Outcome.PASSED
    assert graded(note, threshold=replace(THRESHOLD, at_least=150)).outcome is Outcome.FAILED
    assert graded(note, threshold=replace(THRESHOLD, at_least=200)).outcome is Outcome.INCONCLUSIVE  # copies leave 200
    strict = replace(THRESHOLD, at_least=100, timed=Timed(baseline=(1.0, 1.0)))
    assert graded(note, threshold=replace(THRESHOLD, at_least=100)).outcome is Outcome.PASSED
    assert graded(note, threshold=strict).outcome is Outcome.FAILED


def test_every_call_has_its_own_inputs_and_the_submission_stands_still_only_while_the_staff_is_timed(monkeypatch):
    world = World()
    measured(monkeypatch, world)
    assert len({args[0].tobytes() + args[1].tobytes() for args in world.inputs}) == len(world.inputs) > 80
    for worker, still in world.stood_still:
        assert still == ((world.student,) if worker is world.staff else ())
    assert any(worker is world.staff for worker, _ in world.stood_still)


def test_wrong_results_while_timed_fail_the_gpu_are_replaced_for_the_cpu_and_a_remark_for_numba(monkeypatch):
    world = World()
    world.wrong["max_gpu"] = 20
    with pytest.raises(StudentFault, match="while it was timed"):
        measured(monkeypatch, world)
    world = World(max_gpu=0.02)
    world.wrong["max_cpu"] = 4
    note = measured(monkeypatch, world)
    assert set(note.facts["speedup_samples"]) == {"baseline", "fast"}
    assert graded(note).outcome is Outcome.FAILED
    assert "max_cpu failed while it was timed" in note.flags[0]
    world = World()
    world.wrong["max_numba"] = 1
    note = measured(monkeypatch, world)
    assert graded(note).outcome is Outcome.PASSED
    assert any("max_numba failed" in remark.message for remark in note.remarks)


def test_a_slow_max_numba_leaves_time_for_the_verdict(monkeypatch):
    world = World(max_numba=2.0)
    assert graded(measured(monkeypatch, world)).outcome is Outcome.PASSED
    assert world.seen.count("max_numba") == 1 + 3


def test_a_result_that_is_handed_over_late_is_timed_to_its_end_and_no_gain_of_a_slow_loop(monkeypatch):
    world = World(max_gpu=0.0005)
    world.late_s["max_gpu"] = 0.02
    note = measured(monkeypatch, world)
    assert np.median(note.facts["times_s"]["max_gpu"]) == pytest.approx(0.0206, rel=0.05)
    assert graded(note).outcome is Outcome.FAILED
    assert any("handed over later" in flag for flag in note.flags)
    world = World()
    world.late_s["max_cpu"] = 0.5
    assert measured(monkeypatch, world).facts["raw_ratios"]["to max_cpu"] < 110


def test_a_speed_beyond_physics_is_open_and_flagged(monkeypatch):
    world = World(max_gpu=0.0001)  # B could come back in that time, and both arguments not go there
    with pytest.raises(Inconclusive, match="copying alone"):
        measured(monkeypatch, world)
    assert any("less time than its numbers need to travel" in flag for flag in world.note.flags)
    result = graded(world.note, outcome=Outcome.INCONCLUSIVE)
    assert (result.points_low, result.points_high) == (0, 7)


def test_what_the_stopwatch_costs_counts_against_nobody(monkeypatch):
    note = measured(monkeypatch, World(max_gpu=0.0015))
    assert note.facts["stopwatch_s"]["cost"] == pytest.approx(WORD_S, rel=0.05)
    assert np.median(note.facts["times_s"]["max_gpu"]) == pytest.approx(0.0015, rel=0.02)


def test_a_disturbed_section_is_repeated_costs_the_submission_nothing_and_three_are_our_error(monkeypatch):
    note = measured(monkeypatch, World(), disturbances=["another process used the GPU: pid 7"])
    assert note.facts["disturbed"] == ["another process used the GPU: pid 7"]
    assert len(note.facts["speedup_samples"]["fast"]) == 9
    world = World()
    note = measured(monkeypatch, world, disturbances=["another process used the GPU: pid 7"])
    assert note.facts["waited_s"] == 12.5
    assert world.student.begun == 3  # after the wait, and for each section
    assert world.student.doubts == ["an earlier doubt"]
    with pytest.raises(WorkerError, match="disturbed 3 times"):
        measured(monkeypatch, World(), disturbances=["others used core 3 for 40%"] * 3)


@each(
    "gpu_s, words",
    (0.0022, "of a call, 9"),
    (0.0022, "%: the kernel hardly counts."),
    (0.02, "the rest is the kernel, Python, and whatever else is copied."),
    (0.0018, "it copies less, or in a faster way."),
)
def test_students_read_where_the_time_goes(monkeypatch, gpu_s, words):
    (remark,) = measured(monkeypatch, World(max_gpu=gpu_s)).remarks
    assert remark.message.startswith("Plain copies of the arguments and the result take 2")
    assert words in remark.message


def test_a_gpu_is_warm_when_its_samples_are_taken(monkeypatch):
    world = World()
    assert len(measured(monkeypatch, world).facts["times_s"]["max_gpu"]) == 9 * 5
    assert world.seen.count("max_gpu") == 1 + 9 * (5 + 5)
    slow = World(max_gpu=0.5)
    measured(monkeypatch, slow)
    assert slow.seen.count("max_gpu") == 1 + 9 * (1 + 5)


def test_what_cannot_be_seen_of_others_is_said(monkeypatch):
    world = World()
    world.machine = Health(Gpu("GPU-1", pids=(7,)), strangers=(7,))
    (flag,) = measured(monkeypatch, world).flags
    assert "whether they compute: pid 7" in flag
    world = World()
    world.machine = Health(Gpu("GPU-1", mig=True))
    note = measured(monkeypatch, world)
    assert note.flags == []
    assert any("MIG" in remark.message for remark in note.remarks)


def test_what_is_noted_is_json_also_of_a_gpu_that_tells_nothing_and_without_a_threshold(monkeypatch):
    world = World()
    world.gpu = None
    note = measured(monkeypatch, world)
    assert graded(note).outcome is Outcome.PASSED
    assert "gpu" not in note.facts
    assert msgspec.json.encode(measured(monkeypatch, World()).facts)
    assert measured(monkeypatch, World(), threshold=None).facts["speedup_samples"]


def test_after_the_timing_somebody_looks_once_more_where_answers_come_from(monkeypatch):
    test_max = importlib.import_module("grader.assignments.hw1.checks.test_max")
    seen = []
    monkeypatch.setattr(speedup, "measure", lambda *_: seen.append("measured"))
    rng, setup = np.random.default_rng(1), SimpleNamespace(device="gpu")
    calls = [wire.Seen(label=("kernel: max_kernel",)), wire.Seen(label=("mixed: numpy.maximum (max_functions.py:9)",))]
    student = SimpleNamespace(
        why_open=lambda _module, function: seen.append(function), seen_of=lambda *_: [Observed(call) for call in calls]
    )
    with pytest.raises(Inconclusive, match="let the host do the work: numpy.maximum"):
        test_max.test_max_gpu_speedup(student, None, rng, THRESHOLD, setup, Note())
    assert seen == ["measured", "max_gpu"]
