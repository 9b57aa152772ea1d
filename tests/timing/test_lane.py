"""One core for what is timed, and stillness around it: with real processes."""

import os
import subprocess
import sys
import time

import psutil
import pytest

from grader.errors import WorkerError
from grader.timing import lane
from grader.timing.lane import Lane, pick_core

TREE = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "while True: pass"])
print("up", flush=True)
time.sleep(60)
"""


class Worker:
    """A process that stands for the supervisor, with a child, and a grandchild that never rests."""

    def __init__(self):
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {TREE!r}])"],
            stdout=subprocess.PIPE,
        )
        self._process.stdout.readline()
        self.pid = self._process.pid
        self.pids = (self.pid,)

    def below(self):
        return psutil.Process(self.pid).children(recursive=True)

    def close(self):
        for process in [*self.below(), psutil.Process(self.pid)]:
            process.kill()
        self._process.wait()
        self._process.stdout.close()


@pytest.fixture
def worker():
    made = Worker()
    yield made
    made.close()


def cpu_s(processes):
    return sum(process.cpu_times().user for process in processes)


def test_others_stand_still_while_one_runs_but_for_the_watching_process_and_go_on_even_when_it_fails(worker):
    def look():
        before = cpu_s(worker.below())
        time.sleep(0.15)
        return cpu_s(worker.below()) - before, {process.status() for process in worker.below()}

    with Lane(pick_core()) as own:
        used_s, states = own.run(_Nobody(), look, still=[worker])
    assert (used_s, states) == (0, {psutil.STATUS_STOPPED})
    assert psutil.STATUS_STOPPED not in {process.status() for process in worker.below()}
    with Lane(pick_core()) as own:
        state = own.run(_Nobody(), lambda: psutil.Process(worker.pid).status(), still=[worker])
    assert state != psutil.STATUS_STOPPED

    def fail():
        raise ZeroDivisionError

    with Lane(pick_core()) as own, pytest.raises(ZeroDivisionError):
        own.run(_Nobody(), fail, still=[worker])
    assert psutil.STATUS_STOPPED not in {process.status() for process in worker.below()}


def test_what_cannot_be_stopped_is_our_error(worker, monkeypatch):
    monkeypatch.setattr(lane, "_signal", lambda *_: None)
    monkeypatch.setattr(lane, "_WAIT_S", 0.05)
    with Lane(pick_core()) as own, pytest.raises(WorkerError, match="could not be stopped"):
        own.run(_Nobody(), lambda: None, still=[worker])


@pytest.mark.skipif(len(os.sched_getaffinity(0)) == 1, reason="needs a second core to move to")
def test_the_whole_tree_has_the_core_to_itself_for_as_long_as_the_lane_lasts(worker):
    everywhere, core = os.sched_getaffinity(0), pick_core()
    with Lane(core) as own:
        own.run(worker, lambda: None)
        pinned = {tuple(process.cpu_affinity()) for process in worker.below()}
        threads = {tuple(os.sched_getaffinity(thread.id)) for process in worker.below() for thread in process.threads()}
        here = os.sched_getaffinity(0)
    assert pinned == threads == {(core,)}
    assert (here, os.sched_getaffinity(0)) == (everywhere - {core}, everywhere)
    assert {tuple(process.cpu_affinity()) for process in worker.below()} == {tuple(sorted(everywhere))}


class Both:
    def __init__(self, *workers):
        self.pids = tuple(worker.pid for worker in workers)
        self._workers = workers

    def below(self):
        return [process for worker in self._workers for process in worker.below()]


@pytest.fixture
def handin(worker):
    other = Worker()
    yield Both(worker, other)
    other.close()


def test_both_workers_of_a_handin_stand_still(handin):
    with Lane(pick_core()) as own:
        states = own.run(_Nobody(), lambda: {process.status() for process in handin.below()}, still=[handin])
    assert states == {psutil.STATUS_STOPPED}
    assert psutil.STATUS_STOPPED not in {process.status() for process in handin.below()}


@pytest.mark.skipif(len(os.sched_getaffinity(0)) == 1, reason="needs a second core to move to")
def test_both_workers_of_a_handin_run_on_the_core(handin):
    core = pick_core()
    with Lane(core) as own:
        own.run(handin, lambda: None)
        pinned = {tuple(process.cpu_affinity()) for process in handin.below()}
    assert pinned == {(core,)}
    assert len({tuple(process.cpu_affinity()) for process in handin.below()} - {(core,)}) == 1


class _Nobody:
    """A worker without processes: the number is that of none."""

    pids = (2**22 + 1,)
