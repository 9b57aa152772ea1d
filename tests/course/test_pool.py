"""The local pool and what a forked grading finds ready: what is owed to others when a grading misbehaves."""

import inspect
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from grader.course import pool
from grader.course.model import GradingOptions, Job, Store
from grader.course.people import Handin
from grader.course.pool import LocalPool
from grader.course.running import Settings, prepare
from grader.errors import GraderError
from grader.machine import count_cores
from grader.timing import cores

pytestmark = pytest.mark.wide


def jobs(*keys):
    return [Job(Handin(key, (), Path(key), "")) for key in keys]


def grade(store, job, progress):
    """Do what the key says, and leave a mark per try."""
    key = job.handin.key
    (store.root / f"{key}.{len(list(store.root.glob(f'{key}.*')))}").write_text(str(os.getpid()))
    progress(f"check of {key}")
    tries = len(list(store.root.glob(f"{key}.*")))
    if key.startswith("killed") or (key.startswith("once") and tries == 1):
        os.kill(os.getpid(), signal.SIGKILL)
    if key.startswith("refuses"):
        raise GraderError("the hand-in has changed")
    if key.startswith("breaks"):
        raise KeyError(key)
    if key.startswith("sleeps"):
        time.sleep(60)
    if key.startswith("naps"):
        time.sleep(3)
    if key.startswith("meets"):
        wait_for_three(store.root)


def wait_for_three(folder):
    deadline = time.monotonic() + 30
    while len(list(folder.glob("meets*"))) < 3:
        if time.monotonic() > deadline:
            raise GraderError("the others were not begun")
        time.sleep(0.02)


@pytest.fixture
def ended(tmp_path):
    """Run jobs through a pool; return key -> problem, and what was told."""

    def run(*keys, workers=2, limit_s=60.0):
        told = []
        pool = LocalPool(workers, grade, limit_s)
        problems = {f.key: f.problem for f in pool.run(jobs(*keys), Store(tmp_path), lambda *what: told.append(what))}
        return problems, told

    return run


def test_every_job_ends_once_and_tells_its_checks(ended):
    keys = [f"job{number}" for number in range(7)]
    problems, told = ended(*keys)
    assert problems == dict.fromkeys(keys, "")
    assert all((key, f"check of {key}") in told for key in keys)


def test_a_log_that_cannot_be_opened_ends_the_batch_with_one_sentence(ended, tmp_path, capfd):
    (tmp_path / "logs").touch()  # as a full disk does, it refuses the file before the grading has begun
    with pytest.raises(GraderError, match=r"Files cannot be written into .*logs"):
        ended("right")
    assert capfd.readouterr().err == ""


def test_a_killed_grading_is_begun_once_more_and_then_is_ours_and_trouble_is_named_in_its_own_words(ended, tmp_path):
    problems, told = ended("killed", "once", "right")
    assert problems == {"killed": "the grading's process was ended by SIGKILL (2 tries)", "once": "", "right": ""}
    assert len(list(tmp_path.glob("killed.*"))) == 2
    assert ("once", "again, because the grading's process was ended by SIGKILL") in told
    problems, _told = ended("refuses", "breaks")
    assert problems == {"refuses": "the hand-in has changed (2 tries)", "breaks": "KeyError: 'breaks' (2 tries)"}


def test_a_grading_that_never_ends_delays_nobody_and_is_ended(ended):
    began = time.monotonic()
    problems, _told = ended("sleeps", "a", "b", "c", workers=2, limit_s=1.0)
    assert "took more than 1 s" in problems.pop("sleeps")
    assert problems == {"a": "", "b": "", "c": ""}
    assert time.monotonic() - began < 30


def test_more_gradings_than_workers_run_while_one_only_waits(ended, monkeypatch):
    monkeypatch.setattr(cores, "read_idle_s", lambda mine: len(mine) * time.monotonic())
    keys = ("meets1", "meets2", "meets3")
    assert ended(*keys, workers=2)[0] == dict.fromkeys(keys, ""), "the third begins before the first has ended"


def test_on_a_machine_that_others_use_no_more_are_begun_than_workers(ended, tmp_path, monkeypatch):
    monkeypatch.setattr(cores, "read_idle_s", lambda _mine: 0.0)
    ended("naps1", "naps2", "naps3", workers=2)
    first, _second, third = sorted(mark.stat().st_mtime for mark in tmp_path.glob("naps*"))
    assert third - first >= 3


def test_closing_the_pool_ends_what_runs(tmp_path):
    running = LocalPool(2, grade).run(jobs("sleeps", "naps"), Store(tmp_path), lambda *_: None)
    assert next(running).key == "naps"
    running.close()
    pids = [int(mark.read_text()) for mark in tmp_path.glob("sleeps*")]
    assert pids
    assert not [pid for pid in pids if psutil.pid_exists(pid)]


