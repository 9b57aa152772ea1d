"""The supervisor's own means, in this process: looking at a tree, and removing a folder whatever is in it."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from grader.worker import supervisor


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


def test_a_folder_that_is_not_there_is_no_error(tmp_path):
    supervisor.remove_tree(str(tmp_path / "gone"))


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
    assert len(own) == FORKS + 1
    assert found(tmp_path, tasks=number) == set()
    assert found(tmp_path, tasks=number - 1) == {"tasks"}
    assert found(tmp_path, memory=2 * SHARED_BYTES + beside_bytes) == set()
    assert found(tmp_path, memory=SHARED_BYTES // 2) == {"memory"}


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_processes_that_come_and_go_are_no_error(tmp_path):
    with subprocess.Popen(["sh", "-c", "for i in $(seq 200); do true & done; wait"]) as child:
        while child.poll() is None:
            assert found(tmp_path, memory=1 << 10) <= {"memory"}


def test_a_watch_names_what_is_exceeded(tmp_path):
    (tmp_path / "file").write_bytes(b"x" * 100_000)
    assert found(tmp_path, kept=50_000) == {"scratch"}
    assert found(tmp_path, kept=500_000) == set()
    assert found(tmp_path, output=-1) == {"output"}
    for number in range(20):
        (tmp_path / str(number)).touch()
    assert found(tmp_path, kept=300_000) == {"scratch"}, "an empty file takes something, too: it has to be removed"
