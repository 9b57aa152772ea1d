"""What a grading leaves behind is found; what others run on this machine, workers of other gradings too, is not."""

import contextlib
import os
import subprocess

import attack_runs
import left_behind
import psutil
import pytest

ATTACK = attack_runs.attack_of("honest", "utils.py", '"""Nothing."""\n')
LIKE_A_WORKER = {**os.environ, "NUMBA_CACHE_DIR": "/nowhere", "PYTHONHASHSEED": "0"}


@pytest.fixture
def start_daemon():
    """Return a function that starts a process in a session of its own, whose parent ends at once."""
    pids = []

    def start(seconds=100):
        command = ["sh", "-c", f"setsid sleep {seconds} >/dev/null 2>&1 & echo $!"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, env=LIKE_A_WORKER)
        pids.append(int(done.stdout))
        return pids[-1]

    yield start
    for pid in pids:
        with contextlib.suppress(psutil.NoSuchProcess):
            psutil.Process(pid).kill()


def test_a_daemon_that_a_grading_left_is_found(start_daemon, monkeypatch, tmp_path):
    monkeypatch.setattr(left_behind, "ENDING_S", 0.5)
    monkeypatch.setattr(attack_runs, "grade", lambda *_: started.append(start_daemon()))
    started = []
    assert attack_runs.attempt(ATTACK, "limits", tmp_path).traces == [f"process {started[0]} sleep"]


def test_a_process_that_is_ending_is_waited_for(start_daemon, monkeypatch, tmp_path):
    monkeypatch.setattr(attack_runs, "grade", lambda *_: start_daemon(seconds=1))
    assert attack_runs.attempt(ATTACK, "limits", tmp_path).traces == []


def test_a_worker_of_another_grading_is_nothing_that_is_left(start_daemon, monkeypatch, tmp_path):
    """It has no living parent below this process, as a worker whose supervisor ends at this moment."""
    pid = start_daemon()
    monkeypatch.setattr(attack_runs, "grade", lambda *_: None)
    assert attack_runs.attempt(ATTACK, "limits", tmp_path).traces == []
    assert psutil.pid_exists(pid)


def test_shared_memory_whose_maker_is_gone_is_found_until_it_is_removed(monkeypatch):
    monkeypatch.setattr(left_behind, "ENDING_S", 0.5)
    before = left_behind.memory_of_nobody()
    made = subprocess.run(["ipcmk", "-M", "1024"], capture_output=True, text=True, check=True).stdout.split()[-1]
    try:
        assert f"segment {made}" in left_behind.memory_that_stays(before)
    finally:
        subprocess.run(["ipcrm", "-m", made], check=True)
    assert f"segment {made}" not in left_behind.memory_that_stays(before)
