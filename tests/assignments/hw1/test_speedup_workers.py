"""The speed check with real workers and a real clock: compiled loops stand for the GPU. No time is asserted."""

import shutil
from pathlib import Path

import numpy as np
import psutil
import pytest

from grader.assignment import load_assignment
from grader.assignments.hw1 import speedup
from grader.authoring import Note
from grader.model import Threshold, Timed
from grader.sandbox import view
from grader.timing.conclusion import conclude
from grader.timing.lane import Lane, pick_core
from grader.worker.client import Student
from grader.worker.process import Limits, Place, PlainLauncher, WorkerProcess

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
        shutil.copy(REFERENCE / "max_functions.py", tmp_path)
        with (tmp_path / "max_functions.py").open("a") as file:
            file.write(more)
        started.extend(
            map(_player, (Place(tmp_path, assignment.staff), Place(assignment.baselines, assignment.baselines)))
        )
        return started

    yield start
    for player in started:
        player.close()


def _player(place):
    return Student(lambda: WorkerProcess(place, "cpu", Limits(), PlainLauncher()), (), Limits())


def cpu_s(pid):
    return sum(process.cpu_times().user for process in psutil.Process(pid).children(recursive=True))


@pytest.mark.slow
def test_real_workers_give_samples_that_decide_something(players):
    student, staff = players("\nmax_gpu = max_numba\n")
    note = Note()
    with Lane(pick_core()) as core:
        bench = speedup.Bench(student, staff, core, np.random.default_rng(0))
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
        bench = speedup.Bench(student, staff, core, np.random.default_rng(0))
        bench.calibrate()
        used, real = [], staff.call

        def call(*args, **options):
            before = cpu_s(student.pid)
            answer = real(*args, **options)
            used.append(cpu_s(student.pid) - before)
            return answer

        staff.call = call
        bench.time_baseline()
    assert used == [0]
    assert cpu_s(student.pid) > 0


def test_no_submission_sees_the_baseline_which_is_max_cpu_solved():
    assignment = load_assignment("hw1")
    assert (assignment.baselines / "baseline.py").is_file()
    shown = [assignment.staff, *view.installed_view().read]
    hidden = view.installed_view().hidden
    for folder in shown:
        is_inside = assignment.baselines.is_relative_to(folder)
        assert not is_inside or any(assignment.baselines.is_relative_to(cut) for cut in hidden)
