"""The supervisor's own means, in this process: how a worker ended, its tree, and removing a folder with anything."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import each

from grader.worker import supervisor
from grader.worker.launcher import Limits, describe_ending, describe_size


def test_a_folder_is_removed_with_links_closed_parts_and_odd_names(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("x")
    folder = tmp_path / "scratch"
    (folder / "a/b").mkdir(parents=True)
    (folder / "a/b/file").write_text("x")
    (folder / ".moved-1").write_text("a name that the removal uses itself")
    (folder / ".moved-2").mkdir()
    (folder / "\n\udcff").write_text("x")
    (folder / "link").symlink_to(outside)
    (folder / "dangling").symlink_to("nowhere")
    (folder / "a").chmod(0o000)
    supervisor.remove_tree(str(folder))
    assert not folder.exists()
    assert (outside / "kept").exists()


def test_a_folder_deeper_than_any_path_is_removed(tmp_path):
    folder = tmp_path / "scratch"
    folder.mkdir()
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(folder)
        for _ in range(60):
            Path("deep" * 50).mkdir()
            os.chdir("deep" * 50)
    finally:
        os.fchdir(here)
        os.close(here)
    supervisor.remove_tree(str(folder))
    assert not folder.exists()
    supervisor.remove_tree(str(folder))  # which is not there any more: that is no error


MUCH = 1 << 50
LOOKS = 8
"""So many looks are enough for the folder to be looked at, too."""
SHARED_BYTES, FORKS = 200 << 20, 4
SHARING = f"""
import os, sys, time
held = b"x" * {SHARED_BYTES}
if all(os.fork() for _ in range({FORKS})):
    print("up", flush=True)
time.sleep(60)
"""


def found(scratch, *, memory=MUCH, kept=MUCH, output=MUCH, tasks=1 << 20):
    """Return which limits are exceeded by the processes below this one, by a folder, or by what this one prints."""
    watch = supervisor.Watch(memory, kept, output, tasks, str(scratch))
    return {watch.look() for _ in range(LOOKS)} - {""}


@pytest.fixture
def tree():
    """A child with four children, of which each shares with the others what it holds."""
    with subprocess.Popen([sys.executable, "-c", SHARING], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "up\n"
        below = psutil.Process(child.pid).children()
        yield child
        for process in [*below, child]:
            process.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_all_processes_below_count_and_what_they_share_counts_once(tree, tmp_path):
    below = psutil.Process().children(recursive=True)
    own = {tree.pid, *(process.pid for process in psutil.Process(tree.pid).children())}
    beside_bytes = sum(process.memory_info().rss for process in below if process.pid not in own)  # of other tests
    number = len(below)
    assert (len(own), found(tmp_path, tasks=number)) == (FORKS + 1, set())
    assert found(tmp_path, tasks=number - 1) == {"tasks"}
    assert found(tmp_path, memory=2 * SHARED_BYTES + beside_bytes) == set()
    assert found(tmp_path, memory=SHARED_BYTES // 2) == {"memory"}


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_what_another_thread_has_started_counts_as_well(tmp_path):
    with ThreadPoolExecutor(1) as threads:
        started = threads.submit(subprocess.Popen, ["sleep", "60"]).result()
        exceeded = found(tmp_path, tasks=len(psutil.Process().children(recursive=True)) - 1)
        started.kill()
        started.wait()
    assert exceeded == {"tasks"}


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_processes_that_come_and_go_are_no_error(tmp_path):
    with subprocess.Popen(["sh", "-c", "for i in $(seq 200); do true & done; wait"]) as child:
        while child.poll() is None:
            assert found(tmp_path, memory=1 << 10) <= {"memory"}


def test_a_watch_names_what_is_exceeded(tmp_path):
    (tmp_path / "file").write_bytes(b"x" * 100_000)
    assert (found(tmp_path, kept=50_000), found(tmp_path, kept=500_000)) == ({"scratch"}, set())
    assert found(tmp_path, output=-1) == {"output"}
    for number in range(20):
        (tmp_path / str(number)).touch()
    assert found(tmp_path, kept=300_000) == {"scratch"}, "an empty file takes something, too: it has to be removed"


@each(
    "line, how",
    (b"11 \n", "it was ended by SIGSEGV"),
    (b"%d \n" % (139 << 8), "it was ended by SIGSEGV"),
    (b"%d \n" % (3 << 8), "it ended itself with exit code 3"),
    (b"%d \n" % (255 << 8), "it ended itself with exit code 255"),
    (b"", "it closed its connection"),
    (b"forged", "it closed its connection"),
)
def test_a_wait_status_is_put_into_words(line, how):
    assert str(describe_ending(line, Limits())) == how


@each("name, size", [(b"memory", "4 GiB of memory"), (b"scratch", "256 MiB of files"), (b"output", "16 MiB of output")])
def test_a_limit_is_named_with_its_size_as_people_write_it(name, size):
    assert describe_ending(b"9 " + name + b"\n", Limits()).limit == size
    assert describe_size(3 << 29) == "1.5 GiB"


def test_processor_time_has_its_own_signal_bare_and_through_a_sandbox():
    for status in (signal.SIGXCPU, (128 + signal.SIGXCPU) << 8):
        assert describe_ending(b"%d \n" % status, Limits(cpu_s=7)).limit == "7 s of processor time"


@given(st.binary(max_size=64))
def test_any_line_has_words(line):
    assert str(describe_ending(line, Limits()))