IN_A_PROCESS = f"""
import importlib.util, os, signal, sys
spec = importlib.util.spec_from_file_location("mine", {__file__!r})
mine = importlib.util.module_from_spec(spec)
spec.loader.exec_module(mine)

def run(*keys):
    list(mine.LocalPool(2, mine.grade).run(mine.jobs(*keys), mine.Store(mine.Path(sys.argv[1])), lambda *_: None))
"""


@pytest.mark.parametrize("moment", ["before", "after_in_parent"])
def test_ctrl_c_at_the_fork_of_a_grading_ends_the_pool_and_the_grading(tmp_path, moment):
    """The grading misses the request to end, because it does not listen yet: it is killed."""
    program = f"""
from grader.course import job as forks
forks._STOPS_S = 0.5
os.register_at_fork({moment}=lambda: os.kill(os.getpid(), signal.SIGINT))
try:
    run("sleeps")
except KeyboardInterrupt:
    print("stopped")
try:
    print(os.waitpid(-1, os.WNOHANG))
except ChildProcessError:
    print("nothing runs")
"""
    command = [sys.executable, "-c", IN_A_PROCESS + program, str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
    assert (said.stdout, said.stderr) == ("stopped\nnothing runs\n", "")


def test_nothing_survives_a_pool_that_is_killed(tmp_path):
    command = [sys.executable, "-c", IN_A_PROCESS + 'run("sleeps1", "sleeps2")', str(tmp_path)]
    with subprocess.Popen(command) as batch:
        deadline = time.monotonic() + 60
        while len(pids := [*map(int, filter(None, map(Path.read_text, tmp_path.glob("sleeps*"))))]) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        batch.kill()
    deadline = time.monotonic() + 10
    while any(map(psutil.pid_exists, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not [pid for pid in pids if psutil.pid_exists(pid)]


@pytest.fixture
def batch(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/hw1_111111111.zip").write_bytes(b"")
    how = GradingOptions(data="digits", sandbox="limits")
    return prepare(tmp_path / "in", Store(tmp_path / "out"), Settings("", None, how))


@pytest.fixture
def on(monkeypatch):
    """Pretend to be a machine with this device, that is warm already."""

    def pretend(device):
        monkeypatch.setattr(pool, "choose_device", lambda _wanted: (device, "its name"))
        monkeypatch.setattr(pool, "warm_up", lambda _assignment, _how: None)

    return pretend


def test_a_cpu_takes_one_grading_more_than_cores_and_a_gpu_times_alone(batch, on):
    on("cpu")
    assert (pool.make_pool(batch)._workers, pool.make_pool(batch, 7)._workers) == (count_cores() + 1, 7)
    assert pool.make_pool(batch)._grade.func is pool.run_job, "behind no gate"
    on("gpu")
    gpu = pool.make_pool(batch)
    assert inspect.getclosurevars(gpu._grade).nonlocals["timed"] == ("max.gpu.speedup",)
    assert gpu._workers <= pool.MOST_ON_A_GPU


ASK = """
import os, sys
from pathlib import Path
from grader.assignment import load_assignment
from grader.course.model import GradingOptions
from grader.course.job import warm_up

warm_up(load_assignment("hw1"), GradingOptions(data="digits", device="cpu", sandbox="limits"))
before = set(sys.modules)
assert {'numpy', 'scipy.stats'} <= before, 'what checks import'
if (child := os.fork()) == 0:
    import numpy as np
    import scipy.linalg
    from grader.grading import Options, grade

    np.ones((600, 600)) @ np.ones((600, 600))
    scipy.linalg.lu_factor(np.ones((300, 300)) + np.eye(300))
    report = grade(Path(sys.argv[1]), load_assignment("hw1"), Options(device="cpu", sandbox="limits", only=("report",)))
    print(len(os.listdir("/proc/self/task")), "threads")
    print(*sorted(name for name in set(sys.modules) - before if "test_" in name or name.startswith("_pytest")))
    sys.stdout.flush()
    os._exit(0)
os.waitpid(child, 0)
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted in /proc")
def test_a_forked_grading_has_one_thread_and_imports_neither_pytest_nor_checks(tmp_path):
    (tmp_path / "utils.py").write_text("")
    environment = {name: text for name, text in os.environ.items() if not name.endswith("_NUM_THREADS")}
    command = [sys.executable, "-c", ASK, str(tmp_path)]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert said.returncode == 0, said.stderr
    assert said.stdout.splitlines() == ["1 threads", ""], said.stderr
