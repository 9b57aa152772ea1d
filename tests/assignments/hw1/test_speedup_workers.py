"""The speed check with real workers and a real clock: compiled loops stand for the GPU. No time is asserted."""

from pathlib import Path

import numpy as np
import psutil
import pytest
from sliced_handins import open_text

from grader.assignment import load_assignment
from grader.assignments.hw1 import comparisons
from grader.authoring import Note
from grader.authoring.judges import speedup
from grader.model import Threshold, Timed
from grader.sandbox import view
from grader.timing.lane import Lane, pick_core
from grader.timing.verdict import conclude
from grader.worker.client import Staff
from grader.worker.process import Limits, PlainLauncher, Settings, WorkerProcess

pytestmark = pytest.mark.wide

REFERENCE = Path(__file__).parents[3] / "reference/hw1"
THRESHOLD = Threshold("speedup", at_least=1.5, timed=Timed(budget_s=5))
SPINNER = """
max_gpu = max_numba
import threading

def _spin():
    while True:
        pass

threading.Thread(target=_spin, daemon=True).start()
"""


@pytest.fixture
def players(tmp_path):
    """Start a submission made of the reference and more text, and the staff's worker; both end with the test."""
    started = []
    assignment = load_assignment("hw1")

    def start(more):
        text = (REFERENCE / "max_functions.py").read_text() + more
        handin = open_text(tmp_path, "max_functions", text, assignment.graded, staff=assignment.staff)
        staff = Settings(assignment.baselines, assignment.baselines)
        started.extend((handin, Staff(lambda: WorkerProcess(staff, PlainLauncher()), Limits())))
        return started

    yield start
    for player in started:
        player.close()


def cpu_s(pids):
    below = [process for pid in pids for process in psutil.Process(pid).children(recursive=True)]
    return sum(process.cpu_times().user for process in below)


@pytest.mark.slow
def test_real_workers_give_samples_that_decide_something(players):
    student, staff = players("\nmax_gpu = max_numba\n")
    note = Note()
    with Lane(pick_core()) as core:
        bench = speedup.Bench(comparisons.MAX_WORKLOAD, student, staff, core, np.random.default_rng(0))
        speedup.prepare(bench, note)
        taken = speedup.take(bench, THRESHOLD)
    speedup.explain(taken, THRESHOLD, bench, note)
    assert taken.blocks >= 9
    assert "Speed-up" in conclude(THRESHOLD, note.facts["speedup_samples"]).finding.message
    assert all(seconds > 0 for times in note.facts["times_s"].values() for seconds in times)


def test_a_submission_that_computes_in_the_background_cannot_slow_the_staffs_loop_down(players):
    student, staff = players(SPINNER)
    student.load("max_functions")
    with Lane(pick_core()) as core:
        bench = speedup.Bench(comparisons.MAX_WORKLOAD, student, staff, core, np.random.default_rng(0))
        bench.calibrate()
        used, real = [], staff.call

        def call(*args, **options):
            before = cpu_s(student.pids)
            answer = real(*args, **options)
            used.append(cpu_s(student.pids) - before)
            return answer

        staff.call = call
        bench.time_baseline()
    assert used == [0]
    assert cpu_s(student.pids) > 0


def test_no_submission_sees_the_baseline_which_is_max_cpu_solved():
    assignment = load_assignment("hw1")
    assert (assignment.baselines / "baseline.py").is_file()
    shown = [assignment.staff, *view.installed_view().read]
    hidden = view.installed_view().hidden
    for folder in shown:
        is_inside = assignment.baselines.is_relative_to(folder)
        assert not is_inside or any(assignment.baselines.is_relative_to(cut) for cut in hidden)
