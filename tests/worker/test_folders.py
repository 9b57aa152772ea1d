"""Temporary folders: removed in the end, by the next start at the latest, and never somebody else's."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from waiting import wait_until

from grader.sandbox.identity import Identity
from grader.worker import folders, supervisor
from grader.worker.process import PlainLauncher, Settings, WorkerProcess

HOLDER = """
import sys, time
from grader.worker.folders import temporary_folder
with temporary_folder("submission") as folder:
    (folder / "files").mkdir()
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """An empty temporary folder, of this process and of those that it starts."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def begin_holder():
    holder = subprocess.Popen([sys.executable, "-c", HOLDER], stdout=subprocess.PIPE, text=True)
    return holder, Path(holder.stdout.readline().strip())


def end(holder, number=signal.SIGKILL):
    holder.send_signal(number)
    holder.communicate()


def test_a_folder_is_removed_after_its_block_however_that_ends(temporary):
    def fail():
        with folders.temporary_folder("worker") as folder:
            assert (folder.parent, folder.stat().st_mode & 0o777) == (temporary, 0o700), "nobody else's to read"
            (folder / "file").touch()
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert not list(temporary.iterdir())


def test_what_a_killed_owner_left_goes_at_the_next_start_and_what_is_owned_stays(temporary):
    (killed, left), (living, owned) = begin_holder(), begin_holder()
    end(killed)
    assert (left / "files").is_dir()
    with folders.temporary_folder("worker") as folder:
        assert sorted(temporary.iterdir()) == sorted([owned, folder])
        with folders.temporary_folder("worker"):
            assert folder.exists(), "nor what this very process owns"
    end(living)


def test_nothing_is_touched_that_is_not_certainly_an_abandoned_folder_of_ours(temporary):
    holder, left = begin_holder()
    end(holder)
    ours = left.name.rpartition("-")[0]
    elsewhere = temporary / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").touch()
    (temporary / f"{ours}-{'0' * 16}").symlink_to(elsewhere)
    (temporary / f"{ours}-{'1' * 16}").touch()
    random = "0123456789abcdef"
    for name in (f"grader-submission-{random}", f"grader-submission-00000000-{random}", f"{ours}-{random}0", "other"):
        (temporary / name).mkdir()
    before = {path.name for path in temporary.iterdir()} - {left.name}
    with folders.temporary_folder("worker") as folder:
        assert {path.name for path in temporary.iterdir()} == before | {folder.name}
    assert (elsewhere / "kept").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give folders away")
@pytest.mark.usefixtures("temporary")
def test_root_removes_what_its_workers_own_and_nobody_elses():
    made = [begin_holder() for _ in range(2)]
    for holder, _folder in made:
        end(holder)
    (_, of_worker), (_, of_user) = made
    os.chown(of_worker, folders.WORKER_IDS[7], -1)
    os.chown(of_user, 1000, -1)
    with folders.temporary_folder("worker"):
        assert not of_worker.exists()
        assert of_user.exists()


@pytest.mark.parametrize("place", [0, 7, len(folders.WORKER_IDS) - 1])
def test_ids_of_workers_are_those_of_the_sandbox(monkeypatch, place):
    for drawn in (place, place + len(folders.WORKER_IDS)):
        monkeypatch.setattr(os, "urandom", lambda size, drawn=drawn: drawn.to_bytes(size, "big"))
        assert Identity(drops=True).fresh_id() == folders.WORKER_IDS[place]


def test_a_worker_that_the_sandbox_cannot_wrap_leaves_nothing(temporary):
    class NoRoom(PlainLauncher):
        def wrap(self, *_arguments):
            raise OSError(12, "Cannot allocate memory")

    with pytest.raises(OSError, match="Cannot allocate memory"):
        WorkerProcess(Settings(temporary, temporary), NoRoom())
    assert not list(temporary.iterdir())


def test_a_worker_that_runs_out_of_open_files_leaves_nothing(temporary):
    program = f"""
import resource, sys
from pathlib import Path
from grader.worker.process import Limits, PlainLauncher, Settings, WorkerProcess
here = Path({str(temporary)!r})
refused = 0
for most in range(4, 20):
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, 100))
    try:
        WorkerProcess(Settings(here, here), PlainLauncher()).close()
    except OSError:
        refused += 1
    resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))
    assert not list(here.iterdir()), most
print(refused)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 5


class CtrlC:
    """Raises `KeyboardInterrupt` before the `at`-th line that runs in the module `folders`, or in what removes them."""

    def __init__(self, at):
        self.left = at
        self.files = {folders.__file__, supervisor.__file__}

    def __call__(self, frame, event, _argument):
        if frame.f_code.co_filename in self.files:
            self.left -= event == "line"
            if self.left == 0 and event == "line":
                self.left = -1
                raise KeyboardInterrupt
        return self


def interrupt_a_folder_at(line):
    """Use a folder with a file and a folder in it; return whether Ctrl-C came, in the line of that number."""
    tracing = CtrlC(line)
    sys.settrace(tracing)
    try:
        with folders.temporary_folder("worker") as folder:
            (folder / "within" / "deep").mkdir(parents=True)
            (folder / "within" / "file").touch()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return tracing.left < 0


def test_ctrl_c_in_any_line_leaves_nothing(temporary):
    line, interrupted = 0, True
    while interrupted:
        line += 1
        interrupted = interrupt_a_folder_at(line)
        assert not list(temporary.iterdir()), line
    assert line > 30


def begin_grading(tmp_path):
    source = tmp_path.parent / f"{tmp_path.name}-in"
    source.mkdir()
    (source / "utils.py").write_text("import time\ntime.sleep(60)\n")
    command = [sys.executable, "-m", "grader", "grade", str(source), "--out", str(source / "out"), "--data", "digits"]
    command += ["--sandbox", "limits", "--device", "cpu"]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, **streams, text=True, start_new_session=True)


@pytest.mark.parametrize("kind", ["submission", "worker"])
def test_sigterm_ends_a_grading_as_ctrl_c_does(temporary, kind):
    grading = begin_grading(temporary)
    wait_until(lambda: list(temporary.glob(f"grader-{kind}-*")))
    grading.terminate()
    assert grading.communicate(timeout=60)[1].endswith("grader: stopped before it was finished\n")
    assert grading.returncode == 130
    wait_until(lambda: not list(temporary.iterdir()))


def test_a_grading_whose_whole_group_is_killed_leaves_nothing(temporary):
    grading = begin_grading(temporary)
    wait_until(lambda: list(temporary.glob("grader-worker-*")))
    time.sleep(1)  # the first supervisor is up by then
    os.killpg(grading.pid, signal.SIGKILL)
    grading.communicate()
    wait_until(lambda: not list(temporary.iterdir()))
