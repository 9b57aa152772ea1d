"""After a worker is closed, and after its grader is killed, nothing of it is left."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import psutil
import pytest
from waiting import wait_until

from grader.worker.process import Settings, WorkerProcess

LEVELS = ["full", pytest.param("landlock", marks=pytest.mark.wide), "limits"]


@pytest.fixture(scope="module", params=LEVELS)
def level(request):
    return request.param


def processes_with(mark):
    """Return the processes whose environment or command line names `mark`, a path of one worker."""
    found = []
    for process in psutil.process_iter():
        try:
            if any(mark in word for word in process.cmdline()):
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


def test_daemons_end_with_the_worker(submit, level, tmp_path):
    student = submit(level)
    assert student.utils.start_daemon(str(tmp_path / "mark")) == "did"
    mark = str(tmp_path / "submission")
    assert processes_with(mark)
    student.close()
    assert not processes_with(mark)


def test_folders_that_are_deep_or_closed_are_removed(submit, level):
    student = submit(level)
    assert student.utils.bury_files(60) == "did"
    scratch = student._worker._scratch
    assert scratch.exists()
    student.close()
    assert not scratch.exists()


def test_a_worker_that_is_forgotten_takes_nothing_of_a_living_grader_along(level, launcher_of, tmp_path):
    for name in ("submission", "staff"):
        (tmp_path / name).mkdir()
    settings = Settings(tmp_path / "submission", tmp_path / "staff", temporary=tmp_path / "submission")
    worker = WorkerProcess(settings, launcher_of(level))
    worker.wait_until_ready()
    worker._control.close()
    worker._process.wait(20)
    assert settings.submission.exists()
    worker.close()


def test_a_grader_that_is_killed_leaves_nothing(level, tmp_path):
    program = textwrap.dedent(f"""
        import importlib.util, sys, time
        from pathlib import Path
        spec = importlib.util.spec_from_file_location("shared", {str(Path(__file__).with_name("conftest.py"))!r})
        shared = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(shared)
        from grader.worker.client import WorkerClient
        from grader.worker.process import Limits, Settings, WorkerProcess
        folder = Path({str(tmp_path)!r})
        first = shared.start_student(folder, shared.find_launcher({level!r}), Limits())
        settings = Settings(folder / "submission", folder / "staff", temporary=folder / "submission")
        start = lambda: WorkerProcess(settings, shared.find_launcher({level!r}))
        student = WorkerClient(start, Limits())
        student.begin_check()
        student.utils.start_daemon("mark")
        print(student._worker._scratch, flush=True)
        time.sleep(60)
    """)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as grader:
        scratch = Path(grader.stdout.readline().strip())
        mark = str(tmp_path / "submission")
        assert scratch.is_absolute()
        assert scratch.exists()
        assert processes_with(mark)
        os.kill(grader.pid, signal.SIGKILL)
    wait_until(lambda: not processes_with(mark), 15)
    wait_until(lambda: not scratch.exists(), 15)
    wait_until(lambda: not (tmp_path / "submission").exists(), 15)
